import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { SupportAssistant } from "@support-assistant/client";
import { PAGE, says, startProxy } from "./proxy.mjs";

const { SUPPORT_API_URL: url, SUPPORT_API_KEY: key } = process.env;
let proxy, support, shop, login;

before(async () => {
  proxy = await startProxy(url);
  support = new SupportAssistant({ url: proxy.url, key });
  // As in README.md.
  shop = createServer(async (request, response) => {
    const { method, headers, url } = request;
    const answer = await support.chatToken(new Request(`http://${headers.host}${url}`, { method, headers }), login);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise((listening) => shop.listen(0, "127.0.0.1", listening));
});
after(() => (shop.close(), proxy.stop()));

function ask(headers = {}, method = "POST") {
  const address = `http://127.0.0.1:${shop.address().port}`;
  return fetch(`${address}/support-chat/token`, { method, headers: { origin: address, ...headers } });
}

test("a stranger gets a token and a cookie, and is the same visitor with it", async () => {
  login = undefined;
  const first = await ask();
  assert.deepEqual([first.status, first.headers.get("cache-control")], [200, "no-store"]);
  const cookie = first.headers.get("set-cookie");
  assert.match(cookie, /^chat_visitor=[0-9a-f-]{36}\.[0-9a-f]{64}; HttpOnly; Secure; SameSite=Lax; Path=\//);
  const { externalUserId, token } = await first.json();
  const again = await (await ask({ cookie: `a=b; ${cookie.split(";")[0]}; c=d` })).json();
  assert.equal(again.externalUserId, externalUserId);
  const other = await (await ask({ cookie: "chat_visitor=short" })).json();
  assert.notEqual(other.externalUserId, externalUserId);
  const visitor = new SupportAssistant({ url, key: token });
  assert.equal((await visitor.createSession()).externalUserId, externalUserId);
});

// The same as in the tests of the Python client.
const ID = "3a1f4a34-0000-4000-8000-000000000000";
const SIGNED = {
  pk_live_of_another_client: "dbd8f6652b6e65d638a1153c049637dee63f53cbcdd40e09994ed7c73bdc46f7",
  "ein Schlüssel ✓": "fd553aa789461fcb957c931138019195289793108321ed01bf3b3299ad37b754",
};

test("a cookie of the Python client is taken, and one that is forged or of another secret is not", async () => {
  const idOf = async (cookie) => (await (await ask({ cookie })).json()).externalUserId;
  for (const [cookieSecret, signature] of Object.entries(SIGNED)) {
    login = { cookieSecret };
    const good = `chat_visitor=${ID}.${signature}`;
    const forged = `chat_visitor=${ID}.${"0".repeat(64)}`;
    for (const cookie of [good, `${forged}; ${good}; ${forged}`, `a=${"b".repeat(8_000)};${good}`]) assert.equal(await idOf(cookie), `web_${ID}`);
    for (const cookie of [forged, `chat_visitor=${ID}`, `x${good}`, `${good}0`, `${forged}; `.repeat(70)]) assert.notEqual(await idOf(cookie), `web_${ID}`);
    login = { cookieSecret: "another" };
    assert.notEqual(await idOf(good), `web_${ID}`);
  }
  // The API key, if no secret is given.
  login = { cookieSecret: "" };
  assert.equal(await idOf(`chat_visitor=${ID}.${createHmac("sha256", key).update(ID).digest("hex")}`), `web_${ID}`);
});

test("who has signed in is the visitor, and gets no cookie", async () => {
  login = { externalUserId: "customer-7", user: { name: "Ann" } };
  const answer = await ask({ cookie: "chat_visitor=3a1f4a34-0000-4000-8000-000000000000" });
  assert.equal(answer.headers.get("set-cookie"), null);
  assert.equal((await answer.json()).externalUserId, "customer-7");
});

test("another page, and another method, get nothing", async () => {
  login = undefined;
  proxy.next();
  assert.equal((await ask({ origin: "https://evil.example" })).status, 403);
  assert.equal((await ask({}, "GET")).status, 405);
  assert.equal(proxy.seen.length, 0);
  login = { origins: ["https://shop.example"] };
  assert.deepEqual([(await ask()).status, (await ask({ origin: "https://shop.example" })).status], [403, 200]);
  login = { origins: "https://shop.example" };
  assert.equal((await ask({ origin: "https://shop.ex" })).status, 403);
});

test("what the API refuses is passed on, and a failure is 502", async () => {
  login = undefined;
  const refusal = { error: "RATE_LIMITED", message: "slower", requestId: "req_1", details: [{ field: "user", code: "X", message: "no" }] };
  proxy.next(says(429, refusal, { "retry-after": "50", "x-request-id": "req_1" }));
  const refused = await ask();
  assert.deepEqual([refused.status, refused.headers.get("retry-after"), await refused.json()], [429, "50", refusal]);
  proxy.next(says(200, PAGE));
  assert.equal((await ask()).status, 502);
  const failure = says(500, refusal, { "retry-after": "50" });
  proxy.next(failure);
  assert.equal((await ask()).status, 502);
});
