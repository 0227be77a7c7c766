// Which card stands between messages and field: the cards are in a file that is loaded with the first one.

import { ApiError } from "./api";
import type { Chat } from "./chat";
import { h, icon, ICONS } from "./dom";
import { fill, english, type Texts } from "./texts";

/** The parts of the panel that the cards use. */
interface Options {
  keepFocus(element: HTMLElement): void;
  /** Gives the focus to the field for messages. */
  focus(): void;
  say(text: string): void;
  /** Loads the file of the cards. */
  load(): Promise<{ make(cards: Cards, wanted: string): void }>;
}

export class Cards {
  readonly element = h("div");
  readonly chat: Chat;
  readonly options: Options;
  readonly tools = { h, icon, ICONS, fill, ApiError };
  texts: Texts = english;
  asksAbout = false;
  changesEmail = false;
  /** The human part whose rating is stored, and may still get a word. */
  rates = "";
  #away = "";
  /** The reason of the card that is shown, or is being loaded. */
  #shown = "";

  constructor(chat: Chat, options: Options) {
    this.chat = chat;
    this.options = options;
  }

  speak(texts: Texts): void {
    this.texts = texts;
    this.#clear();
  }

  /** Shows the card that the conversation asks for; `away` says who is not there. */
  follow(away = this.#away): void {
    this.#away = away;
    const wanted = this.#wanted();
    if (wanted === this.#shown) return;
    this.#clear();
    this.#shown = wanted;
    if (wanted) this.#make(wanted);
  }

  #clear(): void {
    this.#shown = "";
    this.options.keepFocus(this.element);
    this.element.replaceChildren();
  }

  /** The kind of card, a space, and what it is about. */
  #wanted(): string {
    const { turns, mayAsk, saved, isReady } = this.chat;
    const { session, humanPart } = turns;
    if (!mayAsk || turns.question) this.asksAbout = false;
    if (!isReady) return "";
    if (this.asksAbout) return `about ${this.#away}`;
    if (session?.ownership === "pending_handover" && this.#away) {
      const address = session.user?.email ?? "";
      return (address && !this.changesEmail ? "reach " : "email ") + address;
    }
    return humanPart && (saved.rated !== humanPart || this.rates === humanPart) ? `rating ${humanPart}` : "";
  }

  async #make(wanted: string): Promise<void> {
    try {
      const { make } = await this.options.load();
      if (wanted === this.#shown) make(this, wanted);
    } catch {
      // The card that asks for a reason could not be loaded: the button's text is the reason.
      if (this.asksAbout) this.chat.escalate(this.texts.person);
    }
  }
}
