import type { Event } from "./generated.js";
type HeadersLike = Headers | Record<string, string | string[] | undefined>;
/** Verifies what the service delivers, by the secret that `createWebhook` got. */
export declare class Webhooks {
    #private;
    constructor(secret: string);
    /**
     * The event of a delivery; throws `WebhookError`. The body has to be as it came, before anything parses it.
     *
     * `type` says what `data` has. A later service sends kinds that are not in the union: ignore what you do not know.
     */
    verify(body: string | Uint8Array | ArrayBuffer, headers: HeadersLike): Event;
}
export {};
