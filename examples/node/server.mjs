import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { SUPPORT_API_URL, SUPPORT_API_KEY, PORT, PROXY_HOPS = "1" } = process.env;
// Requests of each known visitor, and of the strangers and the known visitors of each address, in this minute.
const counts = new Map();
setInterval(() => counts.clear(), 60_000);
const isOver = (name, limit) => counts.set(name, (counts.get(name) ?? 0) + 1).get(name) > limit;
const sign = (visitor) => createHmac("sha256", SUPPORT_API_KEY).update(visitor).digest("hex");

createServer(async (request, response) => {
  const { origin, host, cookie = "", "x-forwarded-for": forwarded = "" } = request.headers;
  if (request.method !== "POST") return response.writeHead(405).end();
  // Browsers name the origin of every POST.
  if (![`https://${host}`, `http://${host}`].includes(origin)) return response.writeHead(403).end();
  // A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
  const found = /(?:^|; )chat_visitor=([0-9a-f-]{36})(?:\.([0-9a-f]{64}))?(?:;|$)/.exec(cookie);
  const visitor = found?.[1] ?? randomUUID();
  const signature = sign(visitor);
  const isKnown = found?.[2] && timingSafeEqual(Buffer.from(found[2]), Buffer.from(signature));
  // Each proxy adds an address on the right. What stands before those is the visitor's claim.
  const addresses = [...forwarded.split(",").filter(Boolean), request.socket.remoteAddress];
  const claimed = addresses[Math.max(0, addresses.length - 1 - PROXY_HOPS)]?.trim();
  // IPv6 counts by network, and no port does.
  const address = /^\[?(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}(?::[\da-f]{1,4}){0,3})/i.exec(claimed)?.[1];
  const isTooOften = isKnown ? isOver(visitor, 20) || isOver(`visitors of ${address}`, 200) : isOver(address, 20);
  if (isTooOften) return response.writeHead(429, { "retry-after": "60" }).end();
  try {
    const answer = await fetch(`${SUPPORT_API_URL}/auth/widget-token`, {
      method: "POST",
      headers: { authorization: `Bearer ${SUPPORT_API_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ externalUserId: `web_${visitor}` }),
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.status >= 500) throw new Error(`the API answered ${answer.status}`);
    const body = await answer.text();
    const retryAfter = answer.headers.get("retry-after");
    response.writeHead(answer.status, {
      "content-type": "application/json",
      "cache-control": "no-store",
      "set-cookie": `chat_visitor=${visitor}.${signature}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000`,
      ...(retryAfter && { "retry-after": retryAfter }),
    });
    response.end(body);
  } catch (error) {
    console.error("no chat token:", error);
    response.writeHead(502).end();
  }
}).listen(Number(PORT), "127.0.0.1");
