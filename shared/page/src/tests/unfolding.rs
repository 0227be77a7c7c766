//! Buttons that are words, headings or controls; what unfolds at a click.

use super::frames::{PROSE, check, main};

#[test]
fn a_button_in_a_sentence_is_a_word() {
    check(&[
        ("<p>Press <button>Save</button> at the end", "Press Save at the end", "∅"),
        ("<p>Press <button>Save</button>", "Press Save", "∅"),
        ("<div>Press <button>Save</button> or <button>Stop</button> now</div>", "Press Save or Stop now", "∅"),
        ("<ol><li>Open it<li>Click <button>Next</button></ol>", "Click Next", "∅"),
        ("<p>The <button>B</button><button>I</button> marks are up there.</p>", "The B I marks are", "∅"),
        ("<p><button>Save</button> stores the file.</p>", "Save stores the file.", "∅"),
        ("<p>Click <span role=button>Done</span> twice.</p>", "Click Done twice.", "∅"),
        ("<table><tr><th>Button<th>Use<tr><td><button>Save</button><td>Stores</table>", "Save", "∅"),
        ("<p>Use <b><button>Undo</button></b> to go back.</p>", "Undo", "∅"),
        ("<dl><dt><button>Send</button><dd>Sends it</dl>", "Send", "∅"),
        ("<h2>Use the <button>Save</button> button</h2><p>It is blue.</p>", "Use the Save button", "∅"),
        ("<p>Press <button>+</button> to add one.</p>", "Press + to add one.", "∅"),
    ]);
}

#[test]
fn a_button_over_its_answer_is_a_heading() {
    let page = |part: &str| format!("<h1>Help</h1><p>Some words of the page that come first.</p>{part}");
    let pair = |question: &str, answer: &str| page(&format!("<div>{question}{answer}</div><div>{PROSE}</div>"));
    let q = "Help › Shipping\nTwo days.";
    check(&[
        (&pair("<button>Shipping</button>", "<div hidden>Two days.</div>"), q, "∅"),
        (&pair("<h3><button>Shipping</button></h3>", "<div style='display: none'>Two days.</div>"), q, "∅"),
        (&pair("<div><button>Shipping</button></div>", "<p hidden>Two days.</p>"), q, "∅"),
        (&pair("<div role=button tabindex=0>Shipping</div>", "<div hidden>Two days.</div>"), q, "∅"),
        (&pair("<h3 role=button>Shipping</h3>", "<div><div hidden>Two days.</div></div>"), q, "∅"),
        (&pair("<button aria-expanded=false>Shipping</button>", "<div aria-hidden=true>Two days.</div>"), q, "∅"),
        (&pair("<button aria-controls=s>Shipping</button>", "<div id=s hidden>Two days.</div>"), q, "∅"),
        (&pair("<button>Shipping</button>", "<div>Two days.</div>"), q, "∅"),
        (&page("<button>Shipping</button><div>Two days.</div><button>Costs</button><div>Four.</div>"), q, "∅"),
        (&page("<ul><li><button>Shipping</button><div hidden>Two days.</div></li></ul>"), q, "∅"),
        (&page("<details><summary>Shipping</summary><div hidden>Two days.</div></details>"), q, "∅"),
        (
            &page("<button>Show</button><div hidden>Two.</div><button>Show</button><div hidden>Four.</div>"),
            "Four.",
            "∅",
        ),
        (&page("<button>How long does it take?</button><p>Two days.</p>"), "take?\nTwo days.", "∅"),
        (
            &page("<div class=expand-control><span>Shipping</span></div><div class='expand-content'>Two days.</div>"),
            q,
            "∅",
        ),
    ]);
}

#[test]
fn a_button_that_works_the_page_is_left_out_with_what_it_hides() {
    check(&[
        (&main("Keys", "<pre>npm i</pre><button>Copy</button><div hidden>Copied!</div>"), "npm i", "Cop"),
        (&main("Keys", "<div><span>bash</span><button>Copy</button></div><pre>npm i</pre>"), "npm i", "Copy"),
        (&main("Keys", "<p>Type <code>abc</code> <button>Copy</button></p>"), "Type `abc`", "Copy"),
        (&main("Keys", "<ol><li><span>Open it</span><button>Copy link</button></li></ol>"), "Open it", "Copy"),
        (&main("Keys", "<div><button>Share</button></div>"), "door", "Share"),
        (
            &main(
                "Keys",
                "<button>Expand all</button><div><h3><button>A?</button></h3><div hidden>Yes, a.</div></div>",
            ),
            "A?\nYes, a.",
            "Expand",
        ),
        (
            &main("Keys", "<button aria-haspopup=menu>More</button><div hidden><p>Print it out</p></div>"),
            "door",
            "More",
        ),
        (&main("Keys", "<div>A tip that is long enough. <button>×</button></div>"), "A tip", "×"),
        (
            &main("Keys", "<button>Menu</button><div hidden><a href=/a>Home</a><a href=/b>Shop</a></div>"),
            "door",
            "Home",
        ),
        (&main("Keys", "<h2>Setup <button>Copy link</button></h2><p>Plug it in.</p>"), "Keys › Setup\nPlug", "Copy"),
        (&main("Keys", "<ul><li><button>Bold</button><li><button>Italic</button></ul>"), "door", "Bold"),
        (&main("Keys", "<p>That is all of it. <button>Read more</button></p>"), "all of it.", "Read more"),
        (&main("Keys", "<p hidden>Not for you.</p><div hidden>Nor this.</div>"), "door", "Nor"),
        (&main("Keys", "<div class=w><button>Reply</button><button>Report</button></div>"), "door", "Re"),
        (
            &main(
                "Keys",
                "<pre>a</pre><button>Copy</button><div hidden>Copied!</div><pre>b</pre><button>Copy</button>\
                    <div hidden>Copied!</div>",
            ),
            "door",
            "Cop",
        ),
    ]);
}

#[test]
fn every_panel_is_kept_under_the_name_of_its_tab() {
    let panels = |list: &str, first: &str, other: &str| {
        format!(
            "<h1>Setup</h1><p>Choose your system.</p>{list}<div role=tabpanel {first}><p>Run it.</p></div>\
                <div role=tabpanel {other} hidden><p>Tap it.</p></div>"
        )
    };
    let expected = "**Mac**\n\nRun it.\n\n**Phone**\n\nTap it.";
    let tabs = |attrs: [&str; 2]| {
        format!(
            "<div role=tablist><button role=tab {}>Mac</button><button role=tab {}>Phone</button></div>",
            attrs[0], attrs[1]
        )
    };
    let docusaurus = "<div class=tabs-container><ul role=tablist class=tabs><li role=tab>Mac<li role=tab>Phone</ul>\
        <div class=margin-top--md><div role=tabpanel><p>Run it.</div><div role=tabpanel hidden><p>Tap it.</div>\
            </div></div>";
    let material = "<div class=tabbed-set><div class=tabbed-labels><label>Mac</label><label>Phone</label></div>\
        <div class=tabbed-content><div class=tabbed-block><p>Run it.</div><div class=tabbed-block><p>Tap it.</div></div></div>";
    let bootstrap = "<ul class='nav nav-tabs'><li><a data-toggle=tab href='#p'>Mac</a><li><a href='#q'>Phone</a></ul>\
        <div class=tab-content><div class='tab-pane active' id=p><p>Run it.</div><div class=tab-pane id=q>\
            <p>Tap it.</div></div>";
    let links = "<ul role=tablist><li><a href=#p>Mac</a><li><a href=#q>Phone</a></ul>";
    check(&[
        (&panels(&tabs(["id=a", "id=b"]), "aria-labelledby=a", "aria-labelledby=b"), expected, "∅"),
        (&panels(&tabs(["aria-controls=p", "aria-controls=q"]), "id=p", "id=q"), expected, "∅"),
        (&panels("", "aria-label=Mac", "aria-label=Phone"), expected, "∅"),
        (&panels(links, "id=p", "id=q"), expected, "∅"),
        (&panels(&tabs(["", ""]), "", ""), expected, "∅"),
        (&format!("<h1>Setup</h1><p>Choose your system.</p>{docusaurus}"), expected, "∅"),
        (&format!("<h1>Setup</h1><p>Choose your system.</p>{bootstrap}"), expected, "∅"),
        (&format!("<h1>Setup</h1><p>Choose your system.</p>{material}"), expected, "MacPhone"),
        (&panels(&tabs(["id=a aria-controls=p", "aria-controls=q"]), "aria-labelledby=a", "id=q"), expected, "∅"),
    ]);
}
