import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

// Requests of each known visitor, and of the strangers and the known visitors of each address, in this minute.
const counts = new Map<string, number>();
let counted = 0;

function isOver(name: string, limit: number) {
  const minute = Math.floor(Date.now() / 60_000);
  if (minute !== counted) counts.clear();
  counted = minute;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count > limit;
}

export async function POST({ headers }: Request) {
  const { SUPPORT_API_URL, SUPPORT_API_KEY = "", PROXY_HOPS = "1" } = process.env;
  const host = headers.get("host");
  // Browsers name the origin of every POST.
  if (![`https://${host}`, `http://${host}`].includes(headers.get("origin") ?? "")) return new Response(null, { status: 403 });
  // A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
  const cookie = headers.get("cookie") ?? "";
  const found = /(?:^|; )chat_visitor=([0-9a-f-]{36})(?:\.([0-9a-f]{64}))?(?:;|$)/.exec(cookie);
  const visitor = found?.[1] ?? randomUUID();
  const signature = createHmac("sha256", SUPPORT_API_KEY).update(visitor).digest("hex");
  const isKnown = found?.[2] && timingSafeEqual(Buffer.from(found[2]), Buffer.from(signature));
  // Each proxy adds an address on the right. What stands before those is the visitor's claim.
  const addresses = (headers.get("x-forwarded-for") ?? "").split(",").filter(Boolean);
  const claimed = addresses[Math.max(0, addresses.length - Number(PROXY_HOPS))]?.trim() ?? "";
  // IPv6 counts by network, and no port does.
  const address = /^\[?(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}(?::[\da-f]{1,4}){0,3})/i.exec(claimed)?.[1];
  const isTooOften = isKnown ? isOver(visitor, 20) || isOver(`visitors of ${address}`, 200) : isOver(address, 20);
  if (isTooOften) return new Response(null, { status: 429, headers: { "retry-after": "60" } });
  try {
    const answer = await fetch(`${SUPPORT_API_URL}/auth/widget-token`, {
      method: "POST",
      headers: { authorization: `Bearer ${SUPPORT_API_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ externalUserId: `web_${visitor}` }),
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.status >= 500) throw new Error(`the API answered ${answer.status}`);
    const told = new Headers({ "content-type": "application/json", "cache-control": "no-store" });
    told.set("set-cookie", `chat_visitor=${visitor}.${signature}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000`);
    const retryAfter = answer.headers.get("retry-after");
    if (retryAfter) told.set("retry-after", retryAfter);
    return new Response(await answer.text(), { status: answer.status, headers: told });
  } catch (error) {
    console.error("no chat token:", error);
    return new Response(null, { status: 502 });
  }
}
