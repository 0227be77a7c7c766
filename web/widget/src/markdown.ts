// The service's safe Markdown (CommonMark without HTML) as elements; an image is a link of the class `image`. The work is linear in the length of the
// text, and the depth of the elements is bounded. What is not understood is shown as text.

import { h, straight } from "./dom";

/** Containers within each other, and delimiters that wait for their end, at the most. */
const MAX_DEPTH = 12;
const MAX_OPEN = 40;

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: "\u00A0" };

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** The row of hyphens under the head of a table. */
const COLUMNS = /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?$/;
const MARKER = /^( {0,3})([-+*]|\d{1,9}[.)])(?: {1,4}(?=\S)| +|$)/;

/** An address in running text, and what ends a sentence after it. */
const BARE_URL = /\bhttps?:\/\/[^\s<>"'`\\]{1,2000}/;
const AFTER_URL = /[.,;:!?)\]}*_]{1,20}$/;

interface Container {
  element: HTMLElement;
  /** The width of a list item's marker; none for a quotation. */
  indent?: number;
  /** The list that the item is in, and its kind of marker. */
  list?: HTMLElement;
  kind?: string;
}

/** An address that a link may lead to; null for any other. */
export function safeUrl(address: string): string | null {
  try {
    const url = new URL(address);
    return /^(https?|mailto|tel):$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** A link that leaves the page as it is, and tells the other site nothing of it. A call opens no tab. */
export function link(address: string, hint: string, text = ""): HTMLAnchorElement {
  const tab = { target: "_blank", rel: "noopener noreferrer nofollow", title: hint };
  return h("a", { href: address, ...(address.startsWith("tel:") ? {} : tab) }, text);
}

/** Renders a text; `hint` says that a link opens in a new tab. */
export function markdown(text: string, hint: string): DocumentFragment {
  const root = h("div");
  const lines = straight(text).split(/\r\n?|\n/);
  let stack: Container[] = [];
  let paragraph: { element: HTMLElement; lines: string[] } | null = null;
  let fence: { element: HTMLElement; lines: string[]; mark: string; depth: number } | null = null;
  let table: { body: HTMLElement; sides: string[] } | null = null;
  const parent = () => stack.at(-1)?.element ?? root;
  const finish = () => {
    if (paragraph) inline(paragraph.element, paragraph.lines.join("\n").trim(), hint);
    if (fence) fence.element.textContent = fence.lines.join("\n");
    paragraph = fence = table = null;
  };
  const block = (element: HTMLElement) => {
    finish();
    parent().append(element);
    return element;
  };

  for (const whole of lines) {
    let line = whole.replace(/\t/g, "    ");
    const blank = !line.trim();
    // The containers that go on in this line.
    let open = 0;
    for (const container of stack) {
      const indent = container.indent;
      const quote = indent === undefined ? /^ {0,3}> ?/.exec(line) : null;
      if (quote) line = line.slice(quote[0].length);
      else if (indent !== undefined && (blank || line.search(/\S/) >= indent)) line = line.slice(indent);
      else break;
      open += 1;
    }
    if (fence) {
      const { mark, depth }: { mark: string; depth: number } = fence;
      const closing = line.trim();
      if (open < depth || (closing.length >= mark.length && closing === mark[0]!.repeat(closing.length))) finish();
      else fence.lines.push(line);
      if (open >= depth) continue;
    }
    const starts =
      FENCE.test(line) || HEADING.test(line) || RULE.test(line) || MARKER.test(line) || /^ {0,3}>/.test(line);
    if (open < stack.length && !(paragraph && !blank && !starts)) {
      const left = stack[open]!;
      finish();
      stack = stack.slice(0, open);
      // The next item of the same list.
      const item = MARKER.exec(line);
      if (left.list && item && !RULE.test(line) && left.kind === item[2]!.slice(-1)) {
        line = openItem(item, line, left.list);
      }
    }
    // New containers.
    while (stack.length < MAX_DEPTH && !fence) {
      const quote = /^ {0,3}> ?/.exec(line);
      const item = RULE.test(line) ? null : MARKER.exec(line);
      if (quote) {
        stack.push({ element: block(h("blockquote")) });
        line = line.slice(quote[0].length);
      } else if (
        item &&
        !(paragraph && (/^\d/.test(item[2]!) ? parseInt(item[2]!) !== 1 : !line.slice(item[0].length)))
      ) {
        const ordered = /\d/.test(item[2]!);
        const list = block(ordered ? h("ol", { start: parseInt(item[2]!) }) : h("ul"));
        line = openItem(item, line, list);
      } else break;
    }
    // The leaf.
    const started = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (started) {
      const code = h("code");
      block(h("pre", { tabindex: 0 }, code));
      fence = { element: code, lines: [], mark: started[1]!, depth: stack.length };
    } else if (heading) {
      inline(block(h("p", { class: "heading" })), heading[1] ?? "", hint);
    } else if (table && line.trim()) {
      const { body, sides }: { body: HTMLElement; sides: string[] } = table;
      body.append(row("td", cells(line), sides));
    } else if (paragraph && opensTable(paragraph, line)) {
      const { element, lines }: { element: HTMLElement; lines: string[] } = paragraph;
      const head = cells(lines.pop()!);
      if (!lines.length) element.remove();
      const sides = cells(line).map((cell) => (cell.endsWith(":") ? (cell[0] === ":" ? "middle" : "end") : ""));
      const body = h("tbody");
      block(
        h("div", { class: "wide", tabindex: 0 }, h("table", {}, h("thead", {}, row("th", head, sides)), body)),
      );
      table = { body, sides };
    } else if (paragraph && UNDERLINE.test(line)) {
      (paragraph as { element: HTMLElement }).element.className = "heading";
      finish();
    } else if (RULE.test(line)) {
      block(h("hr"));
    } else if (!line.trim()) {
      finish();
    } else {
      const current: { element: HTMLElement; lines: string[] } = paragraph ?? { element: block(h("p")), lines: [] };
      current.lines.push(line.trimStart());
      paragraph = current;
    }
  }
  finish();
  const all = document.createDocumentFragment();
  all.append(...root.childNodes);
  return all;

  /** A row of as many cells as it has, and no more than the head. */
  function row(tag: "th" | "td", texts: string[], sides: string[]): HTMLElement {
    const made = texts.slice(0, sides.length).map((text, at) => {
      const cell = h(tag, { class: sides[at]! });
      inline(cell, text, hint);
      return cell;
    });
    if (made.length === 1) made[0]!.colSpan = sides.length;
    return h("tr", {}, ...made);
  }

  function openItem(item: RegExpExecArray, line: string, list: HTMLElement): string {
    finish();
    const element = h("li");
    list.append(element);
    stack.push({ element, indent: item[0].length, list, kind: item[2]!.slice(-1) });
    return line.slice(item[0].length);
  }
}

/** Whether a line makes the line before it the head of a table. */
function opensTable({ lines }: { lines: string[] }, line: string): boolean {
  const head = lines.at(-1)!;
  return (head + line).includes("|") && COLUMNS.test(line) && cells(head).length === cells(line).length;
}

/** The cells of a row; a bar after a backslash is text. */
function cells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

interface Delimiter {
  node: Text;
  mark: string;
}

/** Renders the text of one block into `into`. */
function inline(into: HTMLElement, text: string, hint: string): void {
  const emphasis: Delimiter[] = [];
  const brackets: { node: Text; delimiters: number; mark?: Text | false }[] = [];
  const word = /(?:(?!\bhttps?:\/\/)[^\\`<&[\]*_~\n])+/y;
  const bare = new RegExp(BARE_URL, "y");
  const autolink = /<((?:https?:|mailto:|tel:)[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})>/y;
  const entity = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/iy;
  const target =
    /\(\s{0,9}(?:<([^<>\n]{0,2000})>|([^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,2000}){0,8}))(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,9}\)/y;
  const add = (text: string): Text => {
    const node = document.createTextNode(text);
    into.append(node);
    return node;
  };
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  for (let at = 0; at < text.length;) {
    const plain = match(word, at);
    if (plain) {
      const hard = text[at + plain[0].length] === "\n" && / {2,}$/.test(plain[0].slice(-3));
      add(plain[0]);
      at += plain[0].length;
      if (hard) into.append(h("br"));
      continue;
    }
    const address = match(bare, at);
    if (address) {
      const shown = address[0].replace(AFTER_URL, "");
      if (brackets.length) add(shown);
      else linkify(into, shown, hint);
      at += shown.length;
      continue;
    }
    const character = text[at]!;
    const found = character === "<" ? match(autolink, at) : character === "&" ? match(entity, at) : null;
    const next = text[at + 1] ?? "";
    if (character === "\\" && next === "\n") {
      into.append(h("br"));
      at += 2;
    } else if (character === "\\" && /[!-/:-@[-`{-~]/.test(next)) {
      add(next);
      at += 2;
    } else if (character === "`") {
      const [run] = match(/`+/y, at)!;
      at += run.length;
      // At most one run of each length finds no other, so all searches together stay short.
      const end = match(new RegExp(`(?<!\`)${run}(?!\`)`, "g"), at)?.index;
      if (end === undefined) add(run);
      else {
        const code = text.slice(at, end).replace(/\n/g, " ");
        into.append(h("code", {}, /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code));
        at = end + run.length;
      }
    } else if (character === "<" && found) {
      const url = safeUrl(found[1]!.includes(":") ? found[1]! : `mailto:${found[1]}`);
      if (url) into.append(link(url, hint, found[1]!));
      else add(found[0]);
      at += found[0].length;
    } else if (character === "&" && found) {
      add(decode(found[0]));
      at += found[0].length;
    } else if (character === "[") {
      const mark = text[at - 1] === "!" && text[at - 2] !== "\\" && (into.lastChild as Text);
      if (brackets.length < MAX_OPEN) brackets.push({ node: add("["), delimiters: emphasis.length, mark });
      else add("[");
      at += 1;
    } else if (character === "]") {
      const opener = brackets.pop();
      const destination = opener && next === "(" ? match(target, at + 1) : null;
      at += 1;
      if (!opener || !destination) {
        add("]");
        continue;
      }
      at += destination[0].length;
      const url = safeUrl(decode(destination[1] ?? destination[2] ?? ""));
      const { mark } = opener;
      const holder = url ? link(url, hint) : h("span");
      while (opener.node.nextSibling) holder.append(opener.node.nextSibling);
      opener.node.replaceWith(holder);
      if (mark) {
        mark.data = mark.data.slice(0, -1);
        if (url) holder.className = "image";
      }
      emphasis.length = Math.min(emphasis.length, opener.delimiters);
      // Links are not within links.
      if (url && !mark) brackets.length = 0;
    } else if ("*_~".includes(character)) {
      let end = at;
      while (text[end] === character) end += 1;
      delimit(text.slice(at, end), text[at - 1] ?? " ", text[end] ?? " ");
      at = end;
    } else {
      add(character);
      at += 1;
    }
  }

  function delimit(run: string, before: string, after: string): void {
    if (run[0] === "~" && run !== "~~") return void add(run);
    const isSpace = (c: string) => /\s/.test(c);
    const isMark = (c: string) => /[\p{P}\p{S}]/u.test(c);
    const left = !isSpace(after) && (!isMark(after) || isSpace(before) || isMark(before));
    const right = !isSpace(before) && (!isMark(before) || isSpace(after) || isMark(after));
    const under = run[0] === "_";
    const opens = left && (!under || !right || isMark(before));
    let rest = run;
    if (right && (!under || !left || isMark(after))) {
      for (let at = emphasis.length - 1; at >= 0 && rest; at -= 1) {
        const opener = emphasis[at]!;
        if (opener.mark !== run[0]) continue;
        const used = opener.node.length >= 2 && rest.length >= 2 ? 2 : 1;
        const holder = h(run === "~~" ? "s" : used === 2 ? "strong" : "em");
        while (opener.node.nextSibling) holder.append(opener.node.nextSibling);
        into.append(holder);
        opener.node.data = opener.node.data.slice(used);
        rest = rest.slice(used);
        emphasis.length = at + 1;
        if (opener.node.length) at += 1;
        else {
          opener.node.remove();
          emphasis.length = at;
        }
      }
    }
    if (!rest) return;
    const node = add(rest);
    if (opens && emphasis.length < MAX_OPEN) emphasis.push({ node, mark: run[0]! });
  }
}

/** Adds a text, with bare addresses as links. */
function linkify(into: HTMLElement, text: string, hint: string): void {
  let done = 0;
  for (const found of text.matchAll(new RegExp(BARE_URL, "g"))) {
    const shown = found[0].replace(AFTER_URL, "");
    const url = safeUrl(shown);
    if (!url) continue;
    into.append(text.slice(done, found.index), link(url, hint, shown));
    done = found.index + shown.length;
  }
  if (done < text.length) into.append(text.slice(done));
}

/** A text that is no Markdown: what people wrote. */
export function plainText(text: string, hint: string): HTMLElement {
  const element = h("p", { class: "plain" });
  linkify(element, straight(text), hint);
  return element;
}

/** A text with its entities as what they stand for; unknown ones stay. */
function decode(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (name[0] !== "#") return ENTITIES[name.toLowerCase()] ?? whole;
    const code = Number(name.slice(1).replace(/^x/i, "0x"));
    return code > 0x1f && code < 0xd800 ? straight(String.fromCharCode(code)) : whole;
  });
}
