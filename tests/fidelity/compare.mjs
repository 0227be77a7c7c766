// Compares what a browser shows of a source with what its entries show.

import { diffArrays } from "diff";

const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFE0E\uFE0F]/g;
const RAISED = /[\u00B2\u00B3\u00B9\u2070\u2074-\u207B]+/g;
/** Scripts that put no space between words: each character is a word. */
const UNSPACED = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。「」『』（）：，！？；“”])/gu;

/**
 * Words as they are compared. A colon ends the name of a value (`**Weight**: 5 kg`), a semicolon a paragraph of a cell,
 * a comma one of several terms; `›` stands between headings. At the beginning of a line of plain text a mark of an item
 * is no word, all forms of numbers are the same, and a line of marks alone separates paragraphs.
 */
export function words(text, isPlain) {
  const clean = (isPlain ? withoutMarks(text) : text)
    .replace(INVISIBLE, "")
    .replace(RAISED, (raised) => ` ${raised.normalize("NFKC").replace("−", "-")} `)
    .replace(UNSPACED, " $1 ");
  const bare = (word) =>
    word
      .replace(/(?<=[^:;,])[:;,]+$/, "")
      .replace(/^[([](\d{1,3})[)\]]$/, "$1")
      .replace(/^[−–](?=\d)/, "-");
  return clean
    .split(/[\s›]+/)
    .map(bare)
    .filter((word) => word && word !== ";");
}

/** Marks that begin an item of plain text; an entry may keep them. */
const MARKS = ["-", "*", "+", "•"];
const withoutMarks = (text) =>
  text
    .replace(/^\s*([-=*_])\1{2,}\s*$/gm, "")
    .replace(/(?<=^|\s)(\d+)\)(?=\s)/g, "$1.")
    .replace(/^\s*[-*+•](?=\s)/gm, "");

/** A text's words without what stands between them, so that lines of a cell may be joined by any mark. */
const bare = (text) => words(text).join("").replace(/[:;,]/g, "");
const hasDigit = (word) => /\p{Nd}/u.test(word);

/** What the entries show, in order: each heading once, then the content. */
export function ofEntries(entries, shown) {
  const text = [];
  let before = [];
  for (const [at, { title }] of entries.entries()) {
    const path = title.replace(/ \(\d+\/\d+\)$/, "").split(" › ");
    const same = path.findIndex((heading, level) => heading !== before[level]);
    text.push(...(same < 0 ? [] : path.slice(same)), shown[at].text);
    before = path;
  }
  const all = (field) => shown.flatMap((one) => one[field]);
  return { text: text.join("\n"), items: all("items"), rows: all("rows"), links: all("links") };
}

/**
 * The differences of a source and its entries.
 *
 * @param {string[]} repeated texts whose words an entry may repeat: titles, heads and cells of tables, kinds of boxes
 */
export function compare(source, entry, repeated, isPlain) {
  const differences = [];
  const figures = { words: 0, lost: 0, added: 0, moved: 0, numbers: 0, numbersLost: 0, numbersAdded: 0 };
  const repeatable = new Set([...repeated.flatMap((text) => words(text)), ...(isPlain ? MARKS : [])]);
  compareWords(words(source.text, isPlain), words(entry.text, isPlain), repeatable, figures, differences);
  compareItems(source, entry, figures, differences);
  compareCells(source, entry, figures, differences);
  compareLinks(source, entry, figures, differences);
  compareAddresses(source, entry, figures, differences);
  return { figures, differences };
}

function compareWords(from, to, repeated, figures, differences) {
  const changes = diffArrays(from, to, { timeout: 5000 }) ?? [
    { removed: true, value: from },
    { added: true, value: to },
  ];
  const left = {
    removed: bag(changes.filter(({ removed }) => removed)),
    added: bag(changes.filter(({ added }) => added)),
  };
  figures.words = from.length;
  figures.numbers = from.filter(hasDigit).length;
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at];
    if (!change.removed && !change.added) continue;
    const next = changes[at + 1];
    const isPair = next && (next.removed || next.added) && next.removed !== change.removed;
    const removed = change.removed ? change.value : isPair ? next.value : [];
    const added = change.added ? change.value : isPair ? next.value : [];
    const context = changes[at - 1]?.value.slice(-4).join(" ") ?? "";
    if (isPair) at += 1;
    // A price whose cents are raised.
    if (removed.length === 2 && removed.join(".") === added.join(" ")) continue;
    // A word that stands elsewhere has moved.
    const moved = [];
    const lost = removed.filter((word) => !take(left.added, word) || (moved.push(word), false));
    const more = added.filter((word) => !take(left.removed, word) && !repeated.has(word));
    figures.moved += moved.length;
    if (moved.length) differences.push({ kind: "moved words", context, lost: moved, added: [] });
    figures.lost += lost.length;
    figures.added += more.length;
    figures.numbersLost += lost.filter(hasDigit).length;
    figures.numbersAdded += more.filter(hasDigit).length;
    if (lost.length || more.length) differences.push({ kind: kindOf(lost, more), context, lost, added: more });
  }
}

/** How often each word occurs. */
function bag(changes) {
  const counts = new Map();
  for (const word of changes.flatMap(({ value }) => value)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Whether the word was still in the bag; it is removed once. */
function take(counts, word) {
  const count = counts.get(word) ?? 0;
  if (count) counts.set(word, count - 1);
  return count > 0;
}

/** What happened to the words, for the list of differences. */
function kindOf(lost, added) {
  const plain = (list) => list.join("").replace(/[^\p{L}\p{N}]/gu, "");
  if (lost.join("") === added.join("")) return "spaces";
  if (plain(lost) === plain(added)) return "marks";
  if ([...lost, ...added].some(hasDigit)) return "numbers";
  if (!lost.length) return "added words";
  if (!added.length) return lost.length > 4 ? "lost passage" : "lost words";
  return "changed words";
}

function compareItems(source, entry, figures, differences) {
  const key = (item) => bare(item.text).slice(0, 60);
  const left = entry.items.map((item) => ({ text: bare(item.text), number: item.number }));
  const anywhere = bare(entry.text);
  Object.assign(figures, { items: 0, itemsLost: 0, itemsRenumbered: 0, itemsUnlisted: 0 });
  const differ = (kind, item, lost = [], added = []) =>
    differences.push({ kind, context: item.text.trim().slice(0, 90), lost, added });
  for (const item of source.items.filter(key)) {
    figures.items += 1;
    const begins = left.filter(({ text }) => text.startsWith(key(item)));
    const found = begins.find(({ number }) => number === item.number) ?? begins[0];
    if (found) left.splice(left.indexOf(found), 1);
    if (found && found.number !== item.number) {
      figures.itemsRenumbered += 1;
      differ("item renumbered", item, [item.number ?? "•"], [found.number ?? "•"]);
    } else if (!found) {
      const isShown = anywhere.includes(key(item));
      figures[isShown ? "itemsUnlisted" : "itemsLost"] += 1;
      differ(isShown ? "item outside of a list" : "item lost or changed", item);
    }
  }
}

/** Each row of the source must be one row, item or paragraph of the entries. */
function compareCells(source, entry, figures, differences) {
  const lines = [
    ...entry.rows.map((row) => row.join("\t")),
    ...entry.text.split("\n"),
    ...entry.items.map((item) => item.text),
  ].map(bare);
  Object.assign(figures, { cells: 0, cellsLost: 0 });
  for (const row of source.rows) {
    const cells = row.map(bare).filter(Boolean);
    figures.cells += cells.length;
    const missing = (line) => cells.filter((cell) => !line.includes(cell)).length;
    let least = cells.length;
    for (const line of lines) {
      if (cells.slice(0, 2).some((cell) => line.includes(cell))) least = Math.min(least, missing(line));
      if (!least) break;
    }
    figures.cellsLost += least;
    if (least)
      differences.push({
        kind: "row not in one row",
        context: row
          .map((cell) => cell.trim())
          .join(" | ")
          .slice(0, 160),
        lost: [`${least} of ${cells.length} cells`],
        added: [],
      });
  }
}

function compareLinks(source, entry, figures, differences) {
  const same = (href) =>
    href
      .replaceAll("%28", "(")
      .replaceAll("%29", ")")
      .replace(/^mailto:/, "")
      .replaceAll("%40", "@")
      .replace(/\/$/, "");
  const targets = new Map();
  for (const { href } of entry.links) targets.set(same(href), (targets.get(same(href)) ?? 0) + 1);
  Object.assign(figures, { links: 0, linksLost: 0 });
  for (const { text, href } of source.links) {
    figures.links += 1;
    const left = targets.get(same(href)) ?? 0;
    // The chat makes a link of an address that stands in a text.
    const isText =
      same(text) === same(href) || same(`https://${text}`) === same(href) || same(`http://${text}`) === same(href);
    if (left) targets.set(same(href), left - 1);
    else if (!(isText && entry.text.includes(text))) {
      figures.linksLost += 1;
      differences.push({ kind: "link lost or changed", context: text.slice(0, 60), lost: [href], added: [] });
    }
  }
}

function compareAddresses(source, entry, figures, differences) {
  const linked = (links) =>
    links
      .filter(({ href }) => /^(mailto|tel):/.test(href))
      .map(({ href }) => decodeURIComponent(href.replace(/^\w+:/, "").split("?")[0]));
  const found = new Set([
    ...(source.text.match(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g) ?? []),
    ...(source.text.match(/(?:\+|\b00|\b0|\(\d)[\d ()./-]{7,}\d/g) ?? []),
    ...linked(source.links),
  ]);
  const all = bare([entry.text, ...entry.links.map(({ href }) => href)].join(" "));
  Object.assign(figures, { addresses: found.size, addressesLost: 0 });
  for (const address of found) {
    if (all.includes(bare(address))) continue;
    figures.addressesLost += 1;
    differences.push({ kind: "address lost or changed", context: "", lost: [address], added: [] });
  }
}
