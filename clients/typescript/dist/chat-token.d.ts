import type { SupportAssistant } from "./client.js";
import type { WidgetTokenRequest } from "./generated.js";
export interface Visitor extends Omit<WidgetTokenRequest, "sessionId"> {
    /** Pages that may ask, such as `https://shop.example`. By default those of the host that the request names. */
    origins?: string[];
}
export declare function chatToken(client: SupportAssistant, request: Request, visitor?: Visitor): Promise<Response>;
