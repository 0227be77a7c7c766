//! Reading does linear work with little stack.

use super::read;

/// Reading holds a thread for as long as it works, and nothing can stop it: its work must be bounded by the text.
#[test]
fn reading_a_page_is_linear() {
    let own = [
        "<p>",
        "<p>y ",
        "<div>",
        "<b>",
        "<b>y</b> ",
        "<ul><li>y",
        "<table><tr><td>y",
        "<tr><td>y",
        "<td>y",
        "<a href=/x>y</a> ",
        "<dl><dt>y<dd>z",
        "<details><summary>q?</summary>a",
        "<h2>y</h2>z",
        "<h2>y</h2>",
        "<pre>y\n",
        "<code>`",
        "<blockquote>y",
        "<svg>",
        "<script>",
        "<!--",
        "-->",
        "<x-y>",
        "</div>",
        "</p>",
        "<p ",
        "<p a=1>",
        "<p class='a b c nav'>y",
        "&lt;b",
        "&amp;",
        "&#60;",
        "<br>",
        "<nav>y",
        "<section><h3>y</h3>z",
        "<div role=tabpanel aria-labelledby=t id=t>z",
        "<p hidden>y",
        "<i>y<b>z",
        "<img alt=y>",
        "<td rowspan=99 colspan=99>c",
        "<select>y",
        "<h1>y",
        "<main>y",
        "<article>y",
        "<b><b>y? </b></b>",
    ];
    growth::linear(
        "html",
        50_000,
        own.into_iter().chain(["9 ", "a", "一", "[", "<", "&", "\u{301}", "`", "\n\n"]),
        |text| {
            let _ = std::hint::black_box(read("x.html", text));
        },
    );
}

#[test]
fn reading_a_text_is_linear() {
    let own = [
        "# a\n\nb\n\n",
        "# a\n",
        "Q: a?\nA: b\n\n",
        "A\n\n",
        "1.1 B\n\nc ",
        "- a\n",
        "> a\n",
        "|a|b|\n",
        "```\n",
        "<p>a</p>",
        "---\n",
        "# ",
        "# [",
        "[x]",
        "![",
        "[a](",
        "](",
        "> ",
        "- ",
        "  - ",
        "1. ",
        "|a",
        "|a|b|\n|-|-|\n",
        "~~~",
        "<!--",
        "-->",
        "<b>",
        "<div>\n",
        "</div>",
        "<details>\n",
        "*a ",
        "**a",
        "_a*",
        "~a",
        "[a]: b\n",
        "[x]\n\n[x]: y\n\n",
        "=\n",
        "&lt;",
        "\\`",
        "    ",
        "``",
        "![a][b]",
        "{#a}",
        "<a href=",
        "<?",
        "<![CDATA[",
        "http://",
        "[^1]",
        "$",
    ];
    for name in ["x.md", "x.txt"] {
        growth::linear(name, 50_000, growth::UNITS.into_iter().chain(own), |text| {
            let _ = std::hint::black_box(read(name, text));
        });
    }
}
