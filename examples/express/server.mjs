import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import express from "express";
import { ipKeyGenerator, rateLimit } from "express-rate-limit";

const { SUPPORT_API_URL, SUPPORT_API_KEY, PORT, PROXY_HOPS = "1" } = process.env;
const sign = (visitor) => createHmac("sha256", SUPPORT_API_KEY).update(visitor).digest("hex");
// Some proxies add a port. IPv6 counts by network.
const address = ({ ip }) => ipKeyGenerator(ip.replace(/^\[|\]:\d+$|(?<=^[\d.]+):\d+$/g, ""));
const visitorOrAddress = (request, { locals }) => (locals.isKnown ? locals.visitor : address(request));

function identify(request, response, next) {
  // Browsers name the origin of every POST.
  const host = request.get("host");
  if (![`https://${host}`, `http://${host}`].includes(request.get("origin"))) return response.sendStatus(403);
  // A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
  const found = /(?:^|; )chat_visitor=([0-9a-f-]{36})(?:\.([0-9a-f]{64}))?(?:;|$)/.exec(request.get("cookie"));
  const visitor = found?.[1] ?? randomUUID();
  const isKnown = found?.[2] && timingSafeEqual(Buffer.from(found[2]), Buffer.from(sign(visitor)));
  Object.assign(response.locals, { visitor, isKnown });
  next();
}

const app = express().set("trust proxy", Number(PROXY_HOPS));
app.post(
  "/support-chat/token",
  identify,
  rateLimit({ limit: 20, keyGenerator: visitorOrAddress }),
  rateLimit({ limit: 200, keyGenerator: address, skip: (_, { locals }) => !locals.isKnown }),
  async (_, response) => {
    const { visitor } = response.locals;
    try {
      const answer = await fetch(`${SUPPORT_API_URL}/auth/widget-token`, {
        method: "POST",
        headers: { authorization: `Bearer ${SUPPORT_API_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ externalUserId: `web_${visitor}` }),
        signal: AbortSignal.timeout(30_000),
      });
      if (answer.status >= 500) throw new Error(`the API answered ${answer.status}`);
      const [body, retryAfter] = [await answer.text(), answer.headers.get("retry-after")];
      const cookie = { httpOnly: true, secure: true, sameSite: "lax", maxAge: 365 * 24 * 60 * 60_000 };
      response.cookie("chat_visitor", `${visitor}.${sign(visitor)}`, cookie).set("cache-control", "no-store");
      if (retryAfter) response.set("retry-after", retryAfter);
      response.status(answer.status).type("json").send(body);
    } catch (error) {
      console.error("no chat token:", error);
      response.sendStatus(502);
    }
  },
);
app.listen(Number(PORT), "127.0.0.1");
