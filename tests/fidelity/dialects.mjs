// Markdown as an independent reader renders it: of the source with its dialect, of an entry as plain CommonMark.

import MarkdownIt from "markdown-it";
import attrs from "markdown-it-attrs";
import deflist from "markdown-it-deflist";
import footnote from "markdown-it-footnote";

const ofSource = new MarkdownIt({ html: true }).use(footnote).use(deflist).use(attrs);
const ofEntry = new MarkdownIt({ html: false });
// A footnote's number stands raised before its text, wherever a site shows it.
ofSource.renderer.rules.footnote_caption = (tokens, at) => `${tokens[at].meta.id + 1}`;
ofEntry.validateLink = () => true;
ofSource.validateLink = () => true;

/** A fence of code; behind backticks that open one stands none. */
const FENCE = /^\s*(?:>\s*)?(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/;

/** The HTML of an entry's content. */
export const entryHtml = (content) => ofEntry.render(content);

/**
 * What a site generator reads, and CommonMark does not: [pattern of a line, what a reader sees of it, reason]. Lines of
 * fenced code stay.
 */
const LINES = [
  [/^(import\s.+\sfrom\s+|import\s+|export\s+(default|const|let|function)\s).*$/, "", "MDX: code of the page"],
  [/^(\s*):::+\s*[\w-]*\s*(?:\[(.*)\]|(.*?))\s*$/, "$1\n$1**$2$3**\n", "Docusaurus, VitePress: a box, and its title"],
  [/^(\s*)(?:>\s*)?\[!(\w+)\][-+]?\s*$/, "$1> ", "GitHub: the kind of a box"],
  [/^(\s*)>\s*\[!\w+\][-+]?\s*(.*)$/, "$1> $2", "GitHub: the kind of a box"],
  [
    /^(\s*)<Tab(?:Item)?\s[^>]*?(?:label|title|name)=["'{]+([^"'}]*)["'}]+[^>]*>\s*$/,
    "$1\n$1**$2**\n",
    "MDX: the name of a tab",
  ],
  [/^\s*<\/?[A-Z][\w.]*(\s[^>]*)?\/?>\s*$/, "\n", "MDX: a component around Markdown"],
  [/^\s*\[\[?toc\]\]?\s*$/i, "", "a table of contents"],
  [/^\s*\{:?\s*[.#][^}]*\}\s*$/, "", "kramdown: attributes of a block"],
  [/^(\s*(?:[-*+]|\d+[.)])\s+)\[ \]\s/, "$1☐ ", "GitHub: a box to tick"],
  [/^(\s*(?:[-*+]|\d+[.)])\s+)\[[xX]\]\s/, "$1☑ ", "GitHub: a ticked box"],
];

/** The same within lines: [pattern, what a reader sees, reason]. */
const WITHIN = [
  [/^:\s*\{\{[<%].*?[>%]\}\}\s*\n/gm, "", "Hugo: a definition that is a directive alone"],
  [/\{%-?\s*content-ref[\s\S]*?endcontent-ref\s*-?%\}/g, "", "GitBook: a card with the title of another page"],
  [/\{\{-?\s*(?:site|page)\.[^}]*\}\}/g, "", "Jekyll: the root of the site before an address"],
  [/\{:[^}\n]*\}/g, "", "kramdown: attributes of a span"],
  [/\{link-[\w-]+\}/g, "", "Zendesk: an icon behind a link"],
  [/\{\/\*[\s\S]*?\*\/\}/g, "", "MDX: a comment"],
  [/<!--[\s\S]*?-->/g, "", "HTML: a comment, which would end a paragraph"],
  [/^(\s*)\{%\s*tab\s+title="(.*?)"\s*%\}/gm, "$1\n$1**$2**\n", "GitBook: the name of a tab"],
  [/^(\s*)\{\{[<%]\s*tab\s+(?:\w+=)?"(.*?)".*?[>%]\}\}/gm, "$1\n$1**$2**\n", "Hugo: the name of a tab"],
  [/^\s*(\{\{[<%].*?[>%]\}\}|\{%.*?%\})\s*$/gm, "\n", "Hugo, Jekyll, GitBook: a directive around Markdown"],
  [/\{\{[<%][\s\S]*?[>%]\}\}|\{%.*?%\}/g, "", "Hugo, Jekyll, GitBook: a directive"],
  [/:(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^}]*\})?/g, "", "MkDocs: an icon"],
  [/(<i\s[^>]*>):[\w-]+:(<\/i>)/g, "$1$2", "GitBook: the name of an icon"],
];

/** A source's HTML, the title of its front matter, and words that may stand for its machinery (`note`). */
export function sourceHtml({ text, kind, rendered }) {
  if (kind === "html") return { html: text, title: "", kinds: [] };
  // `Q:` and `A:` mark a question, which becomes a title, and its answer.
  const plain = text.replace(/^[QA]: /gm, "");
  if (kind === "plain") return { html: `<pre>${ofSource.utils.escapeHtml(plain)}</pre>`, title: "", kinds: [] };
  const front = /^\uFEFF?\s*(---|\+\+\+)\r?\n([\s\S]*?)\r?\n\1\s*(\r?\n|$)/.exec(text);
  const quoted = front && /^title\s*[:=]\s*["']?(.*?)["']?\s*$/m.exec(front[2])?.[1];
  const title = quoted?.replace(/\\(?=")|'(?=')/g, "");
  const whole = front ? text.slice(front[0].length) : text;
  if (rendered !== undefined) return { html: rendered, title: title ?? "", kinds: kindsOf(whole) };
  const body = outsideOfCode(outdent(withCode(whole)), (part) => {
    const clean = part
      .split(/(`+[^`\n]+`+)/)
      .map((text, at) => (at % 2 ? text : withoutMachinery(text)))
      .join("");
    const line = (text) => {
      const rule = LINES.find(([pattern]) => pattern.test(text));
      return rule ? text.replace(rule[0], rule[1]).replace("****", "") : text;
    };
    return clean.split("\n").map(line).join("\n");
  });
  return { html: ofSource.render(body), title: title ?? "", kinds: kindsOf(whole) };
}

/** The kinds of boxes as a site may show them (`note`, `Note`, `NOTE`), and quoted values of directives. */
function kindsOf(body) {
  const boxes = [...body.matchAll(/(?:^\s*(?:>\s*)?(?::::+|!!!|\?\?\?\+?)\s*|\[!)(\w+)/gm)].map((match) => match[1]);
  const directives = [...body.matchAll(/\{(?:%|\{[<%])(.*?)[>%]\}/g)].flatMap(([, directive]) => [
    ...directive.matchAll(/"([^"]*)"/g),
  ]);
  const asShown = (kind) => [kind, kind.toLowerCase(), kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()];
  return [...boxes, ...directives.map((match) => match[1])].flatMap(asShown);
}

/** Hugo: settings, which its site shows as code. */
const withCode = (text) =>
  text.replace(/\{\{<\s*code-toggle(?:[^/>]|\/(?!>))*>\}\}[^\S\n]*\n([\s\S]*?)\{\{<\s*\/code-toggle\s*>\}\}/g, "```\n$1```");

const withoutMachinery = (text) => WITHIN.reduce((before, [pattern, shown]) => before.replace(pattern, shown), text);

/** MkDocs: the text under a box or the name of a tab is indented. */
function outdent(text) {
  const open = [];
  let fence = null;
  const lines = text.split("\n").map((line) => {
    const indent = line.search(/\S/);
    if (!fence) while (indent >= 0 && open.length && indent < open.at(-1) + 4) open.pop();
    const bare = line.slice(Math.min(open.length * 4, Math.max(indent, 0)));
    const mark = FENCE.exec(line)?.[1];
    if (fence ? mark && line.trim() === fence : mark) fence = fence ? null : mark;
    const head = !fence && /^(\s*)(?:===\+? "(.*)"|(?:!!!|\?\?\?\+?) [\w ]+(?:"(.*)")?)\s*$/.exec(bare);
    if (!head) return bare;
    open.push(indent);
    const title = head[2] ?? head[3];
    return title ? `${head[1]}**${title}**\n` : "";
  });
  return lines.join("\n");
}

/** Whether the line ends the code that `fence` began. */
const closes = (line, fence, mark) => fence && mark?.startsWith(fence) && line.trim().replace(/^>\s*/, "") === mark;

/** The text with `change` applied to what stands between fenced and preformatted code. */
function outsideOfCode(text, change) {
  const parts = [];
  let kept = [];
  let fence = null;
  const end = () => {
    if (kept.length) parts.push(fence ? kept.join("\n") : change(kept.join("\n")));
    kept = [];
  };
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    const opens = mark ?? (/^\s*<pre[\s>](?!.*<\/pre>)/.test(line) ? "</pre>" : undefined);
    if (!fence && opens) {
      end();
      fence = opens;
      kept.push(line);
    } else if (fence === "</pre>" ? line.includes(fence) : closes(line, fence, mark)) {
      kept.push(line);
      end();
      fence = null;
    } else {
      kept.push(line);
    }
  }
  end();
  return parts.join("\n");
}
