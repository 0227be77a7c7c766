// What the tenant's settings make of the chat: its colour, name, corner and logo, and the questions that it offers before the
// first message. What the page sets itself counts before it. A file beside the main one, loaded if there is any of it.

import { h, icon, ICONS, type setText } from "./dom";
import css from "./look.css";
import type { Saved } from "./storage";

/** As much as the service stores: questions, and characters of one and of a name. */
const MAX_QUESTIONS = 4;
const MAX_LENGTH = 100;
const MAX_NAME = 60;

interface Look {
  /** The title that the page sets, if it does, and the chat's own. */
  titles: (string | undefined)[];
  setText: typeof setText;
  send(text: string): void;
}

/** What is shown, by the element around the chat. */
const worn = new WeakMap<Element, string>();

/** Shows what is saved in `root`, the element around launcher and panel. Values that no service sends change nothing. */
function wear(root: HTMLElement, { appearance, suggestions }: Saved, { titles: [theirs, own], setText, send }: Look): void {
  const { name, logoUrl } = appearance ?? {};
  const [header, log, title, find] = [".header", ".log", ".title", ".find"].map((one) => root.querySelector<HTMLElement>(one));
  if (!header || !log || !title || !find) return;
  const called = theirs ?? (typeof name === "string" && name.trim() ? [...name].slice(0, MAX_NAME).join("") : own) ?? "";
  setText(title, called);
  log.ariaLabel = called;
  const questions = Array.isArray(suggestions) ? suggestions.filter(isQuestion).slice(0, MAX_QUESTIONS) : [];
  const key = JSON.stringify([logoUrl, questions]);
  if (worn.get(header) === key) return;
  worn.set(header, key);
  for (const old of root.querySelectorAll(".logo, .suggestions")) old.remove();
  if (isHttps(logoUrl)) header.prepend(logo(logoUrl));
  if (questions.length) find.before(h("div", { class: "suggestions", part: "suggestions" }, ...questions.map(offer)));

  function offer(question: string): HTMLElement {
    const press = () => {
      root.querySelector<HTMLElement>("textarea[part=field]")!.focus();
      send(question);
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
