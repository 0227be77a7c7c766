//! Tests what each dialect becomes.

use std::borrow::Cow;

use super::to_commonmark;

mod linear;

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(to_commonmark(text), *expected, "{text}");
    }
}

fn unchanged(texts: &[&str]) {
    for text in texts {
        assert!(matches!(to_commonmark(text), Cow::Borrowed(_)), "{text:?} became {:?}", to_commonmark(text));
    }
}

#[test]
fn text_without_directives_is_borrowed() {
    unchanged(&[
        "",
        "a",
        "# A {#a}\n\nb  \nc\r\n\r\n\r\n- d\n\n      code\n1. e\n\t- f\n\n> g\n\n| h | i |\n|---|---|\n",
        "Use `{name}`, {name}, {5}, {0.5}, {a, b} and {\"a\": 1}.\n",
        "C++ and C++, a == b, 10:30:15, :smile:, 2^^3, x==1==y\n",
        "Map<String, Integer> and <YOUR_TOKEN> stay.\n",
        "Dear {{contact.name}}, [[1]](https://a.example) [[a, [b]]]\n",
        "import your data from a file.\nexport it again.\n",
        "!!! Please call us.\n??? really\n",
        "Title\n===\n\ntext\n---\n\n***\n\n* * *\n",
        "<!-- a\n{.b}\n::: -->\n",
        "- a\n- b `` ` `` c\n\n\n\n1) d\n",
    ]);
}

#[test]
fn code_stays_as_it_is() {
    unchanged(&[
        "```jsx\nimport A from 'a'\n<Tabs>\n:::note\n=== \"a\"\n{% tab %}\n{{< x >}}\n[[a]] {.b}\n```\n",
        "~~~\n{% hint %}\n```\n:::\n~~~\n",
        "- ```\n  {.a}\n  ```\n",
        "`{% tab %}` and `` {{< ` >}} `` and `a\nb {.b}c` <code>{.d}</code>\n",
        "a\n\n    {% tab %}\n\n    :::note\n",
        "<pre>\n{.a}\n\n[[b]]\n</pre>\n",
        "\\{.a} \\[[b]] \\:::\n",
    ]);
}

#[test]
fn tabs_of_components_become_panels() {
    check(&[
        (
            "import Tabs from '@theme/Tabs';\nimport {\n  A,\n  B as C,\n} from \"b\"\n\n# T\n\n\
             <Tabs groupId=\"os\">\n  <TabItem value=\"win\" label=\"Windows & <more>\">\n    Do:\n    - a\n\
              \x20   - b\n  </TabItem>\n  <TabItem value=\"mac\">\n\n    ```sh\n    run {x}\n      more\n\
              \x20   ```\n\n  </TabItem>\n</Tabs>\nEnd\n",
            "# T\n\n<section role=\"tabpanel\" aria-label=\"Windows &amp; &lt;more&gt;\">\n\nDo:\n- a\n- b\n\n\
             </section>\n\n<section role=\"tabpanel\" aria-label=\"mac\">\n\n```sh\nrun {x}\n  more\n```\n\n\
             </section>\n\nEnd\n",
        ),
        (
            "1. Install:\n   <Tabs values={[{label: 'On Linux', value: 'l'}]}>\n\
             \x20  <TabItem value=\"l\">One line</TabItem>\n   </Tabs>\n2. Go\n",
            "1. Install:\n\n   <section role=\"tabpanel\" aria-label=\"On Linux\">\n\n   One line\n\n\
             \x20  </section>\n\n2. Go\n",
        ),
        (
            "<Tabs>\n<Tab title=\"a\">\nb\n</Tab>\n</Tabs>\n",
            "<section role=\"tabpanel\" aria-label=\"a\">\n\nb\n\n</section>\n",
        ),
    ]);
}

#[test]
fn other_components_leave_their_titles_and_their_content() {
    check(&[
        (
            "<Admonition type=\"tip\" title=\"Be quick\">\n  Go.\n</Admonition>\n<Warning>Hot</Warning>\n",
            "<div class=\"admonition\">\n\n**Be quick**\n\nGo.\n\n</div>\n\n<div class=\"admonition\">\n\n\
             **Warning**\n\nHot\n\n</div>\n",
        ),
        (
            "<AccordionGroup>\n  <Accordion title=\"Why \\\"me\\\"?\" icon=\"x\">\n    So.\n\n        deep\n\
             \x20 </Accordion>\n</AccordionGroup>\n",
            "<details>\n<summary>Why &quot;me&quot;?</summary>\n\nSo.\n\ndeep\n\n</details>\n",
        ),
        (
            "<Steps>\n1. a\n2. b\n</Steps>\n<CardGrid>\n<Card title=\"One\" icon={<X/>} style={{width: '50%'}}>\n\
             - c\n</Card>\n<LinkCard title=\"Two\" href=\"/two\" description=\"More\" />\n</CardGrid>\n",
            "1. a\n2. b\n\n**One**\n\n- c\n\n[Two](/two)\n\nMore\n",
        ),
        ("A <Tooltip tip=\"no\">word</Tooltip> <Icon icon=\"x\" /><Badge text=\"New\" />.\n", "A word New.\n"),
        ("<Foo\n  onClick={() => x}\n  src={require('x').default}\n/>\na\n", "a\n"),
        ("a <img alt=\"b\" style={{w: 1}} onClick={() => x}/> c\n", "a <img alt=\"b\" /> c\n"),
        (
            "<video\n  src=\"a.mp4\"\n  muted\n/>\n\nb <iframe src={c} allow/> <a id='d'/> <hr/> <a href=/e/>f</a> <a href=/g/ /><i/>\n",
            "<video\n  src=\"a.mp4\"\n  muted></video>\n\nb <iframe></iframe> <a id='d'></a> <hr/> <a href=/e/>f</a> <a href=/g/></a><i></i>\n",
        ),
        ("{/* note\n\nmore */}\n<div style={{a: 1}}>\n  - b\n</div>\n", "<div>\n\n- b\n\n</div>\n"),
        (
            "export const A = {\n  b: '}',\n\n  c: 1,\n};\n\nHi {props.name}, {user}{' '}{\"you\"} {\\x}.\n\
             {ok && (\n  <B/>\n)}\n",
            "Hi , {user} you {\\x}.\n",
        ),
        (
            "<details>\n<summary>A</summary>\n- b\n</details>\n<B/>\n",
            "<details>\n\n<summary>A</summary>\n\n- b\n\n</details>\n",
        ),
        ("<CodeGroup>\n```bash npm\na\n```\n</CodeGroup>\n", "**npm**\n\n```bash npm\na\n```\n"),
        (
            "<ParamField path=\"id\" type=\"string\" required>\n  Its id.\n</ParamField>\n",
            "**id (string)**\n\nIts id.\n",
        ),
    ]);
}

#[test]
fn directives_with_colons_become_hints() {
    check(&[
        (":::note\na\n:::\n", "<div class=\"admonition\">\n\n**Note**\n\na\n\n</div>\n"),
        (":::tip[A `b`]\na\n:::\n", "<div class=\"admonition\">\n\n**A `b`**\n\na\n\n</div>\n"),
        (":::caution Be kind\na\n:::\n", "<div class=\"admonition\">\n\n**Be kind**\n\na\n\n</div>\n"),
        (":::info{title=\"x y\"}\na\n:::\n", "<div class=\"admonition\">\n\n**x y**\n\na\n\n</div>\n"),
        (
            "::::danger\n:::tip\na\n:::\nb\n::::\nc",
            "<div class=\"admonition\">\n\n**Danger**\n\n<div class=\"admonition\">\n\n**Tip**\n\na\n\n</div>\n\n\
             b\n\n</div>\n\nc",
        ),
        (
            "- a\n\n  :::note\n  b\n  :::\n- c\n",
            "- a\n\n  <div class=\"admonition\">\n\n  **Note**\n\n  b\n\n  </div>\n\n- c\n",
        ),
        ("::: details Why?\na\n:::\n", "<details>\n<summary>Why?</summary>\n\na\n\n</details>\n"),
        ("[[toc]]\n\n::: code-group\n\n```js{1} [config.js]\na\n```\n\n:::\n", "**config.js**\n\n```js\na\n```\n"),
        (
            "::: tabs\n@tab A\na\n@tab B\nb\n:::\n",
            "<section role=\"tabpanel\" aria-label=\"A\">\n\na\n\n</section>\n\n\
             <section role=\"tabpanel\" aria-label=\"B\">\n\nb\n\n</section>\n",
        ),
        ("::: {.callout-tip title=\"T\"}\na\n:::\n", "<div class=\"admonition\">\n\n**T**\n\na\n\n</div>\n"),
        ("/// details | Why\na\n///\n", "<details>\n<summary>Why</summary>\n\na\n\n</details>\n"),
    ]);
}

#[test]
fn indented_directives_of_mkdocs_are_no_code() {
    check(&[
        (
            "=== \"macOS\"\n\n    1. a\n\n        b\n\n    ```sh\n    c\n      d\n    ```\n\n\
             === \":material-linux: `Linux`\"\n\n    e\nf\n",
            "<section role=\"tabpanel\" aria-label=\"macOS\">\n\n1. a\n\n    b\n\n```sh\nc\n  d\n```\n\n\
             </section>\n\n<section role=\"tabpanel\" aria-label=\"Linux\">\n\ne\n\n</section>\n\nf\n",
        ),
        (
            "!!! note \"Be quick\"\n    a\n\n    ??? question \"Why?\"\n        b\n\nc\n",
            "<div class=\"admonition\">\n\n**Be quick**\n\na\n\n<details>\n<summary>Why?</summary>\n\nb\n\n\
             </details>\n\n</div>\n\nc\n",
        ),
        ("!!! note \"\"\n    a\n", "<div class=\"admonition\">\n\na\n\n</div>\n"),
        ("!!! warning inline end\n\n    a\n", "<div class=\"admonition\">\n\n**Warning**\n\na\n\n</div>\n"),
        ("???+ tip \"T\"\n    a\n", "<details>\n<summary>T</summary>\n\na\n\n</details>\n"),
        (
            "- a\n\n    === \"b\"\n\n        c\n\n- d\n",
            "- a\n\n    <section role=\"tabpanel\" aria-label=\"b\">\n\n    c\n\n    </section>\n\n- d\n",
        ),
        ("[TOC]\n\na\n--8<-- \"b.md\"\n\nterm\n:   text\n\n    more\n", "a\n\nterm\n-   text\n\n    more\n"),
    ]);
}

#[test]
fn small_marks_of_mkdocs_become_text() {
    check(&[
        (":material-check:{ .x } a :smile: 10:30:15\n", "a :smile: 10:30:15\n"),
        ("| a | :material-check: | :material-close:{ .b } |\n", "| a | ✓ | ✗ |\n"),
        ("Press ++ctrl+c++ or ++arrow-up++.\n", "Press Ctrl+C or Arrow Up.\n"),
        ("==a b== ^^c^^ {++d++}{--e--} {~~f~>g~~}\n", "a b c d g\n"),
        ("``` { .yaml title=\"a.yml\" }\nb\n```\n", "**a.yml**\n\n```yaml\nb\n```\n"),
    ]);
}

#[test]
fn tags_of_gitbook_become_panels_hints_and_links() {
    check(&[
        (
            "{% tabs %}\n{% tab title=\"iOS\" %}\n* a\n\n{% hint style=\"info\" %}\nb\n{% endhint %}\n{% endtab %}\n\
             {% endtabs %}\n",
            "<section role=\"tabpanel\" aria-label=\"iOS\">\n\n* a\n\n<div class=\"admonition\">\n\n**Info**\n\n\
             b\n\n</div>\n\n</section>\n",
        ),
        ("{% content-ref url=\"a.md\" %}\n[a](a.md)\n{% endcontent-ref %}\n", "[a](a.md)\n"),
        ("{% code title=\"x.js\" %}\n```js\na\n```\n{% endcode %}\n", "**x.js**\n\n```js\na\n```\n"),
        ("{% stepper %}\n{% step %}\n### A\nb\n{% endstep %}\n{% endstepper %}\n", "### A\nb\n"),
        ("a\n\n{% embed url=\"https://a.example/b\" %}\n", "a\n\n<https://a.example/b>\n"),
        ("{% file src=\"../x/form.pdf\" %}\n", "form.pdf\n"),
        (
            "1. a\n   {% hint style=\"warning\" %}\n   b\n   {% endhint %}\n",
            "1. a\n\n   <div class=\"admonition\">\n\n   **Warning**\n\n   b\n\n   </div>\n",
        ),
    ]);
}

#[test]
fn shortcodes_of_hugo_become_panels_and_hints() {
    check(&[
        (
            "{{< tabs >}}\n{{< tab \"macOS\" >}}\na\n{{< /tab >}}\n{{% tab header=\"Linux\" %}}\nb\n{{% /tab %}}\n\
             {{< /tabs >}}\n",
            "<section role=\"tabpanel\" aria-label=\"macOS\">\n\na\n\n</section>\n\n\
             <section role=\"tabpanel\" aria-label=\"Linux\">\n\nb\n\n</section>\n",
        ),
        (
            "{{% notice note \"Be kind\" %}}\na\n{{% /notice %}}\n",
            "<div class=\"admonition\">\n\n**Be kind**\n\na\n\n</div>\n",
        ),
        ("{{< alert title=\"T\" >}}a{{< /alert >}}\n", "<div class=\"admonition\">\n\n**T**\n\na\n\n</div>\n"),
        (
            "{{< details \"Why?\" >}}\na\n{{< /details >}}\n",
            "<details>\n<summary>Why?</summary>\n\na\n\n\
         </details>\n",
        ),
        ("[a]({{< ref \"b.md\" >}}) c\n", "[a](b.md) c\n"),
        ("{{< figure src=\"a.png\" caption=\"A door\" >}}\n{{< youtube x >}}\n", "A door\n"),
        ("a {{< glossary_tooltip text=\"cluster\" term_id=\"c\" >}} {{< param version >}}b\n", "a cluster b\n"),
        ("{{< big >}}a{{< /big >}}\n", "a\n"),
        ("{{< highlight js >}}\na {.b}\n{{< /highlight >}}\n", "```js\na {.b}\n```\n"),
        (
            "{{< tabpane lang=\"sh\" >}}\n{{< tab header=\"A\" >}}\nx {.y}\n{{< /tab >}}\n{{< /tabpane >}}\n",
            "<section role=\"tabpanel\" aria-label=\"A\">\n\n```sh\nx {.y}\n```\n\n</section>\n",
        ),
        (
            "x\n\n    {{< tabs >}}\n{{< tab \"A\" >}}\nb\n{{< /tab >}}\n    {{< /tabs >}}\nc\n",
            "x\n\n<section role=\"tabpanel\" aria-label=\"A\">\n\nb\n\n</section>\n\nc\n",
        ),
        ("Press {{< kbd \"Ctrl\" >}}.\n", "Press Ctrl.\n"),
        ("a {{</* b */>}}\n", "a {{< b >}}\n"),
    ]);
}

#[test]
fn liquid_of_jekyll_goes() {
    unchanged(&["Dear {{ name }}, `{% if x %}` tests.\n"]);
    check(&[
        (
            "{% include nav.html %}\na {{ site.name }}b [c]({{ site.baseurl }}/d) [e]({% link f.md %})\n",
            "a b [c](/d) [e](f.md)\n",
        ),
        ("{% raw %}{{ a }} {% b %}\n{.c}{% endraw %} {{ d }}e\n", "{{ a }} {% b %}\n{.c} e\n"),
        ("{% highlight js linenos %}\na {{b}}\n{% endhighlight %}\n", "```js\na {{b}}\n```\n"),
        ("{% assign x = 1 %}\n{% comment %}\nno\n{% endcomment %}\n{% if x %}\na\n{% endif %}\n", "a\n"),
        ("{% include note.html content=\"Be kind.\" %}\n", "**Note** Be kind.\n"),
        ("![a]({{ '/b.png' | relative_url }}) {{ page.title }}c\n", "![a](/b.png) c\n"),
    ]);
}

#[test]
fn attribute_lists_go() {
    check(&[
        ("[a](b){:target=\"_blank\"} c{.d} e\n", "[a](b) c e\n"),
        ("![a](b){ width=\"300\" }{width=5}\n", "![a](b)\n"),
        ("a\n{: .note }\n\nb {#c}\n", "a\n\nb\n"),
        ("| a {.b} | c{: #d} |\n", "| a | c |\n"),
        ("[a](b){ .md-button .x }\n# c {#d}\n## e {: .f}\n", "[a](b)\n# c {#d}\n## e\n"),
        ("1. TOC\n{:toc}\n\na\n{: style=\"color: red; x: y\" }\n", "a\n"),
    ]);
}

#[test]
fn callouts_begin_with_their_title() {
    check(&[
        ("> [!NOTE]\n> a\n", "> **Note**\n>\n> a\n"),
        ("> [!TIP] Be [[a|quick]]\n> b\n", "> **Be quick**\n>\n> b\n"),
        ("- a\n  > [!faq]- Why?\n  > b\n", "- a\n  > **Why?**\n  >\n  > b\n"),
    ]);
}

#[test]
fn links_of_a_wiki_become_text() {
    check(&[
        ("See [[Page]], [[a/b#c|the text]] and [[#Top]].\n", "See Page, the text and Top.\n"),
        ("![[photo.png]]\n\na [[A#b]]\n", "a A > b\n"),
    ]);
}
