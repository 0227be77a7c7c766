// `<support-chat>`: the launcher, the panel, and what a page may set, call and hear.

import { ApiError, send } from "./api";
import { Chat } from "./chat";
import { h, icon, ICONS, setText } from "./dom";
import { loadPart } from "./lazy";
import { quietly } from "./storage";
import { dress, UNUSABLE } from "./styles";
import { english, fill, isRightToLeft, languageOf, load, type AllTexts, type Texts } from "./texts";
import type { Turn, WidgetToken } from "./types";
import { PHONE, View } from "./view";

export class SupportChat extends HTMLElement {
  static readonly observedAttributes = ["open", "locale", "external-user-id"];

  // The page may have set these before the module ran.
  /** Fetches the token from the site's server, instead of `token-url`. */
  getToken: ((signal: AbortSignal) => Promise<WidgetToken>) | null = Reflect.get(this, "getToken") ?? null;
  /** Texts in place of the widget's own. */
  texts: Partial<AllTexts> = Reflect.get(this, "texts") ?? {};

  readonly #root = this.attachShadow({ mode: "open" });
  #chat: Chat | null = null;
  #view: View | null = null;
  /** Between the element, which the page's style sheets reach, and all that is shown. */
  readonly #wrapper = h("div", { class: "root" });
  readonly #launcher: HTMLButtonElement;
  readonly #badge = h("span", { class: "badge", part: "badge", "aria-hidden": "true" });
  #spoken: Texts = english;
  /** The file of the tenant's look, once there is one. */
  #look?: ReturnType<typeof loadPart<"look">>;
  #language = "en";
  /** The element that had the focus before the panel. */
  #origin: HTMLElement | null = null;
  #end = new AbortController();
  /** In no attribute: a framework that compares the page with its server's takes those away. */
  #isOpen = false;
  /** The page's title as this element set it, and without its count. */
  #title = { set: "", plain: "" };

  constructor() {
    super();
    dress(this.#root);
    this.#launcher = h(
      "button",
      { type: "button", class: "launcher", part: "launcher", onclick: () => this.show() },
      icon(ICONS.chat),
      this.#badge,
    );
    this.#wrapper.append(this.#launcher);
    this.#root.append(this.#wrapper);
    // A property of the element itself, set before the module ran, hides the accessor.
    const { open } = this;
    if (Reflect.deleteProperty(this, "open")) this.open = open;
  }

  /** Whether the panel is open. */
  get open(): boolean {
    return this.#isOpen;
  }

  set open(value: boolean) {
    if (this.#isOpen === !!value) return;
    this.#isOpen = !!value;
    if (this.#chat) this.#opened();
  }

  /** Shortcuts of a page that hear of a key first leave alone what is typed in text that is edited. */
  override get isContentEditable(): boolean {
    return !!this.#root.activeElement?.closest(".panel");
  }

  /** Opens the panel and gives it the focus. */
  show(): void {
    if (this.open) return;
    this.open = true;
    this.#view?.focus();
  }

  /** Closes the panel and gives the focus back. */
  close(): void {
    this.open = false;
  }

  toggle(): void {
    if (this.open) this.close();
    else this.show();
  }

  /** Sends a message in the visitor's name, and opens the panel. */
  send(content: string): void {
    if (!content.trim()) return;
    this.show();
    this.#view?.send(content);
  }

  /** Forgets the visitor: to be called when the site's user signs out. */
  logout(): void {
    this.#chat?.logout();
    this.close();
  }

  connectedCallback(): void {
    this.#end = new AbortController();
    dress(document, UNUSABLE);
    this.#setUp();
    const { signal } = this.#end;
    document.addEventListener("visibilitychange", () => this.#chat?.visibilityChanged(), { signal });
    for (const name of ["online", "offline"]) addEventListener(name, () => this.#chat?.connectionChanged(), { signal });
    matchMedia(PHONE).addEventListener("change", () => this.open && this.#view?.show(), { signal });
    for (const name of ["resize", "scroll"]) visualViewport?.addEventListener(name, () => this.#fit(), { signal });
    if (quietly(() => sessionStorage.getItem(this.#tabKey))) this.open = true;
  }

  /** Being moved by `moveBefore` changes nothing. */
  connectedMoveCallback(): void {}

  disconnectedCallback(): void {
    this.#end.abort();
    this.#tearDown();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (name === "open") {
      if (before === null) this.open = true;
    } else if (!this.#chat || before === now) return;
    else if (name === "locale") this.#speak();
    else {
      const hadFocus = this.#root.activeElement;
      this.#tearDown();
      this.#setUp();
      if (hadFocus) this.#view?.focus();
    }
  }

  #setUp(): void {
    const chat = (this.#chat = new Chat({
      api: this.#api,
      locale: () => this.#locale,
      externalUserId: this.getAttribute("external-user-id"),
      getToken: (signal) => this.#fetchToken(signal),
      changed: () => this.#render(),
      news: (turns: Turn[]) => this.#view?.announce(turns),
      emit: (name, detail) => this.#emit(name, detail),
    }));
    this.#render();
    chat.start();
    if (this.open) this.#opened();
  }

  #tearDown(): void {
    this.#chat?.stop();
    this.#view?.panel.remove();
    this.#chat = this.#view = null;
    this.#setTitle(0);
  }

  get #api(): string {
    return (this.getAttribute("api") ?? "/api/v1").replace(/\/+$/, "");
  }

  get #locale(): string {
    return this.getAttribute("locale") || document.documentElement.lang || navigator.language || "en";
  }

  /** The tab remembers that the panel is open, so that it is after a reload. */
  get #tabKey(): string {
    return `support-chat:open:${this.#api}`;
  }

  async #fetchToken(signal: AbortSignal): Promise<WidgetToken> {
    const url = this.getAttribute("token-url") ?? "/support-chat/token";
    let told: WidgetToken | undefined;
    try {
      told = this.getToken ? await this.getToken(signal) : await send("POST", url, { signal });
      if (told?.token && told.externalUserId) return told;
      throw new ApiError(0, "NO_TOKEN");
    } catch (error) {
      if (!signal.aborted && navigator.onLine) {
        loadPart("actions", this.#root).then((part) => part.complain(this.getToken ? "" : url, told, error), () => {});
      }
      throw error instanceof ApiError ? error : new ApiError(0, "NO_TOKEN");
    }
  }

  #opened(): void {
    const [chat, open] = [this.#chat!, this.open];
    quietly(() => (open ? sessionStorage.setItem(this.#tabKey, "1") : sessionStorage.removeItem(this.#tabKey)));
    if (open === chat.isOpen) return;
    const hadFocus = this.#root.activeElement;
    if (open) {
      this.#origin = focused();
      if (!this.#view) {
        this.#view = new View(this.#root, chat, this.#spoken, () => this.close());
        this.#wrapper.append(this.#view.panel);
        this.#speak();
      }
      this.#view.show();
      chat.open();
      this.#fit();
      this.#view.begin();
      // Only what hides gives its focus on: an attribute takes none from the page.
      if (hadFocus) this.#view.focus();
      this.#launcher.hidden = true;
    } else {
      this.#launcher.hidden = false;
      this.#view!.hide();
      if (hadFocus) this.#giveBack();
      chat.close();
    }
    this.#emit(open ? "open" : "close", {});
  }

  /** Gives the focus back to what had it before the panel. */
  #giveBack(): void {
    const origin = this.#origin;
    (origin?.isConnected && origin !== this && origin !== document.body ? origin : this.#launcher).focus();
  }

  async #speak(): Promise<void> {
    const language = languageOf(this.#locale);
    const loaded = this.#view ? await load(language) : english;
    this.#spoken = { ...loaded, ...this.texts };
    this.#language = loaded === english ? "en" : language;
    this.#view?.speak(this.#spoken, this.#language, this.#locale);
    this.#render();
  }

  #render(): void {
    const unread = this.#chat?.unread ?? 0;
    const label = this.getAttribute("label") ?? this.#spoken.open;
    this.#launcher.lang = this.hasAttribute("label") ? "" : this.#language;
    this.#launcher.dir = isRightToLeft(languageOf(this.#locale)) ? "rtl" : "ltr";
    this.#launcher.ariaLabel = unread ? `${label} – ${fill(this.#spoken.unread, { n: unread })}` : label;
    this.#badge.hidden = !unread;
    setText(this.#badge, unread > 99 ? "99+" : `${unread}`);
    this.#setTitle(unread);
    if (this.#chat?.isOpen) this.#view?.render();
    const saved = this.#chat?.saved;
    // The look is not the visitor's: who signs out takes nothing of it away.
    if (!saved?.token) return;
    const { color, position } = saved.appearance ?? {};
    // At once, so that no launcher changes before the eyes. A value that no service sends changes nothing.
    const isColor = /^"#[\da-f]{6}"$/i.test(JSON.stringify(color));
    this.#wrapper.style.setProperty("--accent", isColor ? `var(--support-chat-accent, ${color})` : "");
    this.#wrapper.dataset.at = JSON.stringify(position);
    if (saved.appearance || saved.suggestions?.[0]) this.#look ??= loadPart("look", this.#root);
    this.#look?.then((part) => part.wear(this, this.#wrapper, saved, this.#spoken.title, setText), () => {});
  }

  #setTitle(unread: number): void {
    const { title } = document;
    const plain = title === this.#title.set ? this.#title.plain : title;
    const wanted = unread ? `(${unread}) ${plain}` : plain;
    if (wanted !== title) document.title = wanted;
    this.#title = { set: document.title, plain };
  }

  /** On a phone the panel is as high as what the keyboard leaves. */
  #fit(): void {
    const panel = this.#view?.panel;
    if (!panel || !visualViewport) return;
    const { height, offsetTop, scale } = visualViewport;
    const fits = innerHeight - height > 1 && scale === 1 && matchMedia(PHONE).matches;
    panel.style.height = fits ? `${height}px` : "";
    panel.style.transform = fits ? `translateY(${offsetTop}px)` : "";
  }

  #emit(name: string, detail: Record<string, unknown>): void {
    this.dispatchEvent(new CustomEvent(`chat-${name}`, { detail, bubbles: true, composed: true }));
  }
}

/** The element with the focus, also within the shadow of others. */
function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement && !(active instanceof SupportChat))
    active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}

if (!customElements.get("support-chat")) customElements.define("support-chat", SupportChat);
