// The panel: elements made once, and a list of messages that follows what is known of the conversation. What stays is
// not made anew, so focus and selection stay; where what has the focus goes, the field gets it.

import { cancel, escalate, react } from "./actions";
import type { Chat } from "./chat";
import { h, icon, ICONS, setText } from "./dom";
import { link, markdown, plainText, safeUrl } from "./markdown";
import { quietly } from "./storage";
import { fill, isRightToLeft, type Texts } from "./texts";
import type { Pending, Turn } from "./types";

/** The limit of the service for one message, in characters. */
const MAX_LENGTH = 8_000;
/** Nearer to the end than this, the list follows new messages, in pixels. */
const END_PX = 60;
/** Where the panel is all that there is, as in the style sheet. */
export const PHONE = "(max-width: 480px)";
/** How long a button says that an answer was copied. */
const COPIED_MS = 2_000;

/** One line of the list: its element is kept as long as `key` and `version` stay. */
interface Item {
  key: string;
  version: string;
  make(): HTMLElement;
  update?(element: HTMLElement): void;
}

export class View {
  readonly panel: HTMLDialogElement;
  readonly #root: ShadowRoot;
  readonly #chat: Chat;
  #texts: Texts;
  readonly #items = new Map<string, { version: string; element: HTMLElement }>();
  readonly #title = h("div", { class: "title", part: "title", id: "title" });
  readonly #who = h("div", { class: "who" });
  readonly #person: HTMLButtonElement;
  readonly #closing: HTMLButtonElement;
  readonly #list = h("div", { role: "list" });
  readonly #log = h("div", { class: "log", part: "messages", tabindex: 0, role: "region" }, this.#list);
  readonly #newer: HTMLButtonElement;
  readonly #barText = h("span");
  readonly #cancel: HTMLButtonElement;
  readonly #bar: HTMLElement;
  readonly #noticeText = h("span");
  readonly #again: HTMLButtonElement;
  readonly #notice: HTMLElement;
  readonly #field: HTMLTextAreaElement;
  readonly #sending: HTMLButtonElement;
  readonly #said = h("div", { class: "said", "aria-live": "polite" });
  #time = new Intl.DateTimeFormat("en", { timeStyle: "short" });
  #announced = "";

  constructor(root: ShadowRoot, chat: Chat, texts: Texts, close: () => void) {
    this.#root = root;
    this.#chat = chat;
    this.#texts = texts;
    const act = (name: string, run: () => void, ...content: (Node | string)[]) =>
      h("button", { type: "button", class: name, part: name, onclick: run }, ...content);
    this.#person = act("person", () => escalate(chat, this.#texts.person));
    this.#closing = act("close", close, icon(ICONS.close));
    this.#newer = act("newer", () => this.toEnd());
    this.#cancel = act("text", () => cancel(chat));
    this.#bar = h("div", { class: "bar", part: "status" }, this.#barText, this.#cancel);
    this.#again = act("text", () => chat.retry());
    this.#notice = h("div", { class: "bar notice", part: "notice" }, this.#noticeText, this.#again);
    this.#field = h("textarea", { rows: 1, maxlength: MAX_LENGTH, part: "field", enterkeyhint: "send", dir: "auto" });
    this.#sending = h("button", { class: "send", part: "send" }, icon(ICONS.send));
    this.panel = h(
      "dialog",
      { class: "panel", part: "panel", popover: "manual", "aria-labelledby": "title" },
      h(
        "div",
        { class: "header", part: "header" },
        h("div", { class: "names" }, this.#title, this.#who),
        this.#person,
        this.#closing,
      ),
      this.#log,
      this.#newer,
      this.#bar,
      this.#notice,
      h(
        "form",
        { class: "form", part: "form", onsubmit: (event: Event) => this.#submit(event) },
        this.#field,
        this.#sending,
      ),
      this.#said,
    );
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !composes(event)) this.#submit(event);
    });
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !composes(event)) close();
    });
    // The browser's own way to close what covers a page.
    this.panel.addEventListener("close", () => this.#isShown || this.panel.hidden || close());
    this.#log.addEventListener("scroll", () => this.#showNewer(false));
    this.#newer.hidden = true;
  }

  focus(): void {
    this.#field.focus();
  }

  get #isShown(): boolean {
    return this.panel.open || !!quietly(() => this.panel.matches(":popover-open"));
  }

  /** Shows the panel above everything of the page, which on a phone is out of reach meanwhile. */
  show(): void {
    const { panel } = this;
    const active = this.#root.activeElement;
    panel.hidden = false;
    if (matchMedia(PHONE).matches) {
      panel.togglePopover?.(false);
      if (panel.open) return;
      panel.showModal();
      this.#log.focus();
    } else {
      panel.close();
      // A dialog that is shown takes the focus, if it can.
      panel.inert = true;
      panel.togglePopover?.(true);
      panel.inert = false;
    }
    if (active instanceof HTMLElement && panel.contains(active)) active.focus();
  }

  hide(): void {
    this.panel.hidden = true;
    this.panel.close();
    this.panel.togglePopover?.(false);
  }

  /** Puts other texts on what is there. */
  speak(texts: Texts, language: string): void {
    this.#texts = texts;
    this.#time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
    this.panel.lang = language;
    this.panel.dir = isRightToLeft(language) ? "rtl" : "ltr";
    setText(this.#title, texts.title);
    setText(this.#person, texts.person);
    setText(this.#cancel, texts.cancel);
    setText(this.#again, texts.retry);
    setText(this.#newer, texts.newer);
    this.#closing.ariaLabel = texts.close;
    this.#sending.ariaLabel = texts.send;
    this.#log.ariaLabel = texts.title;
    this.#field.ariaLabel = texts.field;
    this.#field.placeholder = texts.field;
    this.#keepFocus(this.#list);
    this.#items.clear();
    this.#list.replaceChildren();
    this.render();
  }

  render(): void {
    const [chat, texts] = [this.#chat, this.#texts];
    const ownership = chat.turns.session?.ownership ?? "ai";
    const wasAtEnd = this.#isAtEnd();
    const known = this.#items.size;
    this.#arrange(this.#lines());
    const agent = ownership === "human" ? this.#agentName() : texts.assistant;
    setText(this.#who, ownership === "pending_handover" ? texts.agent : agent);
    this.#show(this.#person, ownership === "ai");
    const place = chat.turns.session?.queuePosition;
    const waits = place ? fill(texts.queue, { n: place }) : texts.waiting;
    const told = ownership === "closed" ? texts.ended : ownership === "pending_handover" ? waits : "";
    setText(this.#barText, told);
    this.#show(this.#cancel, ownership === "pending_handover");
    this.#show(this.#bar, !!told);
    const notice = chat.notice ? fill(texts[chat.notice.kind], { n: chat.notice.seconds ?? 0 }) : "";
    setText(this.#noticeText, notice);
    this.#show(this.#again, !!chat.notice && chat.notice.kind !== "progress");
    this.#show(this.#notice, !!notice);
    const state = notice || told || (chat.isAnswering ? texts.typing : "");
    if (state !== this.#announced) {
      this.#announced = state;
      if (state) this.#say(state);
    }
    if (wasAtEnd) this.toEnd();
    else if (this.#items.size > known) this.#showNewer(true);
  }

  /** Tells those who do not see the list what has come. */
  announce(turns: Turn[]): void {
    const told = turns.map((turn) => {
      if (turn.role === "system") return this.#eventText(turn);
      const body = turn.role === "customer" ? plainText(turn.content, "") : markdown(turn.content, "");
      return `${this.#author(turn)}: ${body.textContent}`;
    });
    this.#say(told.join("\n"));
  }

  toEnd(): void {
    this.#log.scrollTop = this.#log.scrollHeight;
    this.#showNewer(false);
  }

  #say(text: string): void {
    this.#said.append(h("p", {}, text));
    while (this.#said.childElementCount > 4) this.#said.firstElementChild?.remove();
  }

  #submit(event: Event): void {
    event.preventDefault();
    const content = this.#field.value.trim();
    this.#field.focus();
    if (!content) return;
    this.#field.value = "";
    this.#chat.write(content);
    this.toEnd();
  }

  #isAtEnd(): boolean {
    return this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < END_PX;
  }

  #showNewer(hasNew: boolean): void {
    if (hasNew) this.#newer.hidden = false;
    else if (this.#isAtEnd()) this.#show(this.#newer, false);
  }

  /** Shows or hides; the focus of what goes is the field's. */
  #show(element: HTMLElement, shown: boolean): void {
    if (!shown) this.#keepFocus(element);
    element.hidden = !shown;
  }

  #keepFocus(element: HTMLElement): void {
    if (element.contains(this.#root.activeElement)) this.#field.focus();
  }

  // The list ----------------------------------------------------------------------------------------------------------

  #lines(): Item[] {
    const [chat, texts] = [this.#chat, this.#texts];
    const greeting = chat.saved.greeting ?? texts.greeting;
    const lines: Item[] = [];
    if (chat.isReady || chat.turns.all.size) {
      lines.push({
        key: "greeting",
        version: greeting,
        make: () => this.#message("ai", texts.automatic, plainText(greeting, "")),
      });
    }
    for (const turn of chat.turns.sorted) {
      const version = turn.role + turn.content + (turn.agent?.name ?? "");
      lines.push({
        key: turn.messageId,
        version,
        make: () => this.#turn(turn),
        update: (element) => this.#press(element, turn),
      });
    }
    chat.outbox.forEach((one, at) => {
      if (chat.turns.has(one)) return;
      const state = one.failed ? "failed" : at === 0 && chat.isSending ? "sending" : chat.notice ? "unsent" : "sending";
      lines.push({ key: `own:${one.id}`, version: state, make: () => this.#unsent(one, state) });
    });
    if (chat.isAnswering || (chat.isOpen && !chat.isReady && !chat.notice)) {
      lines.push({ key: "typing", version: texts.typing, make: () => this.#typing() });
    }
    return lines;
  }

  /** Makes the list equal to `lines`, touching what differs alone. */
  #arrange(lines: Item[]): void {
    const wanted = new Set(lines.map((line) => line.key));
    for (const [key, { element }] of this.#items) {
      if (wanted.has(key)) continue;
      this.#keepFocus(element);
      element.remove();
      this.#items.delete(key);
    }
    let next = this.#list.firstElementChild;
    for (const { key, version, make, update } of lines) {
      let item = this.#items.get(key);
      if (item?.version !== version) {
        const element = make();
        if (item) {
          this.#keepFocus(item.element);
          if (next === item.element) next = element;
          item.element.replaceWith(element);
        }
        item = { version, element };
        this.#items.set(key, item);
      }
      if (item.element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(item.element, next);
      update?.(item.element);
    }
  }

  #message(role: string, author: string, body: Node, createdAt?: string): HTMLElement {
    const meta = h("div", { class: "meta" }, author);
    if (createdAt) meta.append(" · ", h("time", { datetime: createdAt }, this.#time.format(new Date(createdAt))));
    const bubble = h("div", { class: "bubble", part: `message ${role}-message`, dir: "auto" }, body);
    return h("div", { class: `item ${role}`, role: "listitem" }, meta, bubble);
  }

  #turn(turn: Turn): HTMLElement {
    if (turn.role === "system")
      return h("div", { class: "item event", role: "listitem", part: "event" }, this.#eventText(turn));
    const texts = this.#texts;
    const isAnswer = turn.role === "ai";
    const body = turn.role === "customer" ? plainText(turn.content, texts.tab) : markdown(turn.content, texts.tab);
    const element = this.#message(turn.role, this.#author(turn), body, turn.createdAt);
    if (isAnswer && turn.disposition === "answered" && turn.sources.length) element.append(this.#sources(turn));
    if (isAnswer && (turn.disposition === "answered" || turn.disposition === "no_answer"))
      element.append(this.#actions(turn));
    return element;
  }

  #author(turn: Turn): string {
    if (turn.role === "customer") return this.#texts.you;
    return turn.role === "ai" ? this.#texts.assistant : turn.agent?.name || this.#texts.agent;
  }

  #agentName(): string {
    const named = this.#chat.turns.sorted.filter((turn) => turn.agent?.name).pop();
    return named?.agent?.name ?? this.#texts.agent;
  }

  #eventText(turn: Turn): string {
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

  #sources(turn: Turn): HTMLElement {
    const template = this.#chat.saved.sourceUrlTemplate;
    const items = turn.sources.map(({ path, title }) => {
      const url = template && safeUrl(template.replace("{path}", path.split("/").map(encodeURIComponent).join("/")));
      return h("li", {}, url ? link(url, this.#texts.tab, title) : title);
    });
    return h("div", { class: "sources", part: "sources" }, this.#texts.sources, h("ul", {}, ...items));
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
    const vote = (reaction: string, label: string) => {
      const run = async () => (await react(this.#chat, turn, reaction)) && this.#say(texts.voted);
      add(label, ICONS.vote, run).dataset.vote = reaction;
    };
    const copy = async () => {
      const bubble = row.closest(".item")?.querySelector<HTMLElement>(".bubble");
      try {
        await navigator.clipboard.writeText(bubble?.innerText ?? "");
      } catch {
        return this.#say(texts.error);
      }
      name(copying, texts.copied, ICONS.done);
      this.#say(texts.copied);
      setTimeout(() => name(copying, texts.copy, ICONS.copy), COPIED_MS);
      react(this.#chat, turn, "copy");
    };
    const row = h("div", { class: "actions", part: "actions" });
    vote("thumbs_up", texts.helpful);
    vote("thumbs_down", texts.unhelpful);
    const copying = add(texts.copy, ICONS.copy, copy);
    return row;
  }

  #press(element: HTMLElement, turn: Turn): void {
    for (const button of element.querySelectorAll<HTMLElement>("[data-vote]")) {
      button.setAttribute("aria-pressed", `${turn.reactions.includes(button.dataset.vote!)}`);
    }
  }

  #unsent(one: Pending, state: "sending" | "unsent" | "failed"): HTMLElement {
    const [chat, texts] = [this.#chat, this.#texts];
    const act = (text: string, run: () => void) => h("button", { type: "button", class: "text", onclick: run }, text);
    const element = this.#message("customer", texts.you, plainText(one.content, texts.tab));
    const line = h("div", { class: `state ${state}` }, h("span", {}, texts[state]));
    if (state !== "sending") line.append(act(texts.retry, () => chat.retry(one.id)));
    if (state === "failed") line.append(act(texts.remove, () => chat.remove(one.id)));
    element.append(line);
    return element;
  }

  #typing(): HTMLElement {
    const dots = h("div", { class: "typing", part: "typing", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    return h("div", { class: "item", role: "listitem" }, dots, h("span", { class: "said" }, this.#texts.typing));
  }
}

/** Whether a key belongs to an input method, also the one that ends a composition, where Safari sets no `isComposing`. */
function composes(event: KeyboardEvent): boolean {
  return event.keyCode === 229;
}
