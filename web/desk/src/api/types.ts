// The service's types under the names that the desk uses.

import type { components, paths } from "./schema";

type Schemas = components["schemas"];

/** A member whom a customer can be handed to. By hand until the document has the operation. */
export interface InboxAgent {
  agentId: string;
  name: string;
  availability: "available" | "away";
}

interface AgentsPath {
  "/inbox/agents": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: { query?: never; header?: never; path?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { items: InboxAgent[] } } } };
    };
  };
}

export type Paths = paths & AgentsPath;

export type Case = Schemas["Case"];
export type DeskToken = Schemas["DeskToken"];
export type DeskSignIn = Schemas["DeskSignIn"];
export type Escalation = Schemas["Escalation"];
export type Mode = Schemas["Mode"];
export type SavedReply = Schemas["SavedReply"];
export type Session = Schemas["Session"];
export type Turn = Schemas["Turn"];
export type ServiceError = Schemas["Error"];
