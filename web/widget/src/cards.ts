// The questions to the visitor around a person: what it is about, how to be reached, and whether it helped.

import english from "../languages/en.json";
import type { Cards } from "./asides";
import css from "./cards.css";
import type { AllTexts } from "./texts";

type Tools = Cards["tools"] & { texts: AllTexts };

const SCORES = [1, 2, 3, 4, 5];
const STAR = "M12 3l2.8 5.8 6.2.8-4.5 4.4 1.1 6.3L12 17.3l-5.6 3 1.1-6.3L3 9.6l6.200-.8z";

/** Asks for the reason before a person is asked for; `away` says who is not there now. */
function about(tools: Tools, away: string, ask: (text: string) => void, dismiss: () => void): HTMLElement {
  const { h, texts } = tools;
  const field = h("textarea", { rows: 2, maxlength: 1_000, id: "about", dir: "auto" });
  const submit = (event: Event) => {
    event.preventDefault();
    ask(field.value.trim());
  };
  return h(
    "form",
    { class: "card", part: "card", onsubmit: submit },
    h("label", { for: "about" }, texts.about),
    field,
    ...(away ? [h("p", { class: "away" }, away)] : []),
    h(
      "div",
      { class: "choices" },
      h("button", { class: "choice main", part: "ask" }, texts.person),
      h("button", { type: "button", class: "text", onclick: dismiss }, texts.dismiss),
    ),
  );
}

/** An address at which the visitor can be reached; `save` says whether the service took it. */
function email(tools: Tools, known: string, save: (address: string) => Promise<boolean>): HTMLElement {
  const { h, texts } = tools;
  const properties = { type: "email", id: "email", required: true, maxlength: 254, autocomplete: "email", value: known };
  const field = h("input", { ...properties, placeholder: texts.address, "aria-describedby": "problem", dir: "ltr" });
  const problem = h("p", { id: "problem", class: "problem", role: "alert" });
  const complain = () => {
    field.ariaInvalid = "true";
    problem.textContent = texts.invalid;
    field.focus();
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    problem.textContent = "";
    const address = field.value.trim();
    if (!field.validity.valid || !(await save(address))) complain();
  };
  return h(
    "form",
    { class: "card", part: "card", novalidate: true, onsubmit: submit },
    h("label", { for: "email" }, texts.email),
    h("div", { class: "line" }, field, h("button", { class: "choice main" }, texts.save)),
    problem,
  );
}

/** The address that the service has, to be looked at once more. */
function reach(tools: Tools, address: string, change: (() => void) | null): HTMLElement {
  const { h, fill, texts } = tools;
  const said = h("p", {}, fill(texts.reach, { email: address }));
  const card = h("div", { class: "card known", part: "card" }, said);
  if (change) card.append(h("button", { type: "button", class: "text", onclick: change }, texts.change));
  return card;
}

/** A score and a word. Both are stored as they come; `rate` says whether they were. */
function rating(tools: Tools, rate: (score: number, comment?: string) => Promise<boolean>, done: () => void): HTMLElement {
  const { h, icon, fill, texts } = tools;
  let chosen = 0;
  const field = h("textarea", { rows: 2, maxlength: 1_000, id: "word", dir: "auto" });
  const words = h(
    "form",
    { class: "words", onsubmit: (event: Event) => finish(event) },
    h("label", { for: "word" }, texts.word),
    field,
    h("button", { class: "choice main" }, texts.send),
  );
  words.hidden = true;
  const stars = SCORES.map((score) => {
    const label = fill(texts.score, { n: score });
    const properties = { type: "button", class: "star", title: label, "aria-label": label, "aria-pressed": "false" };
    return h("button", { ...properties, onclick: () => choose(score) }, icon(STAR));
  });
  const choose = async (score: number) => {
    chosen = score;
    stars.forEach((star, at) => {
      star.ariaPressed = `${at + 1 === score}`;
      star.classList.toggle("on", at < score);
    });
    words.hidden = false;
    if (await rate(score)) return;
    chosen = 0;
    words.hidden = true;
    for (const star of stars) {
      star.ariaPressed = "false";
      star.classList.remove("on");
    }
  };
  const finish = async (event: Event) => {
    event.preventDefault();
    const comment = field.value.trim();
    if (!comment || (await rate(chosen, comment))) done();
  };
  const group = h("div", { class: "stars", role: "group", "aria-labelledby": "asked" }, ...stars);
  return h("div", { class: "card", part: "card rating" }, h("div", { id: "asked" }, texts.rate), group, words);
}

function textsOf(cards: Cards): AllTexts {
  return { ...english, ...cards.texts };
}

/** Puts the card that is `wanted`, a kind and what it is about, in its place. */
function make(cards: Cards, wanted: string): void {
  const { chat, element, options } = cards;
  const tools = { ...cards.tools, texts: textsOf(cards) };
  const [kind] = wanted.split(" ", 1);
  const subject = wanted.slice(kind!.length + 1);
  const leave = () => {
    cards.asksAbout = false;
    cards.follow();
    options.focus();
  };
  const ask = (text: string) => {
    leave();
    chat.escalate(text || tools.texts.person);
    if (text) chat.write(text);
  };
  const change = () => {
    cards.changesEmail = true;
    cards.follow();
  };
  const finish = () => {
    cards.rates = "";
    leave();
  };
  const user = chat.turns.session?.user;
  if (kind === "about") element.append(about(tools, subject, ask, leave));
  if (kind === "email") element.append(email(tools, subject, (address) => save(cards, address)));
  if (kind === "reach") element.append(reach(tools, subject, user?.verified ? null : change));
  if (kind === "rating") element.append(rating(tools, (...told) => rate(cards, subject, ...told), finish));
  if (kind === "about" || (kind === "email" && cards.changesEmail)) {
    element.querySelector<HTMLElement>("input, textarea")!.focus();
  }
}

/** Stores an address; false if the service does not take it for one. */
async function save(cards: Cards, address: string): Promise<boolean> {
  const { chat, options, tools } = cards;
  const { ApiError, fill } = tools;
  const { sessionId, user } = chat.turns.session!;
  try {
    const name = user?.name;
    const body = { user: { ...(name ? { name } : {}), email: address } };
    const told = await chat.client.call("PATCH", `/sessions/${sessionId}`, body);
    cards.changesEmail = false;
    options.say(fill(textsOf(cards).reach, { email: address }));
    if (told.version >= chat.turns.session!.version) chat.turns.session = told;
    chat.options.changed();
    options.focus();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return false;
    chat.explain(error);
  }
  return true;
}

/** Stores a rating; whether it is. */
async function rate(cards: Cards, part: string, score: number, comment?: string): Promise<boolean> {
  const { chat, options, tools, texts } = cards;
  try {
    await chat.client.call("POST", `/sessions/${chat.sessionId}/rating`, { score, comment });
    cards.rates = part;
    noteRated(chat, part);
    options.say(texts.voted);
    return true;
  } catch (error) {
    // The time for it is over.
    if (error instanceof tools.ApiError && error.status === 409) noteRated(chat, part);
    else chat.explain(error);
    return false;
  }
}

/** Notes that a human part needs no rating any more. */
function noteRated(chat: Cards["chat"], part: string): void {
  chat.storage.update({ rated: part });
  chat.options.changed();
}

export default { css, make };
