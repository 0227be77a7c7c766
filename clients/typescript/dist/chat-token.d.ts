import type { SupportAssistant } from "./client.js";
import type { WidgetTokenRequest } from "./generated.js";
export interface Visitor extends Omit<WidgetTokenRequest, "sessionId"> {
    /** Pages that may ask, such as `https://shop.example`. By default those of the host that the request names. */
    origins?: string[];
    /** Signs the cookie: by default the API key. After a change each visitor is a new one. */
    cookieSecret?: string | undefined;
}
export declare function chatToken(client: SupportAssistant, request: Request, { origins, cookieSecret, ...body }: Visitor, key: () => Promise<string>): Promise<Response>;
