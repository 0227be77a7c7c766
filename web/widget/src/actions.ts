// Parts that follow an answer or a failure: its images, votes, copies, what `…` stands for, no longer wanting a person, and
// what a site's developers are told. A file beside the main one, loaded with the first answer.

import english from "../languages/en.json";
import type { ApiError } from "./api";
import type { Chat } from "./chat";
import { h, ICONS } from "./dom";
import css from "./pictures.css";
import { pictures } from "./pictures";
import { speech } from "./speech";
import type { AllTexts, Texts } from "./texts";
import type { Turn } from "./types";

/** How long a button says that an answer was copied. */
const COPIED_MS = 2_000;
const DONE = "M5 13l5 5L20 7";
/** The mark of an omission in an answer. */
const GAP = /(?<=^|\s)…(?=\s|$)/;

/** Shows the images of an answer; `open`, if there is one, opens what each `…` of it stands for. */
function finish(element: HTMLElement, chat: Chat, own: Texts, open?: () => void): void {
  pictures(element, chat.saved.showsImages, { ...english, ...own }, { h });
  if (open) markGaps(element, own, open);
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

type Name = (button: HTMLElement, label: string, drawn: string) => void;

/** Copies an answer, and says so. */
async function copy(chat: Chat, turn: Turn, button: HTMLElement, name: Name, spoken: Texts, panel: { say(text: string): void }): Promise<void> {
  const texts: AllTexts = { ...english, ...spoken };
  const bubble = button.closest(".item")?.querySelector<HTMLElement>(".bubble");
  try {
    await navigator.clipboard.writeText(bubble?.innerText ?? "");
  } catch {
    return panel.say(texts.error);
  }
  name(button, texts.copied, DONE);
  panel.say(texts.copied);
  setTimeout(() => name(button, texts.copy, ICONS.copy), COPIED_MS);
  await react(chat, turn, "copy");
}

/** Makes each `…` of an answer open what it stands for. */
function markGaps(element: HTMLElement, spoken: Texts, open: () => void): void {
  const label = { ...english, ...spoken }.whole;
  const texts = document.createTreeWalker(element.querySelector(".bubble")!, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    const found = GAP.exec(node.data);
    if (!found || node.parentElement!.closest("code, a")) continue;
    const gap = node.splitText(found.index);
    texts.currentNode = gap.splitText(1);
    gap.replaceWith(h("button", { type: "button", class: "gap", title: label, "aria-label": label, onclick: open }, "…"));
  }
}

/** Tells the site's developers what is wrong with their route: `told` is its answer, `url` its address, if it has one. */
function complain(url: string, told: unknown, error: unknown): void {
  const from = url ? `token-url, POST ${new URL(url, document.baseURI).href},` : "getToken";
  const { status } = error as ApiError;
  const what = told ? "has no `token` or `externalUserId`" : status ? `answered ${status}` : "failed";
  console.error(`<support-chat>: ${from} ${what}. Pass on the answer of POST /auth/widget-token.`);
}

export default { css, finish, react, copy, cancel, complain, speech };
