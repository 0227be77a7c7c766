// What follows an answer, or a failure: its images and omissions, votes, no longer wanting a person, and what a site's developers are told. A file
// beside the main one, loaded with the first answer.

import type { ApiError } from "./api";
import type { Chat } from "./chat";
import english from "../languages/en.json";
import css from "./pictures.css";
import { pictures, type PictureTools } from "./pictures";
import { speech } from "./speech";
import type { Texts } from "./texts";
import type { Turn } from "./types";

/** The mark of an omission in an answer. */
const GAP = /(?<=^|\s)…(?=\s|$)/;

/** Shows the images of an answer; `open`, if there is one, opens what each `…` of it stands for. */
function finish(element: HTMLElement, chat: Chat, own: Texts, tools: PictureTools, open?: () => void): void {
  const { h } = tools;
  const all = { ...english, ...own };
  const bubble = element.querySelector(".bubble")!;
  pictures(bubble, chat.saved.showsImages, all, tools);
  const texts = document.createTreeWalker(bubble, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; open && node; node = texts.nextNode() as Text | null) {
    const found = GAP.exec(node.data);
    if (!found || node.parentElement!.closest("code, a, .image")) continue;
    const gap = node.splitText(found.index);
    texts.currentNode = gap.splitText(1);
    const label = all.whole;
    gap.replaceWith(h("button", { type: "button", class: "gap", title: label, "aria-label": label, onclick: open }, "…"));
  }
}

/** No longer wants a person. */
function cancel(chat: Chat): void {
  chat.act(async () => {
    const { sessionId } = chat;
    try {
      await chat.client.call("POST", `/sessions/${sessionId}/cancel-escalation`, {});
      chat.options.emit("escalation", { state: "cancelled", sessionId });
    } catch (error) {
      // Somebody came at the same moment.
      if ((error as ApiError).status !== 409) throw error;
    }
  });
}

/** Votes for an answer, takes a vote back, or notes that it was copied; whether that is stored. */
async function react(chat: Chat, turn: Turn, reaction: string, taken = false): Promise<boolean> {
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
      if (!(error as ApiError).isTemporary) {
        show(reactions);
        break;
      }
      await new Promise<void>((done) => chat.paused.push(done));
    }
  }
  return false;
}

/** Tells the site's developers what is wrong with their route: `told` is its answer, `url` its address, if it has one. */
function complain(url: string, told: unknown, error: unknown): void {
  const from = url ? `token-url, POST ${new URL(url, document.baseURI).href},` : "getToken";
  const { status } = error as ApiError;
  const what = told ? "has no `token` or `externalUserId`" : status ? `answered ${status}` : "failed";
  console.error(`<support-chat>: ${from} ${what}. Pass on the answer of POST /auth/widget-token.`);
}

export default { css, finish, react, cancel, complain, speech };
