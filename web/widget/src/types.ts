// The answers of the service, as far as the widget reads them, and the types between the parts of the widget.

import type { Appearance, WidgetToken } from "../support-chat";

export type { Appearance, WidgetToken };

export type Ownership = "ai" | "pending_handover" | "human" | "closed";

export interface Session {
  sessionId: string;
  ownership: Ownership;
  answerDue: boolean;
  queuePosition?: number;
  user?: { name?: string; email?: string; verified?: boolean } | null;
  version: number;
}

export interface Source {
  path: string;
  title: string;
  /** The answer was made from it. */
  used?: boolean;
}

/** Whether somebody of the team is there, as several answers say. */
export interface Presence {
  peopleAvailable?: boolean;
  nextOpenAt?: string | null;
}

export interface Turn {
  messageId: string;
  turn: number;
  role: "customer" | "ai" | "agent" | "system";
  content: string;
  answer?: string;
  /** How likely it is that an answer says what was asked, 0 to 1. */
  confidence?: number;
  /** The answer asks whether the visitor wants a person. */
  offersHuman?: boolean;
  sources: Source[];
  disposition?: string;
  reactions: string[];
  agent?: { name?: string };
  event?: string;
  createdAt: string;
}

export interface TurnList {
  items: Turn[];
  hasMore: boolean;
  session: Session;
}

/** The answer of `POST /sessions/{id}/messages`. */
export interface Reply extends Presence {
  messageId: string;
  turn: number;
  answer: string;
  sources: Source[];
  ownership: Ownership;
  disposition: string;
  escalationId?: string;
}

/** A message that the service has not confirmed yet; `id` is its `clientMessageId`. */
export interface Pending {
  id: string;
  content: string;
  /** When it was written, which orders messages; milliseconds since 1970, each its own. */
  at: number;
  /** The number of the newest turn known when it was first sent. */
  after?: number;
  /** It is not tried again by itself. */
  failed?: boolean;
}

/** The options of requests. */
export interface ClientOptions {
  /** The base address of the service, with `/api/v1`. */
  api: string;
  /** The language of the visitor, as the page says it now. */
  locale(): string;
  getToken(signal: AbortSignal): Promise<WidgetToken>;
}

/** The options of the conversation. */
export interface ChatOptions extends ClientOptions {
  /** The visitor as the page knows them; none if the page does not say. */
  externalUserId: string | null;
  /** Something to show has changed. */
  changed(): void;
  /** New turns of the other side. */
  news(turns: Turn[]): void;
  /** Something to tell the page. */
  emit(name: string, detail: Record<string, unknown>): void;
}

/** A message between the tabs of a visitor. */
export type TabMessage =
  | { type: "news"; sessionId: string; after: string | null; list: TurnList }
  | { type: "turn"; turn: Turn }
  /** `hidden` is of a tab that asks for news and is not looked at, `yield` of one that is looked at and wants to. */
  | { type: "outbox" | "logout" | "yield" | "hidden" };
