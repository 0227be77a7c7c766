import { Webhook } from "standardwebhooks";

import { WebhookError } from "./errors.js";
import type { Event } from "./generated.js";

type HeadersLike = Headers | Record<string, string | string[] | undefined>;

/** Verifies what the service delivers, by the secret that `createWebhook` got. */
export class Webhooks {
  readonly #webhook: Webhook;

  constructor(secret: string) {
    // The service decodes secrets with this prefix alone, and takes others by their UTF-8 bytes. The library would decode those, too.
    const isEncoded = secret.startsWith("whsec_");
    this.#webhook = isEncoded ? new Webhook(secret) : new Webhook(new TextEncoder().encode(secret), { format: "raw" });
  }

  /**
   * The event of a delivery; throws `WebhookError`. The body has to be as it came, before anything parses it.
   *
   * `type` says what `data` has. A later service sends kinds that are not in the union: ignore what you do not know.
   */
  verify(body: string | Uint8Array | ArrayBuffer, headers: HeadersLike): Event {
    try {
      const text = typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
      const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
      const event = this.#webhook.verify(text, Object.fromEntries(entries.map(([name, value]) => [name, String(value ?? "")])));
      if (typeof event !== "object" || event === null || !("type" in event)) throw new Error("the body is no event");
      return event as Event;
    } catch (cause) {
      throw new WebhookError(cause instanceof Error ? cause.message : "not verified", { cause });
    }
  }
}
