// The first steps of an integration, by the types that were generated from the OpenAPI document: a session, a message
// that is answered from the wiki, an entry under a path with a slash, an error that is read, and an event that is
// received.
import { createServer } from "node:http";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { env: Record<string, string | undefined> };

const client = createClient<paths>({
  baseUrl: process.env.SUPPORT_API_URL ?? "",
  headers: { Authorization: `Bearer ${process.env.SUPPORT_API_KEY}` },
});

function check(holds: unknown, told: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(told));
}

type Event = components["schemas"]["Event"];

/** The session that an event is about: `type` alone says what `data` has. */
function sessionOf(event: Event): string | undefined {
  switch (event.type) {
    case "message.created":
      return event.data.role === "ai" ? event.data.sessionId : undefined;
    case "handover.requested":
      return event.data.sessionId;
    case "entry.deleted":
      return event.data.deletedAt;
    default:
      return undefined;
  }
}

const events: Event[] = [];
const receiver = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    events.push(JSON.parse(body));
    response.writeHead(204).end();
  });
});
await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
const registered = await client.POST("/webhooks", {
  body: {
    url: `http://127.0.0.1:${receiver.address().port}/typescript`,
    events: ["message.created"],
    secret: "a secret of the typescript client",
  },
});
check(registered.data?.status === "active", registered.error);

const path = "clients/typescript";
const made = await client.POST("/wiki", {
  body: { path, title: "Refunds", content: "A refund for typescript takes eight days." },
});
check(made.data?.path === path, made.error);
const entry = await client.GET("/wiki/{path}", { params: { path: { path } } });
check(entry.data?.version === made.data.version, entry.error);

const session = await client.POST("/sessions", { body: { externalUserId: "ann" } });
check(session.data?.externalUserId === "ann", session.error);
const id = session.data.sessionId;
const read = await client.GET("/sessions/{id}", { params: { path: { id } } });
check(read.data?.createdAt === session.data.createdAt, read.error);

const reply = await client.POST("/sessions/{id}/messages", {
  params: { path: { id } },
  body: { content: "How many days does a refund for typescript take?" },
});
check(reply.data, reply.error);
const { answer, disposition, sources } = reply.data;
check(answer.includes("eight days") && disposition === "answered" && sources[0]?.path === path, reply.data);

const refused = await client.POST("/sessions/{id}/messages", { params: { path: { id } }, body: { content: "" } });
check(refused.response.status === 400 && refused.error?.error === "VALIDATION_ERROR", refused);
const details = refused.error.details.map((detail) => [detail.field, detail.code].join(" "));
check(details.join() === "content TOO_SHORT", refused.error);
const known: components["schemas"]["DetailCode"] = "TOO_SHORT";
check(refused.error.details[0]?.code === known, refused.error);

const deadline = Date.now() + 60_000;
while (!events.some((event) => sessionOf(event) === id)) {
  check(Date.now() < deadline, events);
  await new Promise((passed) => setTimeout(passed, 50));
}
receiver.close();

// A value that a later version adds is of the type, too.
const later: components["schemas"]["Session"] = { ...session.data, ownership: "of_a_later_version" };
check(later.ownership !== "ai", later);

console.log("the TypeScript client works");
