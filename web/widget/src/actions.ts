// A visitor's acts besides writing: asking for a person, no longer wanting one, voting.

import { ApiError, isRefusal } from "./api";
import type { Chat } from "./chat";
import type { Turn } from "./types";

/** No longer wants a person. */
export function cancel(chat: Chat): void {
  chat.act(async () => {
    const { sessionId } = chat;
    try {
      await chat.client.call("POST", `/sessions/${sessionId}/cancel-escalation`, {});
      chat.options.emit("escalation", { state: "cancelled", sessionId });
    } catch (error) {
      // Somebody came at the same moment.
      if (!isRefusal(error, 409)) throw error;
    }
  });
}

/** Votes for an answer, takes a vote back, or notes that it was copied; whether that is stored. */
export async function react(chat: Chat, turn: Turn, reaction: string, taken = false): Promise<boolean> {
  const { signal } = chat.client;
  const { messageId } = turn;
  const known = () => chat.turns.all.get(messageId) ?? turn;
  const { reactions } = known();
  const isVote = reaction !== "copy";
  const others = reactions.filter((one) => one !== reaction && !(isVote && one.startsWith("thumbs_")));
  const own = {};
  const key = messageId + isVote;
  chat.votes.set(key, own);
  const show = (reactions: string[]) => {
    const now = { ...known(), reactions };
    chat.put(now);
    return now;
  };
  const wanted = taken ? others : [...others, reaction];
  show(wanted);
  for (let attempt = 0; !signal.aborted && chat.votes.get(key) === own; attempt += 1) {
    try {
      const { sessionId } = chat;
      const path = `/sessions/${sessionId}/reaction`;
      const told = taken
        ? await chat.client.call("DELETE", `${path}?${new URLSearchParams({ reaction, messageId })}`)
        : await chat.client.call("POST", path, { reaction, messageId });
      chat.tell({ type: "turn", turn: show(told.reactions ?? wanted) });
      chat.options.emit("reaction", { sessionId, messageId, reaction, taken });
      // Two rejections in a row ask for a person.
      if (reaction === "thumbs_down" && !taken) chat.ask();
      return true;
    } catch (error) {
      if (signal.aborted) break;
      chat.failures = Math.max(chat.failures, attempt);
      chat.explain(error);
      if (!(error instanceof ApiError && error.isTemporary)) {
        show(reactions);
        break;
      }
      await new Promise<void>((done) => chat.paused.push(done));
    }
  }
  return false;
}
