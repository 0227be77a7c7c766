// The promises of README.md, against a running service (SUPPORT_API_URL, SUPPORT_API_KEY) behind a proxy that fails as asked.

import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { inspect } from "node:util";

import { ApiError, ConnectionError, SupportAssistant, SupportError, TimeoutError, UnexpectedAnswerError, VERSION } from "@support-assistant/client";
import { DROP_AFTER, DROP_BEFORE, DROP_WITHIN, PAGE, late, says, startProxy } from "./proxy.mjs";

const { SUPPORT_API_URL: url, SUPPORT_API_KEY: key, OPENAPI } = process.env;
const run = Date.now().toString(36);
let proxy, support, session;

before(async () => {
  // Short waits; one test has its own.
  Math.random = () => 0.02;
  proxy = await startProxy(url);
  support = new SupportAssistant({ url: proxy.url, key });
  session = await support.createSession({ body: { externalUserId: "ann" } });
});
beforeEach(() => proxy.next());
after(() => proxy.stop());

const refusal = (error, details = []) => ({ error, message: "as asked", requestId: "req_1", details });
const failureOf = (call) => call.then((data) => assert.fail(`no failure, but ${JSON.stringify(data)}`), (error) => error);
const path = (name) => `client-${run}/${name}`;
const entry = (name) => support.createEntry({ body: { path: path(name), title: name, content: `A refund for ${name} takes eight days.` } });
async function countOf(id, content) {
  let count = 0;
  for await (const turn of support.listMessages.each({ id })) count += turn.content === content;
  return count;
}

test("a question is answered from the wiki, and its mistake is explained", async () => {
  const made = await entry(`typescript-${run}`);
  assert.equal((await support.getEntry({ path: made.path })).version, made.version);
  assert.equal(proxy.seen.at(-1).url, `/api/v1/wiki/${made.path}`);
  const reply = await support.sendMessage({ id: session.sessionId, body: { content: `How many days does a refund for typescript-${run} take?` } });
  assert.match(reply.answer, /eight days/);
  assert.equal(reply.sources[0].path, made.path);
  const error = await failureOf(support.sendMessage({ id: session.sessionId, body: { content: "" } }));
  assert.ok(error instanceof ApiError && error instanceof SupportError);
  assert.deepEqual([error.status, error.code, error.tries, error.maybeDone], [400, "VALIDATION_ERROR", 1, false]);
  assert.deepEqual(error.details.map(({ field, code }) => [field, code]), [["content", "TOO_SHORT"]]);
  assert.match(error.requestId, /^req_/);
});

test("every operation of the document has a call that sends what it takes", async () => {
  const { paths } = JSON.parse(readFileSync(OPENAPI));
  let count = 0;
  const sent = [];
  const recorder = new SupportAssistant({
    url: "https://service.test/api/v1/",
    key,
    fetch: async (url, init) => (sent.push([url, init]), new Response("{}")),
  });
  for (const [template, operations] of Object.entries(paths)) {
    for (const [method, { operationId, parameters, requestBody }] of Object.entries(operations)) {
      const wanted = new URL(`https://service.test/api/v1${template}`);
      const args = {};
      for (const { name, in: place } of parameters.filter((parameter) => parameter.in !== undefined)) {
        if (place === "path") args[name] = name === "path" ? "a b/c%" : "a/b";
        if (place === "query") args[name] = "ü&=1";
      }
      if (requestBody) args.body = { a: "ü" };
      await recorder[operationId](args);
      const [url, init] = sent.at(-1);
      const slashed = template.replace("{path}", "a%20b/c%25").replace(/\{\w+\}/g, "a%2Fb");
      assert.equal(new URL(url).pathname, `${wanted.pathname.slice(0, 7)}${slashed}`, operationId);
      const query = Object.entries(args).filter(([name]) => name !== "body" && !template.includes(`{${name}}`));
      assert.deepEqual([...new URL(url).searchParams], query, operationId);
      assert.equal(init.method, method.toUpperCase());
      assert.equal(init.body, requestBody ? '{"a":"ü"}' : null);
      assert.equal(init.headers.has("content-type"), Boolean(requestBody));
      assert.equal(init.headers.has("idempotency-key"), method === "post");
      assert.equal(init.headers.get("authorization"), `Bearer ${key}`);
      count++;
    }
  }
  assert.ok(count >= 100, `only ${count} operations`);
});

for (const [name, fault] of Object.entries({ DROP_BEFORE, DROP_AFTER, DROP_WITHIN, "502": says(502, PAGE), late: late(6_000) })) {
  test(`a message is stored once, whatever the connection does (${name})`, async () => {
    const content = `once ${name} ${run}`;
    proxy.next(fault);
    const reply = await support.sendMessage({ id: session.sessionId, body: { content } }, { timeoutMs: name === "late" ? 3_000 : 30_000 });
    assert.ok(reply.messageId);
    const [first, second, third] = proxy.seen;
    assert.ok(second && second.body.equals(first.body) && !third);
    assert.match(first.headers["idempotency-key"], /^[0-9a-f-]{36}$/);
    assert.equal(second.headers["idempotency-key"], first.headers["idempotency-key"]);
    assert.equal(await countOf(session.sessionId, content), 1);
  });
}

test("two calls are two things, and a caller's key makes them one", async () => {
  const content = `twice ${run}`;
  await support.sendMessage({ id: session.sessionId, body: { content } });
  await support.sendMessage({ id: session.sessionId, body: { content } });
  assert.equal(await countOf(session.sessionId, content), 2);
  const again = { idempotencyKey: `mine-${run}` };
  const one = await support.sendMessage.answer({ id: session.sessionId, body: { content: `mine ${run}` } }, again);
  const two = await support.sendMessage.answer({ id: session.sessionId, body: { content: `mine ${run}` } }, again);
  assert.equal(two.data.messageId, one.data.messageId);
  assert.deepEqual([one, two].map(({ headers }) => headers.get("idempotency-replayed")), [null, "true"]);
  const error = await failureOf(support.sendMessage({ id: session.sessionId, body: { content: "other" } }, again));
  assert.deepEqual([error.status, error.code, error.tries], [422, "IDEMPOTENCY_KEY_REUSED", 1]);
});

test("of many messages none is lost and none is stored twice, if a call that failed is made again with its key", async () => {
  const { sessionId: id } = await support.createSession({ body: {} });
  const kinds = [DROP_BEFORE, DROP_AFTER, DROP_WITHIN, says(502, PAGE), says(200, PAGE), says(429, ""), says(409, refusal("IDEMPOTENCY_IN_PROGRESS")), {}];
  let state = 7;
  const next = (of) => (state = (state * 48_271) % 2_147_483_647) % of;
  const contents = Array.from({ length: 25 }, (_, index) => `many ${index} ${run}`);
  let failed = 0;
  for (const content of contents) {
    for (let reply; !reply; ) {
      proxy.next(...Array.from({ length: next(5) }, () => kinds[next(kinds.length)]));
      reply = await support.sendMessage({ id, body: { content } }, { idempotencyKey: content }).catch((error) => {
        assert.ok(error instanceof SupportError, error);
        failed++;
      });
    }
  }
  proxy.next();
  const stored = [];
  for await (const { role, content } of support.listMessages.each({ id, limit: 7 })) if (role === "customer") stored.push(content);
  assert.deepEqual(stored, contents);
  assert.ok(failed > 3, `${failed} calls failed`);
});

test("three tries are made on what may pass, and one on what will not", async () => {
  const passing = [...[408, 429, 500, 502, 503, 504].map((status) => [status, "SERVICE_UNAVAILABLE"]), [409, "IDEMPOTENCY_IN_PROGRESS"]];
  for (const [status, code] of passing) {
    const fault = says(status, refusal(code));
    proxy.next(fault, fault, fault, fault);
    const error = await failureOf(support.createSession({ body: {} }));
    assert.deepEqual([error.status, error.code, error.tries, proxy.seen.length], [status, code, 3, 3]);
    assert.equal(new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"])).size, 1);
    assert.equal(error.maybeDone, status !== 429);
  }
  for (const retries of [0, 1, 4]) {
    proxy.next(...Array(5).fill(says(503, PAGE)));
    assert.equal((await failureOf(support.getHealth({}, { retries }))).tries, retries + 1);
    proxy.next(...Array(5).fill(says(503, PAGE)));
    assert.equal((await failureOf(new SupportAssistant({ url: proxy.url, key, retries }).getHealth())).tries, retries + 1);
  }
  for (const [status, code] of [[400, "VALIDATION_ERROR"], [401, "UNAUTHORIZED"], [403, "FORBIDDEN"], [409, "CONFLICT"], [410, "RESUME_WINDOW_EXPIRED"], [501, "NONE"]]) {
    proxy.next(says(status, refusal(code)));
    const error = await failureOf(support.createSession({ body: {} }));
    assert.deepEqual([error.status, error.code, error.tries, proxy.seen.length], [status, code, 1, 1]);
  }
});

test("no try is made before Retry-After, which is seconds or a date", async () => {
  proxy.next(says(429, refusal("RATE_LIMITED"), { "retry-after": "2" }));
  await support.getSession({ id: session.sessionId });
  assert.ok(proxy.seen[1].at - proxy.seen[0].at >= 1_990);
  // The proxy's clock is an hour behind.
  const now = Date.now() - 3_600_000;
  const dates = { date: new Date(now).toUTCString(), "retry-after": new Date(now + 2_000).toUTCString() };
  proxy.next(says(503, refusal("SERVICE_UNAVAILABLE"), dates));
  await support.getSession({ id: session.sessionId });
  assert.ok(proxy.seen[1].at - proxy.seen[0].at >= 1_990);
});

test("a Retry-After beyond the deadline fails at once, with the answer", async () => {
  const began = performance.now();
  proxy.next(says(429, refusal("RATE_LIMITED"), { "retry-after": "3600" }));
  const error = await failureOf(support.createSession({ body: {} }));
  assert.deepEqual([error.status, error.code, error.retryAfter, error.tries], [429, "RATE_LIMITED", 3_600, 1]);
  proxy.next(says(429, { message: "Too Many Requests" }, { "retry-after": "90" }));
  const gateways = await failureOf(support.createSession({ body: {} }));
  assert.deepEqual([gateways.name, gateways.status, gateways.retryAfter], ["UnexpectedAnswerError", 429, 90]);
  assert.ok(performance.now() - began < 20_000);
});

test("a Retry-After is seconds or a date, and a strange one is none", async () => {
  const cases = [["0", 0], ["-5", null], ["1.5", null], ["soon", null], ["", null], ["9".repeat(400), 2_147_483], ["Mon, 01 Jan 1990 00:00:00 GMT", 0]];
  for (const [told, wanted] of cases) {
    proxy.next(says(429, refusal("RATE_LIMITED"), { "retry-after": told }));
    assert.equal((await failureOf(support.getHealth({}, { retries: 0 }))).retryAfter, wanted, told);
  }
});

test("an error's message names the fields and the request, and has a hint if the address is short", async () => {
  const { message, apiMessage } = await failureOf(support.listSessions({ limit: 0 }, { requestId: `named-${run}` }));
  assert.equal(message, `400 VALIDATION_ERROR: ${apiMessage}; limit: must be between 1 and 100 (request named-${run})`);
  proxy.next(says(409, refusal("CONFLICT", [{ code: "X", message: "no" }])));
  assert.equal((await failureOf(support.createSession())).message, "409 CONFLICT: as asked; no");
  proxy.next(says(502, PAGE, { "x-request-id": "req_7" }));
  assert.match((await failureOf(support.getHealth({}, { retries: 0 }))).message, /^502, not from the API: .*\(request req_7\)$/);
  const short = new SupportAssistant({ url: ` ${proxy.url.replace("/api/v1", "")}/\n`, key });
  assert.match((await failureOf(short.getSession({ id: "ses_1" }))).message, /; the `url` has no \/api\/v1 \(request /);
  assert.doesNotMatch((await failureOf(support.getSession({ id: "ses_1" }))).message, /has no/);
  proxy.next(says(404, { message: "Not Found" }));
  assert.equal((await failureOf(short.getHealth())).message, '404, not from the API: {"message":"Not Found"}; the `url` has no /api/v1');
});

test("an answer without a body, or with another error, is none of the API if nothing asked for it", async () => {
  const gateways = [says(400, { error: "no" }), says(400, { error: "no", message: "no", details: null })];
  for (const fault of [says(204), says(304), ...gateways]) {
    proxy.next(fault);
    assert.ok((await failureOf(support.createSession())) instanceof UnexpectedAnswerError);
  }
});

test("what is no answer of the API is told with its status and its beginning", async () => {
  const cases = [[502, PAGE, 3], [502, "", 3], [200, PAGE, 1], [200, "", 1], [200, '{"sessionId": "se', 1], [200, '["x"]', 1], [404, PAGE, 1], [302, "", 1]];
  for (const [status, body, tries] of cases) {
    const fault = says(status, body, status === 302 ? { location: "/elsewhere" } : { "content-type": "text/html" });
    proxy.next(fault, fault, fault);
    const error = await failureOf(support.createSession({ body: {} }));
    assert.ok(error instanceof UnexpectedAnswerError && error instanceof ApiError, error);
    assert.deepEqual([error.status, error.body, error.tries], [status, body, tries]);
    assert.equal(proxy.seen.length, tries);
    assert.ok(error.message.includes(body ? body.slice(0, 20) : "empty body"), error.message);
    assert.equal(error.maybeDone, status !== 404);
  }
  proxy.next(says(400, "x".repeat(5_000)));
  assert.equal((await failureOf(support.getHealth())).body.length, 200);
});

test("a connection error and a time-out have their classes", async () => {
  proxy.next(DROP_BEFORE, DROP_BEFORE, DROP_BEFORE);
  const lost = await failureOf(support.createSession({ body: {} }));
  assert.ok(lost instanceof ConnectionError && !(lost instanceof TimeoutError) && lost.cause);
  assert.deepEqual([lost.tries, lost.maybeDone], [3, true]);
  proxy.next(late(2_000), late(2_000), late(2_000));
  const slow = await failureOf(support.getSession({ id: session.sessionId }, { timeoutMs: 100 }));
  assert.ok(slow instanceof TimeoutError && slow instanceof ConnectionError);
  assert.deepEqual([slow.tries, slow.maybeDone], [3, false]);
  proxy.next(late(2_000));
  const over = await failureOf(new SupportAssistant({ url: proxy.url, key, deadlineMs: 300 }).getHealth());
  assert.ok(over instanceof TimeoutError);
  const nobody = new SupportAssistant({ url: "http://127.0.0.1:9/api/v1", key, deadlineMs: 5_000 });
  assert.equal((await failureOf(nobody.getHealth())).name, "ConnectionError");
});

test("the caller ends a call, also while it waits", async () => {
  const reason = new Error("not needed any more");
  for (const fault of [late(30_000), says(429, refusal("RATE_LIMITED"), { "retry-after": "30" })]) {
    proxy.next(fault);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 200);
    const began = performance.now();
    assert.equal(await failureOf(support.getHealth({}, { signal: controller.signal })), reason);
    assert.ok(performance.now() - began < 15_000);
    assert.equal(proxy.seen.length, 1);
    assert.equal(getEventListeners(controller.signal, "abort").length, 0);
  }
  assert.equal(await failureOf(support.getHealth({}, { signal: AbortSignal.abort(reason) })), reason);
  // The signal has ended when the wait begins.
  const controller = new AbortController();
  const fetch = async () => (controller.abort(reason), { status: 429, headers: new Headers({ "retry-after": "9" }), text: async () => "" });
  const began = performance.now();
  assert.equal(await failureOf(new SupportAssistant({ url, key, fetch }).getHealth({}, { signal: controller.signal })), reason);
  assert.ok(performance.now() - began < 5_000);
  const lasting = new AbortController();
  await support.getHealth({}, { signal: lasting.signal, timeoutMs: Infinity, deadlineMs: Infinity });
  assert.equal(getEventListeners(lasting.signal, "abort").length, 0);
});

test("a PATCH is sent again only if the first did nothing, or cannot be done twice", async () => {
  const made = await entry(`patched-${run}`);
  const change = (title, options) => support.updateEntry({ path: made.path, body: { title } }, options);
  proxy.next(DROP_BEFORE);
  const lost = await failureOf(change("one"));
  assert.deepEqual([lost.name, lost.tries, lost.maybeDone], ["ConnectionError", 1, true]);
  for (const status of [408, 500, 502, 504]) {
    proxy.next(says(status, PAGE));
    assert.equal((await failureOf(change("two"))).tries, 1, status);
  }
  for (const status of [429, 503]) {
    proxy.next(says(status, PAGE));
    assert.equal((await change(`three ${status}`)).title, `three ${status}`);
  }
  const { etag, data } = await support.getEntry.answer({ path: made.path });
  proxy.next(DROP_BEFORE);
  const changed = await change("four", { ifMatch: etag });
  assert.deepEqual([changed.title, changed.version], ["four", data.version + 1]);
  const now = await support.getEntry.answer({ path: made.path });
  proxy.next(DROP_AFTER);
  const told = await failureOf(change("five", { ifMatch: now.etag }));
  assert.deepEqual([told.status, told.tries, told.maybeDone], [412, 2, true]);
  assert.deepEqual([(await support.getEntry({ path: made.path })).title, (await support.getEntry({ path: made.path })).version], ["five", changed.version + 1]);
  const plain = await failureOf(change("six", { ifMatch: now.etag }));
  assert.deepEqual([plain.status, plain.tries, plain.maybeDone], [412, 1, false]);
});

test("a DELETE whose reply was lost is done", async () => {
  for (const [name, fault] of Object.entries({ after: DROP_AFTER, gateway: says(504, PAGE), before: DROP_BEFORE })) {
    const { path } = await entry(`deleted-${name}-${run}`);
    if (name === "gateway") await support.deleteEntry({ path });
    proxy.next(fault);
    assert.equal(await support.deleteEntry({ path }), undefined);
    assert.equal(proxy.seen.length, 2);
    assert.equal((await failureOf(support.getEntry({ path }))).status, 404);
  }
  // Nothing says that the first try did it.
  proxy.next(says(429, refusal("RATE_LIMITED")));
  const error = await failureOf(support.deleteEntry({ path: path(`none-${run}`) }));
  assert.deepEqual([error.status, error.tries], [404, 2]);
  assert.equal((await failureOf(support.deleteEntry({ path: path(`none-${run}`) }))).tries, 1);
});

test("a list of cursors gives every item, and goes on after an empty page", async () => {
  const made = [];
  for (let index = 0; index < 5; index++) made.push((await support.createSession({ body: { externalUserId: `lists-${run}` } })).sessionId);
  const listed = [];
  for await (const { sessionId } of support.listSessions.each({ externalUserId: `lists-${run}`, limit: 2 })) listed.push(sessionId);
  assert.deepEqual(listed.sort(), made.sort());
  assert.equal(proxy.seen.filter(({ url }) => url.includes("limit=2") && url.includes(`lists-${run}`)).length, 3);

  const page = (items, nextCursor) => says(200, { items, nextCursor, hasMore: nextCursor !== null });
  proxy.next(page([1], "a"), page([], "b"), says(503, PAGE), page([2, 3], null), page([4], null));
  const numbers = [];
  for await (const number of support.listSessions.each({ ownership: "ai" })) numbers.push(number);
  assert.deepEqual([numbers, proxy.left()], [[1, 2, 3], 1]);
  assert.deepEqual(proxy.seen.map(({ url }) => new URL(url, proxy.url).searchParams.toString()), [
    "ownership=ai", "ownership=ai&cursor=a", "ownership=ai&cursor=b", "ownership=ai&cursor=b",
  ]);
});

test("the turns after a message are read to the end", async () => {
  const { sessionId: id } = await support.createSession({ body: {} });
  for (const content of ["hello", "thank you", "bye"]) await support.sendMessage({ id, body: { content } });
  const all = await support.listMessages({ id });
  const read = [];
  for await (const { messageId } of support.listMessages.each({ id, after: all.items[0].messageId, limit: 2 })) read.push(messageId);
  assert.deepEqual(read, all.items.slice(1).map(({ messageId }) => messageId));
});

test("a list of pages gives every item, and ends where the service shows no more", async () => {
  for (const name of ["a", "b", "c"]) await entry(`paged-${name}`);
  const found = [];
  for await (const { path } of support.listEntries.each({ pathPrefix: `client-${run}/paged-a`, limit: 1 })) found.push(path);
  for await (const { path } of support.listEntries.each({ pathPrefix: `client-${run}`, limit: 2 })) found.push(path);
  assert.ok(found.length > 4 && new Set(found.slice(1)).size === found.length - 1, found.join());

  const page = (page, hasMore = true) => says(200, { items: [page], page, limit: 100, total: 10_000, totalCapped: true, hasMore });
  proxy.next(page(98), page(99), page(100), page(101, false));
  const numbers = [];
  for await (const number of support.listEntries.each({ page: 98, limit: 100 })) numbers.push(number);
  assert.deepEqual([numbers, proxy.left()], [[98, 99, 100], 1]);
});

test("a failure ends a list, after the items before it", async () => {
  proxy.next(says(200, { items: [1], nextCursor: "a", hasMore: true }), says(400, refusal("VALIDATION_ERROR")));
  const numbers = [];
  const error = await failureOf((async () => {
    for await (const number of support.listSessions.each()) numbers.push(number);
  })());
  assert.deepEqual([numbers, error.code], [[1], "VALIDATION_ERROR"]);
});

test("an answer that is known already is 304, and no error", async () => {
  const { etag, data, status } = await support.getSession.answer({ id: session.sessionId });
  assert.deepEqual([status, data.sessionId], [200, session.sessionId]);
  const again = await support.getSession.answer({ id: session.sessionId }, { ifNoneMatch: etag });
  assert.deepEqual([again.status, again.data], [304, undefined]);
  await support.sendMessage({ id: session.sessionId, body: { content: "hello" } });
  assert.equal((await support.getSession.answer({ id: session.sessionId }, { ifNoneMatch: etag })).status, 200);
});

test("words and fields of a later service are given on", async () => {
  proxy.next(says(200, { ...session, ownership: "of_a_later_version", mood: { good: true } }));
  const later = await support.getSession({ id: session.sessionId });
  assert.deepEqual([later.ownership, later.mood], ["of_a_later_version", { good: true }]);
  proxy.next(says(409, refusal("OF_A_LATER_VERSION", [{ code: "NEW", message: "x" }])));
  const error = await failureOf(support.createSession({ body: {} }));
  assert.deepEqual([error.code, error.details[0].code], ["OF_A_LATER_VERSION", "NEW"]);
});

test("no argument leads to another operation", async () => {
  for (const id of ["", ".", "..", undefined]) await assert.rejects(support.deleteSession({ id }), TypeError);
  for (const path of ["a/../../sessions", "a//b", "/a", "a/."]) await assert.rejects(support.deleteEntry({ path }), TypeError);
  assert.equal(proxy.seen.length, 0);
  await assert.rejects(support.getSession({ id: "../settings?x#y" }), { status: 404 });
  assert.equal(proxy.seen[0].url, "/api/v1/sessions/..%2Fsettings%3Fx%23y");
});

test("a redirection is not followed, so the key goes nowhere else", async () => {
  let followed = 0;
  const other = createServer((_, response) => (followed++, response.end())).listen(0, "127.0.0.1");
  await once(other, "listening");
  for (const status of [301, 307]) {
    proxy.next(says(status, "", { location: `http://127.0.0.1:${other.address().port}/` }));
    assert.equal((await failureOf(support.createSession({ body: {} }))).status, status);
  }
  other.close();
  assert.equal(followed, 0);
});

test("the key is in no error, and in nothing that is printed", async () => {
  const told = [];
  // Answers that show the request's headers, as some proxies do; the second cuts the key where the beginning ends.
  const echo = (status, before) => ({ status, body: ({ headers }) => before + JSON.stringify(headers), headers: {} });
  const shown = ({ headers }) => JSON.stringify(refusal(headers.authorization));
  for (const fault of [echo(400, "<"), echo(400, "<".padEnd(100)), echo(200, "<"), { status: 400, body: shown, headers: {} }]) {
    proxy.next(fault);
    told.push(await failureOf(support.createSession({ body: {} })));
  }
  assert.match(told[0].body, /Bearer \*\*\*/);
  proxy.next(DROP_BEFORE, DROP_BEFORE, DROP_BEFORE);
  told.push(await failureOf(support.getHealth()));
  for (const bad of [`${key}\n${key}`, `${key}ü`, `${key} ${key}`]) {
    told.push(await failureOf(new SupportAssistant({ url: proxy.url, key: bad }).getHealth()));
    assert.ok(told.at(-1) instanceof TypeError);
  }
  assert.throws(() => new SupportAssistant({ url: `http://user:${key}@127.0.0.1`, key }), (error) => told.push(error) > 0);
  told.push(support, support.getHealth);
  for (const each of told) {
    const text = inspect(each, { depth: 9, showHidden: true }) + String(each) + JSON.stringify(each) + (each.stack ?? "");
    assert.ok(!text.includes(key) && !text.includes(key.slice(0, 20)), text.replaceAll(key, "KEY"));
  }
});

test("a key that was read from a file may end in a line break, and a key may come late", async () => {
  assert.equal((await new SupportAssistant({ url: proxy.url, key: `${key}\n` }).getSession({ id: session.sessionId })).sessionId, session.sessionId);
  const late = new SupportAssistant({ url: `${proxy.url}/`, key: async () => key });
  assert.equal((await late.getSession({ id: session.sessionId })).sessionId, session.sessionId);
  assert.throws(() => new SupportAssistant({ url: proxy.url }), /`key` is missing/);
  for (const url of [undefined, "ftp://x", "http://x/api/v1?a=b", "http://x/api v1", "http://x:99999/api/v1"]) {
    assert.throws(() => new SupportAssistant({ url, key }), /`url` is not the address/);
  }
});

test("requests name the client, their caller and their id", async () => {
  const named = new SupportAssistant({ url: proxy.url, key, userAgent: "shop/2.0" });
  assert.equal((await named.getHealth.answer({}, { requestId: `mine-${run}` })).requestId, `mine-${run}`);
  const { headers } = proxy.seen[0];
  assert.deepEqual([headers["user-agent"], headers["x-request-id"]], [`shop/2.0 support-assistant-ts/${VERSION}`, `mine-${run}`]);
  assert.equal(VERSION, JSON.parse(readFileSync(new URL("../node_modules/@support-assistant/client/package.json", import.meta.url))).version);
});

test("an empty filter is sent, and so refused, in the place of all items", async () => {
  assert.equal((await failureOf(support.listSessions({ tag: "" }))).code, "VALIDATION_ERROR");
});
