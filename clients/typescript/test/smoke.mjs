// The client where there is nothing of Node: run by Node, Deno and Bun as they are, and by Workers as a bundle.

import { ApiError, SupportAssistant, WebhookError, Webhooks } from "@support-assistant/client";

function check(holds, told) {
  if (!holds) throw new Error(`failed: ${JSON.stringify(told)}`);
}

export async function smoke({ SUPPORT_API_URL: url, SUPPORT_API_KEY: key }) {
  const broken = [];
  const support = new SupportAssistant({
    url,
    key,
    // The first reply is lost, after the service gave it.
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (broken.push(response.status) > 1) return response;
      await response.arrayBuffer();
      throw new TypeError("the connection was lost");
    },
  });
  const session = await support.createSession({ body: { externalUserId: "ann" } });
  check(broken.length === 2 && session.externalUserId === "ann", [broken, session]);
  const reply = await support.sendMessage({ id: session.sessionId, body: { content: "hello" } });
  const turns = [];
  for await (const turn of support.listMessages.each({ id: session.sessionId, limit: 1 })) turns.push(turn.messageId);
  check(turns.length === 2 && turns.includes(reply.messageId), turns);
  const { etag } = await support.getSession.answer({ id: session.sessionId });
  const again = await support.getSession.answer({ id: session.sessionId }, { ifNoneMatch: etag });
  check(again.status === 304 && again.data === undefined, again);
  const failure = await support.getEntry({ path: "no/such/entry" }).catch((error) => error);
  check(failure instanceof ApiError && failure.status === 404 && failure.code === "NOT_FOUND", failure);
  const late = await support.getHealth({}, { timeoutMs: 1, deadlineMs: 1 }).catch((error) => error.name);
  check(late === "TimeoutError" || late.status === "ok", late);

  const origin = "https://shop.example";
  const token = await support.chatToken(new Request(`${origin}/token`, { method: "POST", headers: { origin, host: "shop.example" } }));
  check(token.status === 200 && (await token.json()).tokenType === "Bearer", token.status);

  try {
    new Webhooks("a secret").verify("{}", new Headers({ "webhook-id": "evt_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" }));
    check(false, "verified");
  } catch (error) {
    check(error instanceof WebhookError && error.message === "Message timestamp too old", String(error));
  }
  return "the client works";
}

if (globalThis.process?.argv?.[1]?.endsWith("smoke.mjs")) console.log(await smoke(globalThis.process.env));
