// What a browser shows of HTML: text, list items with their numbers, rows of tables, links. `read` runs in the browser.

/**
 * Parts of a source that an entry leaves out on purpose: [selector, reason].
 *
 * The reading of entries does not use this list, so that what an entry shows counts.
 */
export const LEFT_OUT = [
  ["script, style, template, noscript", "a browser that runs scripts does not show it"],
  ["svg, canvas, object, iframe, video, audio, math annotation", "a picture or a player is no text"],
  ["input, select, textarea, datalist", "a form field holds what its reader types"],
  ["nav, [role=navigation], [role=search], [role=doc-toc]", "it leads to other pages and parts"],
  [
    "#toc, .toc, .toc-macro, .toctree-wrapper, .contents.topic, .table-of-contents",
    "a table of contents repeats headings",
  ],
  ["a.headerlink, a.anchor, a.hash-link, a.header-anchor", "a mark beside a heading links to the heading itself"],
  [".footnote-backref, .footnotes-sep", "it leads from a footnote to its reference"],
  [".edit-this-page, .theme-edit-this-page, a[title='Edit this page']", "it is for authors"],
  ["[role=tablist]", "a tab's name heads its panel"],
  [
    ".linenos, .lineno, .linenodiv, .gutter, .copybtn, button[aria-label^=Copy]",
    "numbers and buttons beside code are no code",
  ],
  [".hidden_visually, .visually-hidden, .sr-only, .screenreader", "it is hidden from view"],
];

/**
 * The shown text of each document and what stands in it.
 *
 * @param {{html: string, url?: string, main?: string, leftOut: string[]}[]} documents `main` selects the main part;
 *   `leftOut` is removed first. With `withMarks` an item begins with its mark, as in a plain text.
 */
export function read(documents) {
  return documents.map(one);

  function one({ html, url, main, leftOut, withMarks }) {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const base = parsed.querySelector("base[href]");
    const address = url && new URL(base?.getAttribute("href") ?? "", url).href;
    for (const old of parsed.querySelectorAll("base, meta[http-equiv]")) old.remove();
    document.replaceChild(document.adoptNode(parsed.documentElement), document.documentElement);
    const titles = [document.title];
    const found = main ? [...document.querySelectorAll(main)] : [document.body];
    const roots = found.filter((root) => !found.some((other) => other !== root && other.contains(root)));
    const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
    titles.push(...all("img[alt]").map((image) => image.alt), ...all("[role=tab]").map((tab) => tab.innerText));
    titles.push(...all("[aria-label]").map((icon) => icon.ariaLabel));
    if (leftOut.length) {
      for (const part of document.querySelectorAll(leftOut.join(","))) part.remove();
      unfold(document.body);
      showHiddenMail(document.body);
      showNumbers(document.body);
      setFootnotesApart(document.body);
      separateRaised(document.body);
      numberLists(document.body);
      removeHiddenColumns(document.body);
      removeContents(document.body);
    }
    titles.push(...all("h1, h2, h3, h4, h5, h6, caption, summary, dt, th").map((heading) => heading.innerText));
    const lists = items(all("li").filter((item) => !isInCell(item)));
    if (withMarks) all("li").forEach((item, at) => item.prepend(lists[at].number ? `${lists[at].number}. ` : "- "));
    const text = roots.map((root) => root.innerText).join("\n");
    const shown = { text, titles, items: lists, rows: rows(all("table")), links: links(all("a[href]"), address) };
    for (const part of all("a, h1, h2, h3, h4, h5, h6")) part.remove();
    return { ...shown, hasOwnText: roots.some((root) => /[\p{L}\p{N}]/u.test(root.textContent)) };
  }

  /** An entry has no link that writes a message, so its number stands behind its text. */
  function showNumbers(root) {
    for (const anchor of root.querySelectorAll("a[href^='sms:'], a[href^='callto:'], a[href^='whatsapp:']")) {
      const number = anchor.getAttribute("href").replace(/^\w+:(\/\/send\?phone=)?/, "");
      if (!anchor.textContent.includes(number)) anchor.append(` (${number})`);
    }
  }

  /** Cloudflare's script shows the mail addresses that it hid: a key, and each byte with it. */
  function showHiddenMail(root) {
    const decoded = (code) => {
      const [key, ...bytes] = code.match(/../g).map((byte) => parseInt(byte, 16));
      return String.fromCharCode(...bytes.map((byte) => byte ^ key));
    };
    for (const anchor of root.querySelectorAll("a[href*='/cdn-cgi/l/email-protection']")) {
      const code = anchor.dataset.cfemail ?? anchor.getAttribute("href").split("#")[1];
      if (anchor.dataset.cfemail) anchor.textContent = decoded(code);
      if (code) anchor.href = `mailto:${decoded(code)}`;
    }
  }

  /** What a reader can unfold is part of the page. */
  function unfold(root) {
    for (const details of root.querySelectorAll("details")) details.open = true;
    for (const panel of root.querySelectorAll("[role=tabpanel]")) panel.hidden = false;
    for (const button of root.querySelectorAll("button, [role=button], summary, [aria-controls]")) {
      const block = button.closest("h1, h2, h3, h4, h5, h6, dt") ?? button;
      const controlled = document.getElementById(button.getAttribute("aria-controls") ?? "");
      for (const answer of [controlled, block.nextElementSibling]) {
        if (!answer) continue;
        answer.removeAttribute("hidden");
        if (answer.style.display === "none") answer.style.display = "";
      }
    }
  }

  /** A footnote is a paragraph with its number, behind the block that refers to it: a section has no foot. */
  function setFootnotesApart(root) {
    const notes = [...root.querySelectorAll(".footnotes li, .footnote > ol > li")];
    for (const [at, note] of [...notes.entries()].reverse()) {
      const apart = document.createElement("div");
      apart.append(`${at + 1} `, ...(note.children.length === 1 ? note.firstElementChild : note).childNodes);
      let block = root.querySelector(`a[href="#${note.id}"]`);
      while (block && block.parentElement !== root && !block.parentElement.matches("dd")) block = block.parentElement;
      if (block) block.after(apart);
      else note.closest("ol").before(apart);
    }
    for (const list of root.querySelectorAll(".footnotes ol, .footnote > ol")) list.remove();
  }

  /** Numbers that Markdown cannot give to an item are its text: in a cell, and below zero. */
  function numberLists(root) {
    const all = [...root.querySelectorAll("li")];
    const numbers = numbersOf(all);
    for (const item of all) {
      const number = numbers.get(item);
      if (number !== null && (number < 0 || isInCell(item))) item.prepend(`${number}. `);
    }
  }

  /** GitBook hides columns that hold the target and the picture of a card. */
  function removeHiddenColumns(root) {
    for (const head of [...root.querySelectorAll("th[data-hidden]")].reverse()) {
      const column = head.cellIndex;
      for (const row of head.closest("table").rows) row.cells[column]?.remove();
    }
  }

  /** A raised number is a word of its own: innerText joins it to the word before. A lowered one is part of it (CO2). */
  function separateRaised(root) {
    for (const raised of root.querySelectorAll("sup")) {
      if (!/^[-−+–]?\d+$/.test(raised.textContent.trim())) continue;
      raised.prepend(" ");
      raised.append(" ");
    }
  }

  /** A list of nothing but links within the page repeats its headings, and its label goes with it. */
  function removeContents(root) {
    for (const anchor of root.querySelectorAll("a[href^='#']")) {
      if (/^back to (the )?top$/i.test(anchor.textContent.trim())) anchor.remove();
    }
    for (const list of root.querySelectorAll("ul, ol")) {
      const anchors = [...list.querySelectorAll("a[href]")];
      if (!list.isConnected || anchors.length < 2) continue;
      const bare = (text) => text.replace(/[\s\d.]/g, "");
      const linked = anchors.map((anchor) => bare(anchor.textContent)).join("");
      if (anchors.every((anchor) => anchor.getAttribute("href").startsWith("#")) && linked === bare(list.textContent)) {
        const label = list.previousElementSibling;
        const isLabel = /^(in this (article|section)|on this page|(table of )?contents)\s*:?$/i;
        if (label?.matches("p, h2, h3, h4") && isLabel.test(label.textContent.trim())) label.remove();
        list.remove();
      }
    }
  }

  /** A cell of a Markdown table holds no list. */
  function isInCell(item) {
    const row = item.closest("tr");
    return row !== null && row.cells.length > 1;
  }

  /** The number that each item shows. */
  function numbersOf(elements) {
    const numbers = new Map();
    for (const list of new Set(elements.map((item) => item.parentElement))) {
      const own = [...list.children].filter((child) => child.tagName === "LI");
      const step = list.reversed ? -1 : 1;
      let next = list.hasAttribute("start") ? list.start : list.reversed ? own.length : 1;
      for (const item of own) {
        if (item.hasAttribute("value")) next = item.value;
        numbers.set(item, list.tagName === "OL" ? next : null);
        next += step;
      }
    }
    return numbers;
  }

  /** The text of an item before what is nested in it, and the number that it shows. */
  function items(elements) {
    const numbers = numbersOf(elements);
    return elements.map((item) => {
      const range = document.createRange();
      range.selectNodeContents(item);
      const nested = item.querySelector("ul, ol, table, pre, details, blockquote, dd, p ~ *");
      if (nested) range.setEndBefore(nested);
      const number = numbers.get(item) ?? null;
      return { text: range.toString(), number: number < 0 ? null : number };
    });
  }

  /** The cells of each row of each innermost table with more than one column. */
  function rows(tables) {
    const data = tables.filter(
      (table) =>
        // AsciiDoc sets a box as a table of its kind and its text.
        !table.closest(".admonitionblock") &&
        !table.querySelector("table, pre") && [...table.rows].some((row) => row.cells.length > 1),
    );
    return data.flatMap((table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText)));
  }

  /** Links with a text, outside of headings, to other pages. */
  function links(anchors, address) {
    return anchors.flatMap((anchor) => {
      const href = anchor.getAttribute("href").trim();
      const text = anchor.innerText.trim();
      if (!text || href.startsWith("#") || anchor.closest("h1, h2, h3, h4, h5, h6, caption, dt, summary")) return [];
      if (!URL.canParse(href, address)) return [];
      const target = new URL(href, address);
      if (!["http:", "https:", "mailto:", "tel:"].includes(target.protocol)) return [];
      const isWithin = address && target.hash && target.href.split("#")[0] === address.split("#")[0];
      return isWithin ? [] : [{ text, href: target.href }];
    });
  }
}
