// The tenant's settings of the chat: its colour, name, corner and logo, and the questions that it offers before the
// first message. What the page sets itself counts before them. A file beside the main one, loaded if there are any.

import type { SupportChat } from "../support-chat";
import { h, icon, ICONS, type setText } from "./dom";
import css from "./look.css";
import type { Saved } from "./storage";

/** As much as the service stores: questions, and characters of one and of a name. */
const MAX_QUESTIONS = 4;
const MAX_LENGTH = 100;
const MAX_NAME = 60;

/** The look that is shown, by the element around the chat. */
const worn = new WeakMap<Element, string>();

/**
 * Shows what is saved in `root`, the element around launcher and panel; `own` is the chat's own title. Values that no service
 * sends change nothing.
 */
function wear(chat: SupportChat, root: HTMLElement, { appearance, suggestions }: Saved, own: string, set: typeof setText): void {
  const { name, logoUrl } = appearance ?? {};
  const [header, log, title, find] = [".header", ".log", ".title", ".find"].map((one) => root.querySelector<HTMLElement>(one));
  if (!header || !log || !title || !find) return;
  const named = typeof name === "string" ? [...name.trim()].slice(0, MAX_NAME).join("") : "";
  const called = chat.texts.title ?? (named || own);
  set(title, called);
  title.classList.toggle("named", called === named);
  log.ariaLabel = called;
  const questions = Array.isArray(suggestions) ? suggestions.filter(isQuestion).slice(0, MAX_QUESTIONS) : [];
  const key = JSON.stringify([logoUrl, questions]);
  if (worn.get(header) === key) return;
  worn.set(header, key);
  for (const old of root.querySelectorAll(".logo, .suggestions")) old.remove();
  if (isHttps(logoUrl)) header.prepend(logo(logoUrl));
  // Below the search, which is there before them: nothing moves.
  if (questions.length) find.after(h("div", { class: "suggestions", part: "suggestions" }, ...questions.map(offer)));

  function offer(question: string): HTMLElement {
    const press = () => {
      root.querySelector<HTMLElement>("textarea[part=field]")!.focus();
      chat.send(question);
    };
    return h("button", { type: "button", dir: "auto", onclick: press }, question);
  }
}

/** A picture in a square of 32 pixels; until it is there, and if it never comes, the sign of a chat. */
function logo(url: string): HTMLElement {
  const image = h("img", {
    alt: "",
    width: 32,
    height: 32,
    loading: "lazy",
    decoding: "async",
    referrerpolicy: "no-referrer",
    onload: () => box.classList.add("has"),
    onerror: () => image.remove(),
  });
  const box = h("span", { class: "logo", part: "logo" }, icon(ICONS.chat), image);
  // Last, so that nothing is asked for before it is said how.
  image.src = url;
  return box;
}

function isHttps(url: unknown): url is string {
  return typeof url === "string" && URL.canParse(url) && new URL(url).protocol === "https:";
}

function isQuestion(text: unknown): text is string {
  return typeof text === "string" && !!text.trim() && [...text].length <= MAX_LENGTH;
}

export default { css, wear };
