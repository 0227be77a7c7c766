// Texts that would do harm as markup. The service cleans them; here they come as if it had not.

import { assert } from "./visitor.mjs";

const TURN = {
  turn: 2,
  role: "ai",
  sources: [],
  disposition: "answered",
  reactions: [],
  internal: false,
  createdAt: "2026-01-01T00:00:00.000Z",
};

/** Shows one answer, and `more` turns, in place of whatever the service has. */
async function shown(visitor, content, sources = [], more = []) {
  await visitor.visit();
  await visitor.open();
  await visitor.say("hello");
  const list = {
    items: [
      { ...TURN, messageId: "msg_1", turn: 1, role: "customer", content: "hello" },
      { ...TURN, messageId: "msg_2", content, answer: content, sources },
      ...more.map((turn, at) => ({ ...TURN, messageId: `msg_${at + 3}`, turn: at + 3, ...turn })),
    ],
    nextCursor: null,
    hasMore: false,
    session: { sessionId: await visitor.sessionId(), ownership: "ai", answerDue: false, version: 9 },
  };
  await visitor.context.route("**/messages", (route) => route.fulfill({ json: list }));
  await visitor.page.reload();
  await visitor.page.locator("support-chat .item.ai").nth(1).waitFor();
  return visitor.page.locator("support-chat .item.ai .bubble").nth(1);
}

export default {
  async "markup is text and bad links are no links"(visitor) {
    const bubble = await shown(
      visitor,
      [
        "<script>window.hacked = 1</script><img src=x onerror=window.hacked=1> <b>bold</b>",
        "[a](javascript:window.hacked=1) [b](data:text/html,x) [c](JaVaScRiPt:x) [d](//evil.example) [e](vbscript:x) <javascript:x>",
        "[f](&#106;avascript:x) [g](java\tscript:x) ![image](javascript:window.hacked=1) ![image](http://evil.example/x.png)",
        "[good](https://ok.example/a?b=1) <https://ok.example/auto> [mail](mailto:help@ok.example) [call](tel:+49301234)",
        "&lt;img src=x onerror=window.hacked=1&gt; &amp;lt; <svg/onload=window.hacked=1>",
      ].join("\n\n"),
      [{ path: "a/b", title: "<img src=x onerror=window.hacked=1>", confidence: 1, version: 1 }],
    );
    const tags = await bubble.evaluate((one) =>
      [...new Set([...one.querySelectorAll("*")].map((child) => child.localName))].sort(),
    );
    assert.deepEqual(tags, ["a", "p", "span"]);
    const links = await bubble.locator("a").evaluateAll((all) => all.map((one) => one.href));
    assert.deepEqual(links, [
      "https://ok.example/a?b=1",
      "https://ok.example/auto",
      "mailto:help@ok.example",
      "tel:+49301234",
    ]);
    assert.equal(await bubble.locator("a[href^=tel]").getAttribute("target"), null, "a call opens no tab");
    const text = await bubble.innerText();
    for (const part of [
      "<script>window.hacked = 1</script>",
      "<b>bold</b>",
      "<img src=x onerror=window.hacked=1>",
      "&lt; <svg",
    ]) {
      assert.ok(text.includes(part), `${part} is not in ${text}`);
    }
    const source = visitor.part("sources").locator("li");
    assert.equal(await source.textContent(), "<img src=x onerror=window.hacked=1>");
    assert.equal(await source.locator("button *").count(), 0, "a title is text");
    assert.equal(await visitor.page.evaluate(() => window.hacked), undefined);
    await visitor.shoot("markup");
  },

  async "marks of direction do not turn what stands around them"(visitor) {
    const agent = { id: "agent", name: "Bo\u202Eb \u2067Smith" };
    const bubble = await shown(
      visitor,
      "a\u202Eb\u2066c [pay\u202Elapyap](https://ok.example)\u202D d",
      [{ path: "a/b", title: "Re\u202Efunds\u2068", confidence: 1, version: 1 }],
      [
        { role: "system", event: "agent_joined", content: "", agent },
        { role: "agent", content: "He\u202Ello", agent },
      ],
    );
    assert.equal(await bubble.textContent(), "abc paylapyap d");
    assert.equal(await visitor.part("sources").locator("li").textContent(), "Refunds");
    await visitor.waitFor("Bob Smith joined the chat");
    assert.match(await visitor.page.locator("support-chat .item.agent .meta").textContent(), /^Bob Smith/);
    const text = await visitor.part("panel").evaluate((one) => one.textContent);
    assert.equal(/[\u202A-\u202E\u2066-\u2069]/.test(text), false);
    assert.equal(await bubble.evaluate((one) => getComputedStyle(one).unicodeBidi), "isolate");
  },

  async "safe Markdown is shown as it is meant"(visitor) {
    const bubble = await shown(
      visitor,
      [
        "# Title",
        "One *two* **three** ***four*** `a*b` \\*five\\* snake_case_word",
        "1. first\n2. second\n   - inner\n   - `code`\n\n   more",
        "> quoted\nlazily",
        "```js\nlet a = '<b>';\n```",
        "hard  \nbreak https://ok.example/a_b_c, done.",
        "---",
        "End",
      ].join("\n\n"),
    );
    const html = await bubble.evaluate((one) => one.innerHTML);
    const expected =
      '<p class="heading">Title</p>' +
      "<p>One <em>two</em> <strong>three</strong> <em><strong>four</strong></em> <code>a*b</code> *five* snake_case_word</p>" +
      '<ol start="1"><li><p>first</p></li><li><p>second</p><ul><li><p>inner</p></li><li><p><code>code</code></p></li></ul><p>more</p></li></ol>' +
      "<blockquote><p>quoted\nlazily</p></blockquote>" +
      '<pre tabindex="0"><code>let a = \'&lt;b&gt;\';</code></pre>' +
      '<p>hard  <br>\nbreak <a href="https://ok.example/a_b_c" target="_blank" rel="noopener noreferrer nofollow" title="opens in a new tab">https://ok.example/a_b_c</a>, done.</p>' +
      "<hr><p>End</p>";
    assert.equal(html, expected);
    await visitor.shoot("markdown");
  },

  async "lines, escapes, lists and tables of entries are shown as CommonMark means them"(visitor) {
    const cases = [
      ["Acme\\\n5 Main Street\\\n12345 Town", "<p>Acme<br>5 Main Street<br>12345 Town</p>"],
      [
        "Dial \\*21\\*03012#, \\_\\_init\\_\\_, C:\\\\new\\\\\\*.txt",
        "<p>Dial *21*03012#, __init__, C:\\new\\*.txt</p>",
      ],
      ["1986\\. A year\n\n\\- 5 degrees\n\n\\> 30 kg", "<p>1986. A year</p><p>- 5 degrees</p><p>&gt; 30 kg</p>"],
      ["&lt;b&gt; &amp;lt; R&amp;D", "<p>&lt;b&gt; &amp;lt; R&amp;D</p>"],
      ["~~10 €~~ 8 €, a~b~c, ~~~d~~", "<p><s>10 €</s> 8 €, a~b~c, ~~~d~~</p>"],
      ["- a\n\n- b\n\n  c", "<ul><li><p>a</p></li><li><p>b</p><p>c</p></li></ul>"],
      [
        "5. a\n6. b\n\n4) c",
        '<ol start="5"><li><p>a</p></li><li><p>b</p></li></ol><ol start="4"><li><p>c</p></li></ol>',
      ],
      ["- a\\\n  b\n  - c", "<ul><li><p>a<br>b</p><ul><li><p>c</p></li></ul></li></ul>"],
      ["1. a\\\n   b\n   - c", '<ol start="1"><li><p>a<br>b</p><ul><li><p>c</p></li></ul></li></ol>'],
      [
        "| a\\|b | `c\\|d` |\n| --- | --- |\n| C:\\\\\\|e | `f\\\\|g` |",
        '<div class="wide" tabindex="0"><table><thead><tr><th class="">a|b</th><th class=""><code>c|d</code></th></tr></thead>' +
          '<tbody><tr><td class="">C:\\|e</td><td class=""><code>f\\|g</code></td></tr></tbody></table></div>',
      ],
    ];
    // A line between them ends a list.
    const bubble = await shown(visitor, cases.map(([text]) => text).join("\n\n---\n\n"));
    const html = await bubble.evaluate((one) => one.innerHTML);
    assert.deepEqual(
      html.split("<hr>"),
      cases.map(([, expected]) => expected),
    );
    await visitor.shoot("markdown-of-entries");
  },

  async "eight kibibytes of anything are shown in no time"(visitor) {
    await visitor.visit();
    const units = [
      "[",
      "]",
      "[a](",
      "](",
      "*a",
      "**a_",
      "_*",
      "`",
      "`a``",
      "> ",
      "- ",
      "1. ",
      "&lt;",
      "&#",
      "<a",
      "<https://",
      "\\",
      "\n",
      "#",
      "~~~\n",
      "https://a.b/",
      "https://a.b(",
      "http",
      '[a](x "',
      "(((",
      "((a)",
      "a\u202E",
      "a b\n",
      "- - ",
      "> - ",
      "***",
      "===\n",
      "|a|\n|-|\n",
      "é",
    ];
    await visitor.open();
    await visitor.say("hello");
    const sessionId = await visitor.sessionId();
    const session = { sessionId, ownership: "ai", answerDue: false, version: 9 };
    const items = units.map((unit, at) => ({
      ...TURN,
      turn: at + 1,
      messageId: `msg_${at}`,
      content: unit.repeat(Math.ceil(8192 / unit.length)),
    }));
    await visitor.context.route("**/messages", (route) =>
      route.fulfill({ json: { items, nextCursor: null, hasMore: false, session } }),
    );
    await visitor.page.evaluate(() => {
      document.querySelector("support-chat").open = false;
      sessionStorage.clear();
    });
    const page = visitor.page;
    await page.reload();
    // The time of the processor: a busy machine changes nothing.
    const client = await visitor.context.newCDPSession(page);
    await client.send("Performance.enable", { timeDomain: "threadTicks" });
    const worked = async () => {
      const { metrics } = await client.send("Performance.getMetrics");
      return metrics.find((one) => one.name === "TaskDuration").value * 1_000;
    };
    const before = await worked();
    await visitor.part("launcher").click();
    await page.locator("support-chat .item.ai").nth(units.length).waitFor({ state: "attached" });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    const took = (await worked()) - before;
    console.log(`        ${units.length} answers of 8 KiB in ${Math.round(took)} ms`);
    assert.ok(took < units.length * 100, `${took} ms`);
    const depth = await page.evaluate(() => {
      const depthOf = (one) => 1 + Math.max(0, ...[...one.children].map(depthOf));
      return Math.max(
        ...[...document.querySelector("support-chat").shadowRoot.querySelectorAll(".bubble")].map(depthOf),
      );
    });
    assert.ok(depth < 120, `${depth} elements within each other`);
  },
};
