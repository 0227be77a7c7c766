// The messages as elements: what was written, where an answer comes from, and what can be done with it.

import type actions from "./actions";
import type { Chat } from "./chat";
import { h, icon, ICONS } from "./dom";
import type { Item } from "./list";
import { markdown, plainText } from "./markdown";
import type { speech } from "./speech";
import { fill, type Texts } from "./texts";
import { daysUntil, type Times } from "./times";
import type { Pending, Source, Turn } from "./types";

/** A less likely answer is said to be unsure. */
const SURE = 0.6;
/** The key of the line above the first new turn begins so. */
export const NEW = "new:";

/** The parts of the panel that the messages use. */
export interface Panel {
  say(text: string): void;
  openArticle(source: Source): void;
  askPerson(): void;
  /** The file of what can be done with an answer. */
  actions(): Promise<typeof actions>;
}

export class Messages {
  readonly #chat: Chat;
  readonly #panel: Panel;
  #texts: Texts;
  #times: Times;

  constructor(chat: Chat, panel: Panel, texts: Texts, times: Times) {
    this.#chat = chat;
    this.#panel = panel;
    this.#texts = texts;
    this.#times = times;
  }

  /** Puts other texts on what is made from now on. */
  use(texts: Texts, times: Times): void {
    this.#texts = texts;
    this.#times = times;
  }

  lines(): Item[] {
    const [chat, texts] = [this.#chat, this.#texts];
    const greeting = chat.saved.greeting ?? texts.greeting;
    const lines: Item[] = [];
    if (chat.isReady || chat.turns.all.size) {
      const author = chat.turns.session?.ownership === "human" ? texts.assistant : texts.automatic;
      const make = () => this.#message("ai", author, plainText(greeting, ""));
      lines.push({ key: "greeting", version: author + greeting, make });
    }
    let day = 0;
    for (const turn of chat.turns.sorted) {
      const date = new Date(turn.createdAt);
      const days = Math.min(daysUntil(date), 0);
      if (days !== day) {
        const text = this.#times.day(date);
        const make = () => h("div", { class: "day", role: "listitem" }, text);
        lines.push({ key: `day:${(day = days)}`, version: text, make });
      }
      if (turn.messageId === chat.firstNew) {
        const make = () => h("div", { class: "day new", role: "listitem" }, texts.newer);
        lines.push({ key: NEW + turn.messageId, version: texts.newer, make });
      }
      const version = turn.role + turn.content + (turn.agent?.name ?? "");
      lines.push({
        key: turn.messageId,
        version,
        make: () => this.#turn(turn),
        update: (element) => this.#update(element, turn),
      });
    }
    chat.outbox.forEach((one, at) => {
      if (chat.turns.has(one)) return;
      const state = one.failed ? "failed" : at === 0 && chat.isSending ? "sending" : chat.notice ? "unsent" : "sending";
      lines.push({ key: `own:${one.id}`, version: state, make: () => this.#unsent(one, state) });
    });
    if (chat.isAnswering || (chat.isOpen && !chat.isReady && !chat.notice)) {
      // Made anew below what has come: nothing moves on the page.
      lines.push({ key: `typing:${chat.isReady}${chat.turns.all.size}`, version: texts.typing, make: () => this.#typing() });
    }
    return lines;
  }

  #message(role: string, author: string, body: Node, createdAt?: string): HTMLElement {
    const meta = h("div", { class: "meta" }, author);
    if (createdAt) meta.append(" · ", h("time", { datetime: createdAt }, this.#times.hour(new Date(createdAt))));
    const bubble = h("div", { class: "bubble", part: `message ${role}-message`, dir: "auto" }, body);
    return h("div", { class: `item ${role}`, role: "listitem" }, meta, bubble);
  }

  #turn(turn: Turn): HTMLElement {
    if (turn.role === "system")
      return h("div", { class: "item event", role: "listitem", part: "event" }, this.eventText(turn));
    const element = this.#message(turn.role, this.author(turn), this.body(turn, this.#texts.tab), turn.createdAt);
    if (turn.role !== "ai") return element;
    const sources = grounds(turn);
    const open = sources[0] && (() => this.#panel.openArticle(sources[0]!));
    this.#panel.actions().then((part) => part.finish(element, this.#chat, this.#texts, open), () => {});
    if (turn.disposition === "answered") {
      if (isUnsure(turn)) element.append(h("div", { class: "told" }, this.#texts.unsure));
      if (sources[0]) {
        element.append(this.#sources("sources", this.#texts.sources, sources));
      }
      element.append(this.#actions(turn));
    }
    return element;
  }

  /** The words of a turn for who does not see it. */
  said(turn: Turn, spoken: typeof speech): string {
    if (turn.role === "system") return this.eventText(turn);
    const doubt = isUnsure(turn) ? ` ${this.#texts.unsure}` : "";
    return `${this.author(turn)}: ${spoken(this.body(turn))}${doubt}`;
  }

  /** The text of a turn, without its author. */
  body(turn: Turn, hint = ""): Node {
    return turn.role === "customer" ? plainText(turn.content, hint) : markdown(turn.content, hint);
  }

  author(turn: Turn): string {
    if (turn.role === "customer") return this.#texts.you;
    return turn.role === "ai" ? this.#texts.assistant : turn.agent?.name || this.#texts.agent;
  }

  agentName(): string {
    const named = this.#chat.turns.sorted.filter((turn) => turn.agent?.name).pop();
    return named?.agent?.name ?? this.#texts.agent;
  }

  eventText(turn: Turn): string {
    const texts = this.#texts;
    const text = {
      handover_requested: texts.asked,
      agent_joined: texts.joined,
      agent_left: texts.left,
      handover_ended: texts.back,
      resumed: texts.resumed,
      closed: texts.ended,
    }[turn.event ?? ""];
    return fill(text ?? "", { name: turn.agent?.name || texts.agent });
  }

  #sources(name: string, title: string, sources: Source[]): HTMLElement {
    const items = sources.map((source) => {
      const open = () => this.#panel.openArticle(source);
      return h("li", {}, h("button", { type: "button", class: "text", onclick: open }, source.title));
    });
    return h("div", { class: "sources", part: name }, title, h("ul", {}, ...items));
  }

  /** The entries and the person that may help if the answer does not; those near the question before a complaint. */
  #nearest(turn: Turn): HTMLElement {
    const { nearest, passOn, person } = this.#texts;
    const before = this.#chat.turns.sorted.filter((one) => one.turn <= turn.turn && one.sources.length).pop() ?? turn;
    const others = before.sources.filter((source) => !grounds(before).includes(source));
    const rest = others.length ? this.#sources("nearest", nearest, others) : h("div");
    rest.classList.add("nearest");
    const ask = () => this.#panel.askPerson();
    if (this.#chat.turns.missesAgain(turn)) rest.append(h("div", { class: "told" }, passOn));
    rest.append(h("button", { type: "button", class: "choice", part: "ask", onclick: ask }, person));
    return rest;
  }

  #actions(turn: Turn): HTMLElement {
    const texts = this.#texts;
    const name = (button: HTMLElement, label: string, drawn: string) => {
      button.ariaLabel = button.title = label;
      button.replaceChildren(icon(drawn));
      return button;
    };
    const add = (label: string, drawn: string, run: () => void) => {
      return row.appendChild(name(h("button", { type: "button", onclick: run }), label, drawn));
    };
    const loading = this.#panel.actions().catch(() => null);
    const act = async <T>(run: (part: typeof actions) => T) => {
      try {
        // It is loaded anew if that failed.
        return await run((await loading) ?? (await this.#panel.actions()));
      } catch (error) {
        this.#chat.explain(error);
      }
    };
    const vote = (reaction: string, label: string) => {
      const run = async () => {
        const taken = button.ariaPressed === "true";
        if (await act((part) => part.react(this.#chat, turn, reaction, taken))) this.#panel.say(taken ? texts.unvoted : texts.voted);
      };
      const button = add(label, ICONS.vote, run);
      button.dataset.vote = reaction;
    };
    const row = h("div", { class: "actions", part: "actions" });
    vote("thumbs_up", texts.helpful);
    vote("thumbs_down", texts.unhelpful);
    const copying = add(texts.copy, ICONS.copy, () =>
      act((part) => part.copy(this.#chat, turn, copying, name, texts, this.#panel)),
    );
    return row;
  }

  /** Follows what changes of a turn that stays. */
  #update(element: HTMLElement, turn: Turn): void {
    for (const button of element.querySelectorAll<HTMLElement>("[data-vote]")) {
      button.setAttribute("aria-pressed", `${turn.reactions.includes(button.dataset.vote!)}`);
    }
    // Nothing more is said to an answer of a session before this one.
    if (turn.turn < 0) element.querySelector(".actions")?.remove();
    const isHelpless = turn.disposition === "no_answer" || turn.offersHuman || turn.reactions.includes("thumbs_down");
    const nearest = element.querySelector(".nearest");
    if (!isHelpless && !isUnsure(turn)) nearest?.remove();
    else if (!nearest) element.append(this.#nearest(turn));
    const ask = element.querySelector<HTMLElement>(".choice");
    if (ask) ask.hidden = !this.#chat.mayAsk;
  }

  #unsent(one: Pending, state: "sending" | "unsent" | "failed"): HTMLElement {
    const [chat, texts] = [this.#chat, this.#texts];
    const act = (text: string, run: () => void) => h("button", { type: "button", class: "text", onclick: run }, text);
    const element = this.#message("customer", texts.you, plainText(one.content, texts.tab));
    const line = h("div", { class: `state ${state}` }, h("span", {}, texts[state]));
    // An unsent message is tried again by itself, and by the one button of the notice.
    if (state === "failed") {
      line.append(act(texts.retry, () => chat.retry(one.id)), act(texts.remove, () => chat.remove(one.id)));
    }
    element.append(line);
    return element;
  }

  #typing(): HTMLElement {
    const dots = h("div", { class: "typing", part: "typing", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    return h("div", { class: "item", role: "listitem" }, dots, h("span", { class: "said" }, this.#texts.typing));
  }
}

/** The sources that an answer was made from. */
function grounds({ disposition, sources }: Turn): Source[] {
  if (disposition !== "answered") return [];
  const used = sources.filter((source) => source.used);
  // Of answers that were stored before, none says what it was made from.
  return used.length ? used : sources;
}

function isUnsure({ disposition, confidence }: Turn): boolean {
  return disposition === "answered" && confidence! < SURE;
}
