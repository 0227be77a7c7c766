import assert from "node:assert/strict";
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
  assert.match(cookie, /^chat_visitor=[0-9a-f-]{36}; HttpOnly; Secure; SameSite=Lax; Path=\//);
  const { externalUserId, token } = await first.json();
  const again = await (await ask({ cookie: `a=b; ${cookie.split(";")[0]}; c=d` })).json();
  assert.equal(again.externalUserId, externalUserId);
  const other = await (await ask({ cookie: "chat_visitor=short" })).json();
  assert.notEqual(other.externalUserId, externalUserId);
  const visitor = new SupportAssistant({ url, key: token });
  assert.equal((await visitor.createSession()).externalUserId, externalUserId);
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
});

test("what the API refuses is passed on, and a failure is 502", async () => {
  login = undefined;
  const refusal = { error: "RATE_LIMITED", message: "slower", requestId: "req_1", details: [] };
  proxy.next(says(429, refusal, { "retry-after": "50" }));
  const refused = await ask();
  assert.deepEqual([refused.status, refused.headers.get("retry-after"), (await refused.json()).error], [429, "50", "RATE_LIMITED"]);
  proxy.next(says(200, PAGE));
  assert.equal((await ask()).status, 502);
  const failure = says(500, refusal, { "retry-after": "50" });
  proxy.next(failure);
  assert.equal((await ask()).status, 502);
});
