// The client: one method for each operation of the table in `generated.ts`.

import type { Answer, CallOptions, HeaderOption } from "./call.js";
import { chatToken, type Visitor } from "./chat-token.js";
import { OPERATIONS, type Operations } from "./generated.js";
import { send } from "./transport.js";

export const VERSION = "0.1.0";

export interface ClientOptions extends Pick<CallOptions, "timeoutMs" | "deadlineMs" | "retries"> {
  /** The service's address with `/api/v1`. */
  url: string;
  /** An API key; or what gives the token of each call. */
  key: string | (() => string | Promise<string>);
  /** Sends the requests in the place of the global `fetch`. */
  fetch?: typeof fetch;
  /** Names your program in `User-Agent`. */
  userAgent?: string;
}

type Args = Record<string, unknown>;
type Options = CallOptions & { [option in HeaderOption]?: string | undefined };
type Page = { items: unknown[]; hasMore: boolean; nextCursor?: string | null; page?: number; limit?: number };

/** The deepest item that a list of pages shows. */
const MOST_PAGED = 10_000;

export interface SupportAssistant extends Operations {}

export class SupportAssistant {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = { ...options, url: String(options.url).trim().replace(/\/+$/, "") };
    const isAddress = /^https?:\/\/[^@?#\s]+$/.test(this.#options.url) && URL.canParse(this.#options.url);
    if (!isAddress) throw new TypeError("`url` is not the address of the service");
    if (!options.key) throw new TypeError("`key` is missing");
    for (const [name, line] of Object.entries(OPERATIONS)) {
      const answer = (args: Args = {}, options: Options = {}) => this.#answer(line, args, options);
      const data = async (args?: Args, options?: Options) => (await answer(args, options)).data;
      const each = (args?: Args, options?: Options) => items((args) => data(args, options) as Promise<Page>, args);
      Object.defineProperty(this, name, { value: Object.assign(data, { answer, each }), writable: true });
    }
  }

  /** Answers the route of your server that gives the chat its token; see the README. */
  chatToken(request: globalThis.Request, visitor: Visitor = {}): Promise<Response> {
    return chatToken(this, request, visitor, () => this.#secret());
  }

  async #secret(): Promise<string> {
    const { key } = this.#options;
    const secret = (typeof key === "string" ? key : await key()).trim();
    // `fetch` would show the whole value of a header that it refuses.
    if (!/^[!-~]*$/.test(secret)) throw new TypeError("`key` has characters that no key has");
    return secret;
  }

  async #answer(line: string, args: Args, options: Options): Promise<Answer<unknown>> {
    const { url, userAgent } = this.#options;
    const [method = "", template = "", isVoid] = line.split(" ");
    const { body, ...query } = args;
    const path = template.replace(/\{(\w+)(\+?)\}/g, (_, name: string, plus: string) => {
      const segments = plus ? String(query[name] ?? "").split("/") : [String(query[name] ?? "")];
      delete query[name];
      // The parser of addresses would take such a segment out, and the call would reach something else.
      if (segments.some((each) => ["", ".", ".."].includes(each))) throw new TypeError(`\`${name}\` names nothing`);
      return segments.map(encodeURIComponent).join("/");
    });
    const search = String(new URLSearchParams(filled(query)));
    const secret = await this.#secret();
    const headers = {
      accept: "application/json",
      authorization: secret ? `Bearer ${secret}` : undefined,
      "content-type": body === undefined ? undefined : "application/json",
      "idempotency-key": options.idempotencyKey ?? (method === "POST" ? crypto.randomUUID() : undefined),
      "if-match": options.ifMatch,
      "if-none-match": options.ifNoneMatch,
      "x-request-id": options.requestId,
      // A page may not set it without leave of the service.
      "user-agent": "document" in globalThis ? undefined : `${userAgent ?? ""} support-assistant-ts/${VERSION}`.trim(),
    };
    return send(
      {
        method,
        url: `${url}${path}${search ? `?${search}` : ""}`,
        headers: new Headers(filled(headers)),
        body: body === undefined ? null : JSON.stringify(body),
        isVoid: isVoid === "void",
        secret,
        fetch: this.#options.fetch ?? ((...input) => globalThis.fetch(...input)),
      },
      { ...this.#options, ...options },
    );
  }
}

/** What is given, as texts. */
function filled(given: Args): [string, string][] {
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

/** An empty page is not the last one. */
async function* items(read: (args: Args) => Promise<Page>, args: Args = {}): AsyncGenerator<unknown, void, undefined> {
  for (let next = args; ; ) {
    const { items, hasMore, nextCursor, page, limit = 1 } = await read(next);
    yield* items;
    if (!hasMore) return;
    if (page !== undefined && (page + 1) * limit <= MOST_PAGED) next = { ...args, page: page + 1 };
    // The list of messages refuses both.
    else if (nextCursor) next = { ...args, after: undefined, cursor: nextCursor };
    else return;
  }
}
