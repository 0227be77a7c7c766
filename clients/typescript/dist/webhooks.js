import { Webhook } from "standardwebhooks";
import { WebhookError } from "./errors.js";
/** Verifies what the service delivers, by the secret that `createWebhook` got. */
export class Webhooks {
    #webhook;
    constructor(secret) {
        this.#webhook = new Webhook(keyOf(secret), { format: "raw" });
    }
    /**
     * The event of a delivery; throws `WebhookError`. The body has to be as it came, before anything parses it.
     *
     * `type` says what `data` has. A later service sends kinds that are not in the union: ignore what you do not know.
     */
    verify(body, headers) {
        try {
            const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
            const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
            const texts = entries.map(([name, value]) => [name, String(value ?? "")]);
            const event = this.#webhook.verify(text, Object.fromEntries(texts));
            if (typeof event !== "object" || event === null || !("type" in event))
                throw new Error("the body is no event");
            return event;
        }
        catch (cause) {
            throw new WebhookError(cause instanceof Error ? cause.message : "not verified", { cause });
        }
    }
}
/** The key of a secret, as the service has it: the library takes more for base64, and gives others other bytes. */
function keyOf(secret) {
    const text = typeof secret === "string" ? secret : "";
    if (text && !/^\s*(whsec_|v1,)/i.test(text))
        return new TextEncoder().encode(text);
    const base64 = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/.exec(text)?.[1] ?? "";
    const key = base64.length % 4 === 0 ? atob(base64) : "";
    if (key.length >= 24 && key.length <= 64 && btoa(key) === base64)
        return Uint8Array.from(key, (byte) => byte.charCodeAt(0));
    throw new TypeError("the secret is neither whsec_ and base64 of 24 to 64 bytes, nor a text that begins with neither whsec_ nor v1,");
}
