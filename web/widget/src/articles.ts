// Articles of the knowledge base, in place of the conversation: one that is read, or what a search found.

import english from "../languages/en.json";
import css from "./articles.css";
import type { Chat } from "./chat";
import type { h, icon, ICONS } from "./dom";
import type { markdown } from "./markdown";
import pictureCss from "./pictures.css";
import { pictures, type PictureTools } from "./pictures";
import { speech } from "./speech";
import type { AllTexts, Texts } from "./texts";
import type { Source } from "./types";

/** The parts of the main file that this one uses, which is loaded by itself. */
interface Options {
  tools: PictureTools & { icon: typeof icon; ICONS: typeof ICONS; markdown: typeof markdown };
  /** Says whether images are loaded. */
  chat: Chat;
  texts: Texts;
  /** The address of an article on the tenant's own pages, if they have one. */
  link(path: string): string | null;
  get(path: string): Promise<any>;
  say(text: string): void;
  /** Asks the assistant; none while a person is asked. */
  send: ((text: string) => void) | null;
  closed(): void;
}

interface Found extends Source {
  content: string;
}

/** How much of an article a search shows, in characters. */
const EXCERPT = 160;
const LIMIT = 10;
const BACK = "M15 5l-7 7 7 7";

export default class Articles {
  static readonly css = css + pictureCss;
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #texts: AllTexts;
  readonly #page: HTMLElement;
  readonly #query: HTMLInputElement;
  readonly #form: HTMLFormElement;
  /** The pages that were left for the one that is shown. */
  readonly #left: { nodes: Node[]; at: number; from: Element | null; isSearch: boolean }[] = [];
  #isSearch = false;
  /** Counts what was asked for, so that an answer that comes late changes nothing. */
  #asked = 0;

  constructor(options: Options) {
    this.#options = options;
    const texts = (this.#texts = { ...english, ...options.texts });
    const { h, icon, ICONS } = options.tools;
    this.#query = h("input", { type: "search", maxlength: 500, "aria-label": texts.articles, enterkeyhint: "search" });
    this.#form = h(
      "form",
      { class: "find", role: "search", onsubmit: (event: Event) => this.#submit(event) },
      this.#query,
      h("button", { class: "icon", "aria-label": texts.find }, icon(ICONS.find)),
    );
    this.#page = h("div", { class: "page", tabindex: 0, role: "region", "aria-label": texts.articles });
    const back = h(
      "button",
      { type: "button", class: "back", part: "back", onclick: () => this.back() },
      icon(BACK),
      texts.return,
    );
    this.element = h("div", { class: "articles", part: "articles" }, h("div", { class: "tools" }, back, this.#form), this.#page);
  }

  /** Goes back by one page; whether there was one. */
  back(): boolean {
    const before = this.#left.pop();
    if (!before) this.close();
    else {
      this.#asked += 1;
      this.#isSearch = before.isSearch;
      this.#form.hidden = !before.isSearch;
      this.#page.replaceChildren(...before.nodes);
      this.#page.scrollTop = before.at;
      (before.from instanceof HTMLElement ? before.from : this.#page).focus();
    }
    return true;
  }

  close(): void {
    this.#asked += 1;
    this.element.remove();
    this.#options.closed();
  }

  /** Shows one article. */
  show({ path, title }: Source): void {
    const { h, markdown } = this.#options.tools;
    const { link } = this.#options;
    const texts = this.#texts;
    this.#turn(false);
    this.#fill(`/wiki/${path.split("/").map(encodeURIComponent).join("/")}`, texts.missing, (entry) => {
      const address = link(path);
      const body = h("div", { class: "text-body", dir: "auto" }, markdown(entry.content, texts.tab));
      pictures(body, this.#options.chat.saved.showsImages, texts, this.#options.tools);
      const nodes = [h("h2", { dir: "auto" }, entry.title ?? title), body];
      if (address) nodes.push(h("p", {}, outside(h, address, texts)));
      return nodes;
    }, () => [h("h2", { dir: "auto" }, title), ...(link(path) ? [h("p", {}, outside(h, link(path)!, texts))] : [])]);
  }

  /** Shows what a search finds; the newest articles if nothing is asked. */
  search(query: string): void {
    const { send } = this.#options;
    const texts = this.#texts;
    const { h } = this.#options.tools;
    if (!this.#isSearch) this.#turn(true);
    this.#query.value = query;
    const asked = new URLSearchParams({ ...(query ? { q: query } : {}), limit: `${LIMIT}` });
    this.#fill(`/wiki?${asked}`, texts.error, ({ items }: { items: Found[] }) => {
      // Asks at once what no article says.
      const ask = () => {
        this.close();
        send!(query);
      };
      const end = query && send ? [h("button", { type: "button", class: "choice", part: "ask", onclick: ask }, texts.assist)] : [];
      if (!items.length) {
        this.#options.say(texts.none);
        return [h("p", {}, texts.none), ...end];
      }
      this.#options.say(items.map((item) => item.title).join("\n"));
      return [h("ul", { class: "found" }, ...items.map((item) => h("li", {}, this.#found(item)))), ...end];
    });
  }

  #found(item: Found): HTMLElement {
    const { h, markdown } = this.#options.tools;
    // All of it: in the middle of a link it is not Markdown.
    const text = speech(markdown(item.content, ""));
    const short = text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT + 1).replace(/\s\S{0,40}$/, "").slice(0, EXCERPT)} …`;
    return h(
      "button",
      { type: "button", class: "result", dir: "auto", onclick: () => this.show(item) },
      h("b", {}, item.title),
      h("span", {}, short),
    );
  }

  #submit(event: Event): void {
    event.preventDefault();
    this.search(this.#query.value.trim());
  }

  /** Turns to a new page. */
  #turn(isSearch: boolean): void {
    const nodes = [...this.#page.childNodes];
    const root = this.element.getRootNode() as ShadowRoot;
    if (nodes.length) {
      this.#left.push({ nodes, at: this.#page.scrollTop, from: root.activeElement, isSearch: this.#isSearch });
    }
    this.#isSearch = isSearch;
    this.#form.hidden = !isSearch;
  }

  /** Fills the page with what the service answers. */
  async #fill(path: string, otherwise: string, make: (told: any) => Node[], failed: () => Node[] = () => []): Promise<void> {
    const { get, say, tools } = this.#options;
    const texts = this.#texts;
    const asked = (this.#asked += 1);
    const show = (...nodes: Node[]) => {
      if (asked !== this.#asked) return false;
      this.#page.replaceChildren(...nodes);
      this.#page.scrollTop = 0;
      return true;
    };
    show(tools.h("p", {}, texts.loading));
    (this.#isSearch ? this.#query : this.#page).focus();
    try {
      show(...make(await get(path)));
    } catch {
      if (show(...failed(), tools.h("p", {}, otherwise))) say(otherwise);
    }
    if (asked === this.#asked) this.#page.ariaLabel = this.#page.querySelector("h2")?.textContent ?? texts.articles;
  }
}

/** A link to the article on the tenant's own pages. */
function outside(make: typeof h, address: string, texts: AllTexts): HTMLElement {
  return make("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow", title: texts.tab }, texts.website);
}
