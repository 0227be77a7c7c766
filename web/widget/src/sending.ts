// Sends a visitor's first unsent message, and that they ask for a person. One tab at a time does it.

import { ApiError } from "./api";
import type { Chat } from "./chat";
import { noticeOf } from "./notice";
import { presenceIn } from "./presence";

/** How long an attempt of another tab, or one whose reply was lost, is waited for. */
const IN_PROGRESS_MS = 1_500;
/** The longest refusal that is waited for, in seconds. */
const LONG_S = 60;

/** Sends the first unsent message. */
export async function sendFirst(chat: Chat): Promise<void> {
  const next = chat.outbox.find((one) => !one.failed);
  if (!next) return;
  const first = { after: chat.turns.newest(0), ...next };
  chat.keep(first);
  chat.isSending = true;
  chat.options.changed();
  try {
    const body = { content: first.content, clientMessageId: first.id };
    const reply = await chat.client.inSession((id) => chat.client.call("POST", `/sessions/${id}/messages`, body));
    chat.notice = null;
    chat.options.emit("message", { role: "customer", sessionId: chat.sessionId, disposition: reply.disposition });
    chat.storage.update(presenceIn(reply));
    chat.arrived(chat.turns.take(first, reply));
    chat.remove(first.id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "IDEMPOTENCY_IN_PROGRESS") {
      chat.notice = { kind: "progress" };
      chat.options.changed();
      await new Promise((done) => setTimeout(done, IN_PROGRESS_MS));
    } else if (error.isTemporary || [401, 403, 409].includes(error.status)) {
      throw error;
    } else {
      chat.keep({ ...first, failed: true });
      chat.options.emit("error", { status: error.status, code: error.code });
    }
  } finally {
    chat.isSending = false;
  }
}

/** Asks for a person. */
export async function askForPerson(chat: Chat): Promise<void> {
  const reason = chat.saved.asking;
  if (!reason) return;
  try {
    const call = (id: string) => chat.client.call("POST", `/sessions/${id}/escalate`, { reason });
    const told = await chat.client.inSession(call);
    chat.storage.update({ asking: undefined, ...presenceIn(told) });
    const { sessionId, escalationId } = told;
    chat.options.emit("escalation", { state: "requested", sessionId, escalationId });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isWaitedFor = error.isTemporary && error.retryAfter <= LONG_S;
    if (isWaitedFor || [401, 403].includes(error.status)) throw error;
    chat.storage.update({ asking: undefined });
    // Somebody is there already.
    if (error.status === 409) return;
    chat.refused = noticeOf(error, error.retryAfter * 1_000);
    chat.options.emit("error", { status: error.status, code: error.code });
  }
  chat.tell({ type: "outbox" });
}
