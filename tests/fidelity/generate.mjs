// Pages in the forms that people write, made by chance from a seed. Words are numbered, so each occurs once.

/** Texts that mean something in Markdown and nothing in HTML or plain text. */
const TEXTS = [
  "Dial *21*0301234567# at home",
  "the method __init__ runs",
  "press *86*PIN*0# now",
  "1986. A great year",
  "- 5 degrees outside",
  "# 5 Main Street",
  "> 30 kg of freight",
  "C:\\new\\*.txt is removed",
  "[x](y) as a text",
  "a|b or |c|",
  "~5~ or ~~6~~ left",
  "a \\ b \\\\ c",
  "+ one more",
  "* star first",
  "2 * 3 * 4",
  "snake_case_name and _private_",
  "`tick` in a text",
  "<name> is yours",
  "&amp; stays an entity",
  "![alt](pic.png) is no picture",
  "[^1] no footnote",
  "[ ] not done",
  "1) first of all",
  "10\\. escaped",
  "http://host.example/a_b_c*d",
  "mail jo_e@host.example today",
  "+49 30 5550123",
  "*** three",
  "=== even",
  "x < y > z",
  "5 * and *6",
  "**bold?** no",
  "a_b_c __d",
  "Q&A: 100 %",
  "$5_$6",
  "<b>not bold</b>",
  ":::note that",
  "{{ name }} and {% if %}",
  "C# and F#",
  "100.000,50 €",
  "‑5 °C",
  "½ cup",
  "#hashtag",
  "@handle",
  "~/.config",
  "\\*",
  "5. 6. 7.",
  "https://[::1]:8080/",
  "---",
];
/** Inline elements where CommonMark closes no emphasis, and numbers that are raised. */
const INLINE = [
  "<b>50 %</b>ige",
  "<b>注意：</b>请",
  "<b>환불(7일)</b>은",
  "<b>Note:</b>not",
  "<i>(a)</i>b",
  "un<b>believ</b>able",
  "<b> spaced </b>out",
  "5<sup>1</sup> devices",
  "10<sup>-3</sup> m",
  "m<sup>2</sup>",
  "CO<sub>2</sub>",
  "<b><i>both</i></b>",
  "<i>a <b>b</b> c</i>",
  "<b>a<br>b</b>",
  "<code>a*b_c`d</code>",
  "<code>|</code>",
  "<kbd>Ctrl</kbd>+<kbd>C</kbd>",
  "<s>old</s>",
  "<u>under</u>",
  "<em>a</em><em>b</em>",
  "<b>a</b><b>b</b>",
  "<span>one</span><span> two</span>",
  "<mark>marked</mark>",
  "&copy;&nbsp;2024",
  "&lt;tag&gt;",
  "<b>*</b>",
  "<b></b>empty",
  "<a href='https://host.example/p_(q)'>a [b] c</a>",
  "<a href='https://host.example/x?y=1&z=2'><b>bold</b> link</a>",
  "<q>quoted</q>",
  "<a href='mailto:jo@host.example'>jo@host.example</a>",
  "<a href='tel:+49305550123'>+49 30 555 0123</a>",
  "3 &times; 4",
  "a<wbr>b",
  "<strong>1.</strong> first",
  "<abbr title='x'>HTML</abbr>",
  "<small>small</small>",
  "<b>«a»</b>b",
  "a<b>.b</b>",
  "<code> </code>x",
  "<var>n</var>-th",
  "<b>（重要）</b>です",
  "他<b>说：“好”</b>。",
  '<i>"quoted"</i>word',
  "word<i>, then</i>",
  "<b>end.</b>Next",
  "<code>a</code><code>b</code>",
  "<code>a</code> <code>b</code>",
  "<b>bold<br></b>line",
  "<a href='tel:+49305550124'>Call</a>",
  "<a href='sms:+49305550125'>Text</a>",
];

/** A mail address as Cloudflare hides it from readers that run no scripts: a key, and each byte with it. */
function hidden(address) {
  const key = 0x5a;
  return [key, ...[...address].map((letter) => letter.charCodeAt(0) ^ key)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Numbers by chance, equal for equal seeds (mulberry32). */
function chance(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The sources of `count` pages: two thirds HTML, the others Markdown and plain text. */
export function generate(seed, count) {
  const random = chance(seed);
  const pick = (list) => list[random(list.length)];
  const many = (least, most, make) => Array.from({ length: least + random(most - least + 1) }, make);
  let counter = 0;
  const word = () => `${pick(["door", "lamp", "reset", "Konto", "prix", "заказ", "cable", "order"])}${(counter += 1)}`;
  const words = (least = 3, most = 9) => many(least, most, word).join(" ");

  const text = () => (random(3) ? words() : `${pick([words(1, 3), ""])} ${escape(pick(TEXTS))}`.trim());
  const phrase = () => many(1, 3, () => (random(2) ? text() : `${words(1, 2)} ${pick(INLINE)}`)).join(" ");

  function list(depth) {
    const tag = pick(["ol", "ul", "ol"]);
    const isOrdered = tag === "ol";
    const attribute = isOrdered
      ? pick(["", "", ` start="${random(9) + 2}"`, " reversed", ` start="${random(5) + 9}" reversed`])
      : "";
    const items = many(2, 5, () => {
      const value = isOrdered && !random(5) ? ` value="${random(30) + 1}"` : "";
      const nested = depth > 0 && !random(3) ? list(depth - 1) : "";
      const body = pick([phrase, phrase, () => `<p>${phrase()}</p>`, () => `<p>${phrase()}</p><p>${words()}</p>`])();
      // A list directly in a list belongs to the item before it.
      return nested && !random(2) ? `<li${value}>${body}</li>${nested}` : `<li${value}>${body}${nested}</li>`;
    });
    return `<${tag}${attribute}>${items.join("")}</${tag}>`;
  }

  const cell = (tag = "td", attributes = "") =>
    `<${tag}${attributes}>${pick([() => words(1, 3), () => escape(pick(TEXTS)), () => `${word()} ${pick(INLINE.filter((one) => !one.includes("<br>")))}`])()}</${tag}>`;

  /** Intercom sets data in tables that call themselves layout. */
  const presentation = () =>
    `<table role="presentation"><tbody>${many(2, 4, () => `<tr><td><p>${words(1, 3)}</p></td><td><p>${words(1, 3)}</p></td></tr>`).join("")}</tbody></table>`;

  /** A table that is longer than an entry, with rows that head others. */
  function longTable() {
    const rows = many(60, 90, (_, at) =>
      at % 15 === 3
        ? `<tr><td colspan="3"><b>${words(1, 2)}</b></td></tr>`
        : `<tr><td>${words(2, 5)}</td><td>${words(2, 5)}</td><td>${word()}</td></tr>`,
    );
    const head = `<tr><th>${word()}</th><th>${word()}</th><th>${word()}</th></tr>`;
    return `<table><thead>${head}</thead><tbody>${rows.join("")}</tbody></table>`;
  }

  function table() {
    const columns = 2 + random(3);
    const head = `<tr>${Array.from({ length: columns }, () => `<th>${words(1, 2)}</th>`).join("")}</tr>`;
    const rows = [];
    const height = 2 + random(4);
    for (let row = 0; row < height; row += 1) {
      const form = random(6);
      if (form === 0) rows.push(`<tr><td colspan="${columns}"><b>${words(1, 3)}</b></td></tr>`);
      else if (form === 1 && columns > 2)
        rows.push(
          `<tr>${cell("td", ' colspan="2"')}${Array.from({ length: columns - 2 }, () => cell()).join("")}</tr>`,
        );
      else if (form === 2) {
        rows.push(
          `<tr>${cell("td", ' rowspan="2"')}${Array.from({ length: columns - 1 }, () => cell()).join("")}</tr>`,
        );
        rows.push(`<tr>${Array.from({ length: columns - 1 }, () => cell()).join("")}</tr>`);
      } else rows.push(`<tr>${Array.from({ length: columns }, () => cell()).join("")}</tr>`);
    }
    const caption = random(3) ? "" : `<caption>${words(2, 4)}</caption>`;
    return `<table>${caption}<thead>${head}</thead><tbody>${rows.join("")}</tbody></table>`;
  }

  const block = () =>
    pick([
      () => `<p>${phrase()}</p>`,
      () => `<p>${phrase()}. ${words()}.</p>`,
      () => `<p>${escape(pick(TEXTS))}</p>`,
      () => `<p>${escape(pick(TEXTS))}<br>${escape(pick(TEXTS))}<br>\n${words()}</p>`,
      () => `<p>${word()} GmbH<br>${word()} Street 5<br>12345 ${word()}</p>`,
      () => list(2),
      () => list(1),
      table,
      presentation,
      () => (random(4) ? table() : longTable()),
      () => `<p>${words()}<br></p><p><br>${words()}</p>`,
      () => {
        const code = hidden(`${word().replace(/[^\w]/g, "x")}@host.example`);
        return `<p>${words()} <a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${code}">[email&#160;protected]</a></p>`;
      },
      () => `<p>${words()} <a href="../${word()}/a b?c=1#d">${words(1, 2)}</a> ${words()}</p>`,
      () => `<dl><dt>${words(1, 3)}</dt><dd>${phrase()}</dd><dt>${words(1, 3)}</dt><dd>${words()}</dd></dl>`,
      () => `<blockquote><p>${phrase()}</p></blockquote>`,
      () => `<pre><code>${words()}\n  ${escape(pick(TEXTS))}\n${word()}</code></pre>`,
      () => `<div>${words()}<div>${phrase()}</div>${words()}</div>`,
    ])();

  /** Folded questions end a section: what follows them would come before them in the entry of the section. */
  function folded() {
    const question = pick([
      () => `<details><summary>${words()}</summary><p>${phrase()}</p></details>`,
      () => {
        const answer = `answer${(counter += 1)}`;
        return `<h3><button aria-expanded="false" aria-controls="${answer}">${words()}</button></h3><div id="${answer}" hidden><p>${phrase()}</p></div>`;
      },
      () => `<button type="button">${words()}?</button><div style="display:none"><p>${phrase()}</p></div>`,
      () => `<div role="button" tabindex="0">${words()}?</div><div hidden><p>${phrase()}</p></div>`,
    ]);
    return many(1, 3, question).join("\n");
  }

  function html() {
    const sections = many(
      1,
      3,
      () =>
        `<h2>${pick([words(2, 4), `${words(1, 2)} ${escape(pick(TEXTS))}`])}</h2>\n<p>${words(6, 12)}.</p>\n${many(1, 3, block).join("\n")}${random(4) ? "" : folded()}`,
    );
    return {
      text: `<!doctype html><title>${words(2, 3)}</title>${random(3) ? "" : `<base href="https://docs.example.com/en/guide/">`}<main><h1>${words(2, 4)}</h1>\n<p>${words(8, 15)}.</p>\n${sections.join("\n")}</main>`,
      url: "https://help.example.com/articles/page",
      kind: "html",
    };
  }

  /** Blocks of Markdown, some with HTML in them. */
  const markdownBlock = () =>
    pick([
      () => `${words()} **${word()}** *${word()}* \`${word()}\` ${words()}`,
      () => `${word()} GmbH\\\n${word()} Street 5  \n12345 ${word()}`,
      () =>
        `${3 + random(20)}. ${words()}\n2. ${words()}\n\n   <img src="a.png" alt="feet">\n3. ${words()}\n   - ${words()}\n   - ${words()}`,
      () => `* ${words()}\n\n* ${words()}\n\n  ${words()}\n* ${words()}`,
      () =>
        `| ${word()} | ${word()} |\n| --- | --- |\n| ${words(1, 3)} | a\\|b ${word()} |\n| \\*${word()} | \`${word()}\` |`,
      () =>
        `<table><tr><th>${word()}</th><th>${word()}</th></tr><tr><td>${words(1, 2)}</td><td>${words(1, 2)}</td></tr></table>`,
      () => `<figure><img src="x.png"><figcaption>${words()}</figcaption></figure>`,
      () => `> ${words()}\n> ${words()}`,
      () => `\`\`\`sh\n${words()}\n# ${words()}\n\`\`\``,
      () => `${words()} \\*${word()}\\* \\_${word()}\\_ 2 \\* 3 &copy; &lt;${word()}&gt;`,
      () =>
        `${words()} [${word()}](https://host.example/${word()}) <https://host.example/${word()}> and [${word()}][ref]\n\n[ref]: https://host.example/ref`,
      () => `${words()}${pick(INLINE).replace(/`/g, "")} ${words()}`,
      () => `1986\\. ${words()}\n\n\\- 5 ${words()}\n\n\\# 5 ${words()}\n\n\\> 30 ${words()}`,
      () => {
        const label = (counter += 1);
        return `${words()}[^${label}] ${words()}\n\n[^${label}]: ${words()}`;
      },
    ])();

  /** Boxes and tabs of site generators. */
  const dialectBlock = () =>
    pick([
      () => `:::${pick(["note", "tip", "caution"])}[${words(1, 3)}]\n\n${words()}\n\n:::`,
      () => `::: ${pick(["tip", "warning"])}\n${words()}\n:::`,
      () => `> [!${pick(["NOTE", "TIP", "WARNING"])}]\n> ${words()}\n> ${words()}`,
      () => `!!! note "${words(1, 3)}"\n\n    ${words()}\n\n    - ${words()}`,
      () => `{% hint style="info" %}\n${words()}\n{% endhint %}`,
      () => `{/* ${words()} */}\n\n${words()}`,
      () => `${words()} [${word()}](https://host.example/${word()}){.button}`,
    ])();

  const steps = () => `1. ${words()}\n2. ${words()}`;

  /** Tabs and folded questions end a section, as those of a page do. */
  function tabs() {
    const [first, second] = pick([
      [steps, steps],
      [words, words],
      [steps, words],
    ]);
    const indented = (make) => make().replace(/^/gm, "    ");
    return pick([
      () =>
        `<Tabs>\n<TabItem value="a" label="${words(1, 2)}">\n\n${first()}\n\n</TabItem>\n<TabItem value="b" label="${words(1, 2)}">\n\n${second()}\n\n</TabItem>\n</Tabs>`,
      () => `=== "${words(1, 2)}"\n\n${indented(first)}\n\n=== "${words(1, 2)}"\n\n${indented(second)}`,
      () =>
        `{% tabs %}\n{% tab title="${words(1, 2)}" %}\n${first()}\n{% endtab %}\n{% tab title="${words(1, 2)}" %}\n${second()}\n{% endtab %}\n{% endtabs %}`,
      () =>
        `{{< tab "${words(1, 2)}" >}}\n${first()}\n{{< /tab >}}\n{{< tab "${words(1, 2)}" >}}\n${second()}\n{{< /tab >}}`,
      () => `??? question "${words(1, 3)}"\n${indented(words)}`,
    ])();
  }

  function markdown() {
    const sections = many(
      1,
      3,
      () =>
        `## ${words(2, 4)}\n\n${words(6, 12)}.\n\n${many(1, 3, () => (random(3) ? markdownBlock : dialectBlock)()).join("\n\n")}${random(3) ? "" : `\n\n${tabs()}`}`,
    );
    return { text: `# ${words(2, 4)}\n\n${words(8, 15)}.\n\n${sections.join("\n\n")}\n`, kind: "markdown" };
  }

  const plain = () => ({
    text: many(3, 6, () => `${words(6, 12)}.\n${pick(TEXTS)}\n${words()}\n${pick(TEXTS)} ${word()}`).join("\n\n"),
    kind: "plain",
  });

  return Array.from({ length: count }, (_, at) => ({
    ...pick([html, html, html, html, markdown, markdown, plain])(),
    id: `generated ${at + 1}`,
    name: "Page",
  }));
}
