import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { test } from "node:test";

import { SupportAssistant, WebhookError, Webhooks } from "@support-assistant/client";

const { SUPPORT_API_URL: url, SUPPORT_API_KEY: key } = process.env;
const bytes = randomBytes(24);
const encoded = `whsec_${bytes.toString("base64")}`;
const body = JSON.stringify({ id: "evt_1", type: "message.created", data: { content: "Größe 42" } });

function signed(key, body, at = Math.floor(Date.now() / 1_000)) {
  const signature = createHmac("sha256", key).update(`evt_1.${at}.`).update(body).digest("base64");
  return { "webhook-id": "evt_1", "webhook-timestamp": String(at), "webhook-signature": `v1,AAAA v1,${signature}` };
}

test("a delivery is verified, as text or bytes, with the headers of fetch or of Node", () => {
  const webhooks = new Webhooks(encoded);
  const headers = signed(bytes, body);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const bodies of [body, Buffer.from(body), new TextEncoder().encode(body), new TextEncoder().encode(body).buffer]) {
    for (const given of [headers, upper, new Headers(headers), { ...headers, cookie: ["a", "b"], host: undefined }]) {
      assert.deepEqual(webhooks.verify(bodies, given), JSON.parse(body));
    }
  }
});

// The same as in the tests of the Python client: the service signs with these keys.
const KEYS = {
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": "31f290f6bf06298aab4f08d43c3f082cf648a362da2da4b0",
  "whsec_//////////////////////////////////////////8=": "f".repeat(64),
  MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw: Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").toString("hex"),
  "grün ✓ 🧺": "6772c3bc6e20e29c9320f09fa7ba",
  "ÿĀ": "c3bfc480",
};

test("a secret gives the key that the service signs with", () => {
  for (const [secret, hex] of Object.entries(KEYS)) {
    assert.equal(new Webhooks(secret).verify(body, signed(Buffer.from(hex, "hex"), body)).id, "evt_1", secret);
  }
});

test("what is no secret is refused, and not shown", () => {
  const short = Buffer.alloc(23).toString("base64");
  const long = Buffer.alloc(65).toString("base64");
  const wrong = ["whsec_!!!", "whsec_", `whsec_${short}`, `whsec_${long}`, `${encoded}\n`, ` ${encoded}`, encoded.replace("whsec", "WHSEC"), `whsec_${"A".repeat(33)}`];
  // Bits behind the end, the other alphabet, no padding.
  wrong.push("v1,abc", `whsec_${"A".repeat(33)}B==`, `whsec_${"_-".repeat(16)}`, `whsec_${"A".repeat(35)}`, `whsec_${"A".repeat(29)}===`);
  for (const secret of [undefined, null, "", 7, bytes, ...wrong]) {
    assert.throws(() => new Webhooks(secret), (error) => error instanceof TypeError && /whsec_ and base64/.test(error.message) && !error.message.includes("!!!"), String(secret));
  }
});

test("a secret that is no base64 counts by its bytes, also beyond ASCII, and if it looks like base64", () => {
  for (const secret of ["a secret of the shop", "ein Schlüssel für größere Läden ✓", bytes.toString("base64")]) {
    assert.equal(new Webhooks(secret).verify(body, signed(Buffer.from(secret), body)).type, "message.created");
    assert.throws(() => new Webhooks(`${secret}x`).verify(body, signed(Buffer.from(secret), body)), WebhookError);
  }
});

test("what is changed, old, of the future, unsigned or no event is refused", () => {
  const webhooks = new Webhooks(encoded);
  const now = Math.floor(Date.now() / 1_000);
  const refused = {
    changed: [body.replace("42", "43"), signed(bytes, body)],
    old: [body, signed(bytes, body, now - 400)],
    early: [body, signed(bytes, body, now + 400)],
    foreign: [body, signed(randomBytes(24), body)],
    unsigned: [body, {}],
    empty: ["", signed(bytes, "")],
    text: ['"x"', signed(bytes, '"x"')],
    broken: ["{", signed(bytes, "{")],
    latin: [Buffer.from(body, "latin1"), signed(bytes, Buffer.from(body, "latin1"))],
  };
  for (const [name, [given, headers]] of Object.entries(refused)) {
    assert.throws(() => webhooks.verify(given, headers), (error) => error instanceof WebhookError && !error.message.includes(encoded), name);
  }
});

test("a kind of a later service passes through", () => {
  const later = JSON.stringify({ id: "evt_2", type: "moon.risen", data: { full: true } });
  assert.deepEqual(new Webhooks(encoded).verify(later, signed(bytes, later)), JSON.parse(later));
});

test("what the service delivers is verified", { timeout: 60_000 }, async () => {
  const webhooks = new Webhooks(encoded);
  const support = new SupportAssistant({ url, key });
  let got;
  const first = new Promise((resolve) => (got = resolve));
  const receiver = createServer(async (request, response) => {
    const event = webhooks.verify(Buffer.concat(await request.toArray()), request.headers);
    response.writeHead(204).end();
    if (event.type === "message.created" && event.data.role === "ai") got(event);
  });
  await new Promise((listening) => receiver.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${receiver.address().port}/${Date.now()}`;
  const webhook = await support.createWebhook({ body: { url: address, events: ["message.created"], secret: encoded } });
  const { sessionId } = await support.createSession();
  const reply = await support.sendMessage({ id: sessionId, body: { content: "hello" } });
  const event = await first;
  assert.deepEqual([event.data.sessionId, event.data.messageId], [sessionId, reply.messageId]);
  await support.deleteWebhook({ id: webhook.webhookId });
  receiver.close();
});
