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
