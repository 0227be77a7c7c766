// The panel: elements made once, a list of messages, and before it what is opened in its place. If what has the focus
// goes, the field gets it.

import type Articles from "./articles";
import { Cards } from "./asides";
import type { Chat } from "./chat";
import { h, icon, ICONS, setText } from "./dom";
import { focusUnheard, panels } from "./keyboard";
import { loadPart } from "./lazy";
import { List } from "./list";
import { markdown, safeUrl } from "./markdown";
import { Messages, NEW } from "./messages";
import { absence } from "./presence";
import { quietly } from "./storage";
import { fill, isRightToLeft, type Texts } from "./texts";
import { Times } from "./times";
import type { Source, Turn } from "./types";

/** The limit of the service for one message, in characters. */
const MAX_LENGTH = 8_000;
/** How much of the list is seen before the beginning of an answer, in pixels. */
const BEGIN_PX = 8;
/** Nearer to the end than this, the list follows new messages, in pixels. */
const END_PX = 60;
/** Messages that the visitor did not write. */
const THEIRS = ".ai, .agent";
/** Focus traps take the focus within this time, some by a timer. */
const HOLD_MS = 100;
/** The screens on which the panel is all that there is, as in the style sheet. */
export const PHONE = "(max-width: 480px)";
export class View {
  readonly panel: HTMLDialogElement;
  readonly #root: ShadowRoot;
  readonly #chat: Chat;
  #texts: Texts;
  readonly #title = h("div", { class: "title", part: "title", id: "title" });
  readonly #who = h("div", { class: "who" });
  readonly #person: HTMLButtonElement;
  readonly #closing: HTMLButtonElement;
  readonly #list = new List(h("div", { role: "list" }), (element) => this.#keepFocus(element));
  readonly #messages: Messages;
  /** The search over the articles, before the first message. */
  readonly #query = h("input", { type: "search", maxlength: 500, part: "search", enterkeyhint: "search" });
  readonly #searching = h("button", { class: "icon" }, icon(ICONS.find));
  readonly #search: HTMLFormElement;
  /** Leads to the articles, also during a conversation. It is always there: nothing moves. */
  readonly #seek: HTMLButtonElement;
  readonly #log: HTMLElement;
  /** The questions to the visitor, between messages and field. */
  readonly #cards: Cards;
  readonly #body: HTMLElement;
  #articles: Articles | null = null;
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
  #times = new Times("en", "en");
  #announced = "";
  #isTooLong = false;
  /** The page takes the focus from the field. */
  #isTrapped = false;
  /** The end of the list is in sight, and stays there. */
  #isFollowing = true;

  constructor(root: ShadowRoot, chat: Chat, texts: Texts, close: () => void) {
    this.#root = root;
    this.#chat = chat;
    this.#texts = texts;
    const act = (name: string, run: () => void, ...content: (Node | string)[]) =>
      h("button", { type: "button", class: name, part: name, onclick: run }, ...content);
    this.#messages = new Messages(
      chat,
      {
        say: (text) => this.#say(text),
        openArticle: (source) => this.#openArticle(source),
        askPerson: () => this.#askPerson(),
        actions: () => loadPart("actions", root),
      },
      texts,
      this.#times,
    );
    this.#cards = new Cards(chat, {
      keepFocus: (element) => this.#keepFocus(element),
      focus: () => this.focus(),
      say: (text) => this.#say(text),
      load: () => loadPart("cards", root),
    });
    this.#search = h(
      "form",
      { class: "find", role: "search", onsubmit: (event: Event) => this.#find(event) },
      this.#query,
      this.#searching,
    );
    this.#log = h(
      "div",
      { class: "log", part: "messages", tabindex: 0, role: "region" },
      this.#list.element,
      this.#search,
    );
    this.#person = act("person", () => this.#askPerson());
    this.#seek = act("seek", () => this.#openArticles((articles) => articles.search("")), icon(ICONS.find));
    this.#closing = act("close", close, icon(ICONS.close));
    this.#newer = act("newer", () => this.toEnd());
    this.#cancel = act("text", () =>
      loadPart("actions", root).then(
        (part) => part.cancel(chat),
        (error) => chat.explain(error),
      ),
    );
    this.#bar = h("div", { class: "bar", part: "status" }, this.#barText, this.#cancel);
    this.#again = act("text", () => chat.retry());
    this.#notice = h("div", { class: "bar notice", part: "notice" }, this.#noticeText, this.#again);
    this.#field = h("textarea", { rows: 1, part: "field", enterkeyhint: "send", dir: "auto" });
    this.#sending = h("button", { class: "send", part: "send" }, icon(ICONS.send));
    this.#body = h(
      "div",
      { class: "body" },
      this.#log,
      this.#newer,
      this.#cards.element,
      this.#bar,
      this.#notice,
      h(
        "form",
        { class: "form", part: "form", onsubmit: (event: Event) => this.#submit(event) },
        this.#seek,
        this.#field,
        this.#sending,
      ),
    );
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
      this.#body,
      this.#said,
    );
    this.#field.value = chat.storage.draft;
    this.#field.addEventListener("input", () => {
      chat.storage.draft = this.#field.value;
      this.#measure();
    });
    this.#field.addEventListener("pointerdown", () => this.#hold(true));
    panels.set(this.panel, (event) => {
      if (composes(event)) return;
      if (event.key === "Enter" && !event.shiftKey && !event.repeat && this.#root.activeElement === this.#field) this.#submit(event);
      if (event.key !== "Escape" || this.panel.querySelector("dialog")) return;
      event.preventDefault();
      if (!this.#articles?.back()) close();
    });
    // The browser's own way to close what covers a page.
    this.panel.addEventListener("close", () => this.#isShown || this.panel.hidden || close());
    this.#log.addEventListener("scroll", () => {
      this.#isFollowing = this.#isAtEnd();
      this.#showNewer(false);
    });
    // If what stands below grows, the end stays in sight.
    new ResizeObserver(() => this.#isFollowing && this.toEnd()).observe(this.#log);
    this.#newer.hidden = true;
  }

  /** Gives the field the focus. */
  focus(): void {
    this.#field.focus();
    this.#hold(true);
  }

  /** Takes the focus back from a focus trap of the page, if it `fights`; what cannot be taken back is said. */
  #hold(fights: boolean): void {
    setTimeout(() => {
      const isLost = this.#isShown && !this.#root.activeElement;
      if (isLost && fights) {
        focusUnheard(this.#field);
        this.#hold(false);
      } else if (isLost !== this.#isTrapped) {
        this.#isTrapped = isLost;
        this.render();
      }
    }, HOLD_MS);
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
  speak(texts: Texts, language: string, locale: string): void {
    this.#texts = texts;
    this.#times = new Times(locale, language);
    this.#messages.use(texts, this.#times);
    this.#cards.speak(texts);
    this.#articles?.close();
    this.#articles = null;
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
    this.#query.ariaLabel = this.#query.placeholder = this.#seek.ariaLabel = this.#seek.title = texts.articles;
    this.#searching.ariaLabel = texts.find;
    this.#list.clear();
    this.render();
  }

  render(): void {
    const [chat, texts] = [this.#chat, this.#texts];
    const ownership = chat.turns.session?.ownership ?? "ai";
    const wasAtEnd = this.#isAtEnd();
    if (this.#field.value !== chat.storage.draft) this.#field.value = chat.storage.draft;
    this.#search.hidden = !chat.isReady || !!chat.turns.all.size || !!chat.outbox.length;
    const fresh = this.#list.arrange(this.#messages.lines());
    const agent = ownership === "human" ? this.#messages.agentName() : texts.assistant;
    setText(this.#who, ownership === "pending_handover" ? texts.agent : agent);
    this.#show(this.#person, chat.mayAsk);
    const away = absence(chat.saved, texts, this.#times);
    const place = chat.turns.session?.queuePosition;
    const waits = away || (place ? fill(texts.queue, { n: place }) : texts.waiting);
    // The message that tells of the end is enough.
    const hasEnded = ownership === "closed" && chat.turns.sorted.at(-1)?.event !== "closed";
    const asks = chat.saved.asking ? texts.asking : "";
    const told = asks || (ownership === "pending_handover" ? waits : hasEnded ? texts.ended : "");
    this.#cards.follow(away);
    setText(this.#barText, told);
    this.#show(this.#cancel, ownership === "pending_handover");
    this.#show(this.#bar, !!told);
    const tooLong = this.#isTooLong ? fill(texts.tooLong, { n: length(this.#field.value) - MAX_LENGTH }) : "";
    const trapped = this.#isTrapped ? texts.keyboard : "";
    const notice = trapped || tooLong || (chat.notice ? fill(texts[chat.notice.kind], { n: chat.notice.seconds ?? 0 }) : "");
    setText(this.#noticeText, notice);
    this.#show(this.#again, !tooLong && !trapped && !!chat.notice && chat.notice.kind !== "progress");
    this.#show(this.#notice, !!notice);
    const state = notice || told || (chat.isAnswering ? texts.typing : "");
    if (state !== this.#announced) {
      this.#announced = state;
      if (state) this.#say(state);
    }
    if (wasAtEnd) this.#follow(fresh);
    else if (fresh.length) this.#showNewer(true);
  }

  /** Tells those who do not see the list what has come. */
  announce(turns: Turn[]): void {
    loadPart("actions", this.#root).then(
      ({ speech }) => this.#say(turns.map((turn) => this.#messages.said(turn, speech)).join("\n")),
      () => {},
    );
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
    this.#field.focus();
    this.send(this.#field.value);
  }

  /** Sends a message, or keeps it in the field if it is too long. Anything else written there stays. */
  send(text: string): void {
    const content = text.trim();
    if (!content) return;
    const isTooLong = length(content) > MAX_LENGTH;
    if (isTooLong || text === this.#field.value) this.#field.value = this.#chat.storage.draft = isTooLong ? content : "";
    this.#measure();
    if (!isTooLong) this.#chat.write(content);
    this.toEnd();
  }

  /** Says whether what is written is too long for one message. */
  #measure(): void {
    // Nobody keeps the keyboard from a field that is written in.
    const was = this.#isTrapped || this.#isTooLong;
    this.#isTrapped = false;
    this.#isTooLong = length(this.#field.value) > MAX_LENGTH;
    this.#field.ariaInvalid = `${this.#isTooLong}`;
    if (was || this.#isTooLong) this.render();
  }

  /** Asks for a person: at once, if it is known what about. */
  #askPerson(): void {
    const question = this.#chat.outbox.pop()?.content ?? this.#chat.turns.question;
    if (question) this.#chat.escalate(question);
    else {
      this.#cards.asksAbout = true;
      this.render();
    }
  }

  // Articles ----------------------------------------------------------------------------------------------------------

  #openArticle(source: Source): void {
    this.#openArticles((articles) => articles.show(source));
  }

  #find(event: Event): void {
    event.preventDefault();
    this.#openArticles((articles) => articles.search(this.#query.value.trim()));
  }

  /** Opens articles in place of the conversation, which is where it was when they are closed. */
  async #openArticles(open: (articles: Articles) => void): Promise<void> {
    const chat = this.#chat;
    try {
      const Part = await loadPart("articles", this.#root);
      const from = this.#root.activeElement;
      const { scrollTop } = this.#log;
      this.#articles ??= new Part({
        tools: { h, icon, ICONS, markdown },
        chat,
        texts: this.#texts,
        link: (path) => this.#link(path),
        get: (path) => chat.client.call("GET", path),
        say: (text) => this.#say(text),
        send: chat.mayAsk ? (text) => this.send(text) : null,
        closed: () => {
          this.#body.hidden = false;
          this.#log.scrollTop = scrollTop;
          this.#articles = null;
          (from instanceof HTMLElement && from.isConnected ? from : this.#field).focus();
        },
      });
      this.#body.before(this.#articles.element);
      this.#body.hidden = true;
      open(this.#articles);
    } catch (error) {
      chat.explain(error);
    }
  }

  /** The address of an article on the tenant's own pages. */
  #link(path: string): string | null {
    const template = this.#chat.saved.sourceUrlTemplate;
    return template ? safeUrl(template.replace("{path}", path.split("/").map(encodeURIComponent).join("/"))) : null;
  }

  /** Shows what is new since the visitor was here, or the end; what they have just written is there. */
  begin(): void {
    const { firstNew, outbox, turns } = this.#chat;
    this.#showFrom(outbox.every((one) => turns.has(one)) && this.#list.of(NEW + firstNew));
  }

  /** Shows what has come. */
  #follow(fresh: string[]): void {
    // A list that is made anew has all of the conversation.
    if (fresh.includes("greeting") || fresh.includes(NEW + this.#chat.firstNew)) this.begin();
    else this.#showFrom(fresh.map((key) => this.#list.of(key)).find((one) => one?.matches(THEIRS)));
  }

  /** Shows the end. If that is longer than what is seen, `first` is at the top, unless the newest answer began too low. */
  #showFrom(first?: HTMLElement | false): void {
    this.toEnd();
    const newest = [...this.#log.querySelectorAll(THEIRS)].pop();
    if (!first || !newest) return;
    const { top, height } = this.#log.getBoundingClientRect();
    const above = (element: Element, room: number) => element.getBoundingClientRect().top - top - room;
    const up = Math.max(above(first, BEGIN_PX), above(newest, height / 2));
    if (up < 0) this.#log.scrollTop += up;
    this.#isFollowing = this.#isAtEnd();
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
}

/** The length of a text as the service counts it. */
function length(text: string): number {
  return [...text].length;
}

/** Whether a key belongs to an input method, also the one that ends a composition, for which Safari sets no `isComposing`. */
function composes(event: KeyboardEvent): boolean {
  return event.keyCode === 229;
}
