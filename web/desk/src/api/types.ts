// The service's types under the names that the desk uses.

import type { components, paths } from "./schema";

type Schemas = components["schemas"];

export type Paths = paths;

export type Case = Schemas["Case"];
export type DeskToken = Schemas["DeskToken"];
export type DeskSignIn = Schemas["DeskSignIn"];
export type Escalation = Schemas["Escalation"];
export type InboxAgent = Schemas["InboxAgent"];
export type LastWords = Schemas["LastWords"];
export type Mode = Schemas["Mode"];
export type Rating = Schemas["Rating"];
export type SavedReply = Schemas["SavedReply"];
export type Session = Schemas["Session"];
export type Turn = Schemas["Turn"];
export type ServiceError = Schemas["Error"];
