// The route of a shop's server that gives the chat its token: the key stays there, and the visitor comes from the
// shop's login, or from a cookie that only this route sets and reads, never from the request's body.

import type { SupportAssistant } from "./client.js";
import { ApiError, UnexpectedAnswerError } from "./errors.js";
import type { WidgetTokenRequest } from "./generated.js";

export interface Visitor extends Omit<WidgetTokenRequest, "sessionId"> {
  /** Pages that may ask, such as `https://shop.example`. By default those of the host that the request names. */
  origins?: string[];
}

export async function chatToken(client: SupportAssistant, request: Request, visitor: Visitor = {}): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const { origins, ...body } = visitor;
  const host = request.headers.get("host") ?? new URL(request.url).host;
  // Browsers name the origin of every POST.
  const origin = request.headers.get("origin") ?? "";
  if (!(origins ?? [`https://${host}`, `http://${host}`]).includes(origin)) return new Response(null, { status: 403 });
  const headers = new Headers({ "content-type": "application/json", "cache-control": "no-store" });
  if (!body.externalUserId) {
    const cookie = request.headers.get("cookie") ?? "";
    const id = /(?:^|; )chat_visitor=([0-9a-f-]{36})(?:[.;]|$)/.exec(cookie)?.[1] ?? crypto.randomUUID();
    headers.set("set-cookie", `chat_visitor=${id}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000`);
    body.externalUserId = `web_${id}`;
  }
  try {
    return new Response(JSON.stringify(await client.issueWidgetToken({ body }, { deadlineMs: 30_000 })), { headers });
  } catch (error) {
    const isRefusal = error instanceof ApiError && !(error instanceof UnexpectedAnswerError) && error.status < 500;
    if (!isRefusal) return new Response(null, { status: 502 });
    const { status, code, message, details, requestId, retryAfter } = error;
    if (retryAfter !== null) headers.set("retry-after", String(retryAfter));
    return new Response(JSON.stringify({ error: code, message, requestId, details }), { status, headers });
  }
}
