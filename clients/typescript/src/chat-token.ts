// The route of a shop's server that gives the chat its token: the key stays there, and the visitor comes from the
// shop's login, or from a cookie that only this route can sign, never from the request's body.

import type { SupportAssistant } from "./client.js";
import { ApiError, UnexpectedAnswerError } from "./errors.js";
import type { WidgetTokenRequest } from "./generated.js";

export interface Visitor extends Omit<WidgetTokenRequest, "sessionId"> {
  /** Pages that may ask, such as `https://shop.example`. By default those of the host that the request names. */
  origins?: string[];
  /** Signs the cookie: by default the API key. After a change each visitor is a new one. */
  cookieSecret?: string | undefined;
}

export async function chatToken(
  client: SupportAssistant,
  request: Request,
  { origins, cookieSecret, ...body }: Visitor,
  key: () => Promise<string>,
): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const host = request.headers.get("host") ?? new URL(request.url).host;
  // Browsers name the origin of every POST.
  const origin = request.headers.get("origin") ?? "";
  if (![origins ?? [`https://${host}`, `http://${host}`]].flat().includes(origin)) return new Response(null, { status: 403 });
  const headers = new Headers({ "content-type": "application/json", "cache-control": "no-store" });
  if (!body.externalUserId) {
    const value = await cookieOf(request.headers.get("cookie") ?? "", cookieSecret || (await key()));
    headers.set("set-cookie", `chat_visitor=${value}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000`);
    body.externalUserId = `web_${value.split(".")[0]}`;
  }
  try {
    return new Response(JSON.stringify(await client.issueWidgetToken({ body }, { deadlineMs: 30_000 })), { headers });
  } catch (error) {
    const isRefusal = error instanceof ApiError && !(error instanceof UnexpectedAnswerError) && error.status < 500;
    if (!isRefusal) return new Response(null, { status: 502 });
    const { status, code, apiMessage: message, details, requestId, retryAfter } = error;
    if (retryAfter !== null) headers.set("retry-after", String(retryAfter));
    return new Response(JSON.stringify({ error: code, message, requestId, details }), { status, headers });
  }
}

/** The first cookie that this secret signed, as the Python client does, or a new one: the id and its signature. */
async function cookieOf(cookies: string, secret: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
  for (const [, id = "", hex = ""] of cookies.matchAll(/(?:^|; ?)chat_visitor=([0-9a-f-]{36})\.([0-9a-f]{64})(?=;|$)/g)) {
    const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
    if (await crypto.subtle.verify("HMAC", key, signature, bytes(id))) return `${id}.${hex}`;
  }
  const id = crypto.randomUUID();
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(id)));
  return `${id}.${Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
