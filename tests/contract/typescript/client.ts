// What an integration does first, by the types that were generated from the OpenAPI document: a session, a message that
// is answered from the wiki, an entry under a path with a slash, and an error that is read.
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

// A value that a later version adds is of the type, too.
const later: components["schemas"]["Session"] = { ...session.data, ownership: "of_a_later_version" };
check(later.ownership !== "ai", later);

console.log("the TypeScript client works");
