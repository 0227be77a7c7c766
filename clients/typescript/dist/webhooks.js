import { Webhook } from "standardwebhooks";
import { WebhookError } from "./errors.js";
/** Verifies what the service delivers, by the secret that `createWebhook` got. */
export class Webhooks {
    #webhook;
    constructor(secret) {
        // The service decodes secrets with this prefix alone, and takes others by their UTF-8 bytes. The library would
        // decode those, too.
        const bytes = new TextEncoder().encode(secret);
        this.#webhook = secret.startsWith("whsec_") ? new Webhook(secret) : new Webhook(bytes, { format: "raw" });
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
