//! Words that are kept whatever they are called, and the frame of a page, which is not.

use super::{Kind, Page, drafts};

/// The content of all entries with their titles.
fn text_of(html: &str) -> String {
    let page = Page { text: html, kind: Some(Kind::Html), url: None, name: "Page" };
    let drafts = drafts(&page).unwrap_or_else(|why| panic!("{why:?}: {html}"));
    drafts.iter().map(|draft| format!("{}\n{}\n", draft.title, draft.content)).collect()
}

/// Each case: a page, a text that its entries have, and one that they do not have (`∅` for none).
pub(super) fn check(cases: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(page, there, gone)| {
            let text = text_of(page);
            let right = text.contains(there) && !text.contains(gone);
            (!right).then(|| format!("{page}\n  has not {there:?}, or has {gone:?}:\n{text}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A few sentences.
pub(super) const PROSE: &str = "<p>Hold the key for three seconds until the light turns green, then let go. Wait for \
    the tone. The door opens and stays open for ten seconds. If the light turns red, the battery is empty.</p>";

/// A page whose main part holds a few paragraphs and `part`.
pub(super) fn main(title: &str, part: &str) -> String {
    format!(
        "<title>{title} | Acme</title><body><main><h1>{title}</h1>{PROSE}{part}<p>The end of it is here.</p></main>"
    )
}

/// The same without landmarks.
fn plain(title: &str, part: &str) -> String {
    format!(
        "<title>{title} | Acme</title><body><div id=wrap><div class=top><h1>{title}</h1>{PROSE}{PROSE}</div>\
            </div>{part}"
    )
}

#[test]
fn words_are_kept_whatever_they_are_called() {
    let in_text = |part: &str| main("Keys", part);
    check(&[
        (
            "<p>Select <span class=\"menuseq\"><b class=\"menu\">File</b> › <b class=\"submenu\">Export</b></span>",
            "Select **File** › **Export**",
            "∅",
        ),
        ("<p>Your <span class=\"tooltip\">APR</span> is 9 %", "Your APR is 9 %", "∅"),
        ("<h1>What we store</h1><p class=\"gdpr-text\">Your name.</p><p>And more.</p>", "Your name.", "∅"),
        ("<h1>Our cookies</h1><div class=\"cookie-row\">Session: one day</div><p>End.</p>", "Session: one day", "∅"),
        ("<ul><li class=\"menu\">Open it<li>Close it</ul>", "Open it", "∅"),
        ("<p>Dear all</p><p class=\"signature\">Yours, Anna</p>", "Yours, Anna", "∅"),
        (&in_text("<p class=share>Share the key.</p>"), "Share the key.", "∅"),
        (&in_text("<h2 class=footer>Feet</h2><p>Two.</p>"), "Feet", "∅"),
        (&in_text("<table><tr><td class=rating>4 stars<td class=votes>12</table>"), "4 stars", "∅"),
        (&in_text("<dl><dt class=nav>North<dd class=sidebar>Up</dl>"), "Up", "∅"),
        (&in_text("<blockquote class=newsletter>Old news.</blockquote>"), "Old news.", "∅"),
        (&in_text("<p>Go to <a class=nav href=/x>Settings</a>.</p>"), "Settings", "∅"),
        (&in_text("<p><em class=promo>SAVE20</em> is the code.</p>"), "SAVE20", "∅"),
        (&in_text("<p>Price <del class=ads>9 €</del> 7 €</p>"), "9 €", "∅"),
        (&in_text("<pre class=footer>exit 0</pre>"), "exit 0", "∅"),
        (&in_text("<ol><li class=sidebar>First<li>Second</ol>"), "First", "∅"),
        (&in_text("<p><code class=toc>toc: true</code> turns it on.</p>"), "toc: true", "∅"),
        (&in_text("<p><label class=consent>I agree</label> is ticked.</p>"), "I agree", "∅"),
    ]);
}

#[test]
fn containers_with_text_are_kept_in_the_main_part() {
    check(&[
        (&main("Keys", "<section class=related><h2>Related costs</h2><p>A key costs 9 €.</p></section>"), "9 €", "∅"),
        (&main("Keys", "<div class=\"card-footer\">Shipping takes two days</div>"), "two days", "∅"),
        (&main("Keys", "<div class=tooltip>Yearly cost of the loan</div>"), "Yearly cost", "∅"),
        (&main("Keys", "<div class=overlay>The glass overlay is 2 mm thick</div>"), "2 mm", "∅"),
        (
            &main("Newsletter", "<section class=newsletter><h2>When</h2><p>On Mondays.</p></section>"),
            "On Mondays.",
            "∅",
        ),
        (&main("Newsletter", "<div class=newsletter>Sent to <a href=/a>a list</a>.</div>"), "a list", "∅"),
        (
            &main(
                "Our cookies",
                "<div class=cookie-row><b>sid</b> one day <button>Info</button>\
            </div>",
            ),
            "one day",
            "∅",
        ),
        (
            &main("Privacy", "<div class=consent-row>Ads: off</div><div class=consent-row>Mail: on</div>"),
            "Ads: off",
            "∅",
        ),
        (&main("Privacy", "<section id=ot-sdk-cookie-policy><p>The list of cookies: sid.</p></section>"), "sid", "∅"),
        (&main("Comments", "<div class=comments>Press <a href=/r>Reply</a> to answer.</div>"), "to answer", "∅"),
        (&main("Keys", "<div class=menu><div>Soup 5 €</div><div>Pasta 9 €</div></div>"), "Pasta 9 €", "∅"),
        (
            "<div class=cookie-recipe><h1>Oat cookies</h1><p>Mix.</p></div><div class=cookie-facts><p>They hold a week.</p></div>",
            "hold a week",
            "∅",
        ),
        ("<h1>Trattoria</h1><div class=menu>Soup <b>5 €</b></div><p>We are open from noon.</p>", "5 €", "∅"),
        (&main("Keys", "<footer>* Prices are without tax.</footer>"), "without tax", "∅"),
        (
            &main("Keys", "<form><p>Enter the number and press <button>Send</button> once.</p></form>"),
            "press Send",
            "∅",
        ),
        (&main("Keys", "<div class=signature>Yours, the team of Acme</div>"), "Yours", "∅"),
        (&main("Keys", "<div class=author><p>Anna wrote the firmware of the lock.</p></div>"), "firmware", "∅"),
        (
            &plain(
                "Our cookies",
                "<div class=cookie-row>sid is kept for one whole day</div><div class=cookie-row>lang is kept</div>",
            ),
            "sid is kept",
            "∅",
        ),
        (
            "<h1>Ratings</h1><p>We explain what stars mean.</p><div class=rating>Five stars: perfect.</div>",
            "Five stars: perfect.",
            "∅",
        ),
    ]);
}

#[test]
fn class_names_of_builders_of_pages_lose_no_words() {
    let in_text = |part: &str| plain("Keys", &format!("<div id=content><h2>More</h2>{part}</div>"));
    check(&[
        (
            &in_text(
                "<div class='elementor-element elementor-widget elementor-widget-text-editor'>\
                    <div class='elementor-widget-container'><p>Elementor text.</p></div></div>",
            ),
            "Elementor text.",
            "∅",
        ),
        (
            &in_text(
                "<div class='elementor-widget-toggle'>\
                    <div class='elementor-tab-title' role=button aria-controls=c1>Is it blue?</div>\
                        <div id=c1 class='elementor-tab-content'><p>It is.</p></div></div>",
            ),
            "Is it blue?\nIt is.",
            "∅",
        ),
        (
            &in_text(
                "<div class='card'><div class='card-header'>Small</div><div class='card-body'>3 €</div>\
                    <div class='card-footer'>per day</div></div><div class='card'>\
                        <div class='card-header'>Large</div><div class='card-body'>4 €</div>\
                            <div class='card-footer'>per day</div></div>",
            ),
            "per day",
            "∅",
        ),
        (
            &in_text(
                "<div class='MuiBox-root css-0'><div class='MuiAlert-root'>\
                    <div class='MuiAlert-message'>Mind the gap.</div></div></div>",
            ),
            "Mind the gap.",
            "∅",
        ),
        (&in_text("<div class='MuiTooltip-popper'><p>A tip.</p></div>"), "A tip.", "∅"),
        (&in_text("<div class='flex sticky top-0 nav-item p-4 shadow'>Sticky words.</div>"), "Sticky words.", "∅"),
        (&in_text("<div class='sc-abc123 jMenuX'><span>Styled words.</span></div>"), "Styled words.", "∅"),
        (&in_text("<div class='tab-content'><div class='tab-pane'>Pane.</div></div>"), "Pane.", "∅"),
        (&in_text("<div class='modal-body'>Inside words.</div>"), "Inside words.", "∅"),
        (&in_text("<div class='social-proof'>Nine of ten doctors agree.</div>"), "Nine of ten", "∅"),
    ]);
}

#[test]
fn consent_is_left_out_wherever_it_stands() {
    let notice = "We use cookies to make this site better.";
    let banner = |open: &str| format!("{open}{notice} <button>Accept</button></div>");
    check(&[
        (&main("Keys", &banner("<div class=cookie-banner><p>")), "The door opens", notice),
        (&main("Keys", &banner("<div id=gdpr-bar>")), "The door opens", notice),
        (&main("Keys", &format!("<div class=cookie-note>{notice} <a href=#>OK</a></div>")), "The door opens", notice),
        (&main("Keys", &format!("<div role=dialog><p>{notice}</div>")), "The door opens", notice),
        (
            &main("Our cookies", &format!("<div class=cookie-bar style='position: fixed'>{notice}</div>")),
            "door",
            notice,
        ),
        (&main("Keys", &banner("<section class=onetrust-x><p></section><div class=didomi-popup>")), "door", notice),
        (&plain("Keys", &banner("<div class=cookie-notice>")), "The door opens", notice),
        (&plain("Our cookies", &banner("<div class=cookie-notice>")), "The door opens", notice),
        (&plain("Keys", &format!("<div class=CookieConsent>{notice}</div>")), "The door opens", notice),
        (&plain("Keys", &format!("<aside id=cookie-law-info-bar>{notice}</aside>")), "The door opens", notice),
    ]);
}

#[test]
fn offers_and_navigation_are_left_out_in_the_text_too() {
    let share = "<a href='https://social.example/s?u=1'>Facebook</a> <a href='https://tweet.example/i'>Twitter</a>";
    check(&[
        (&main("Keys", &format!("<div class='share-bar'>Share: {share}</div>")), "door", "Twitter"),
        (&main("Keys", &format!("<ul class='social-links'><li>{share}</ul>")), "door", "Twitter"),
        (
            &main(
                "Keys",
                "<div class=related-articles><h3>Related articles</h3><a href=/a>Locks</a><a href=/b>Doors</a></div>",
            ),
            "door",
            "Related",
        ),
        (
            &main(
                "Keys",
                "<section class=recent-articles><h2>Recently viewed articles</h2><ul><li><a href=/a>Locks</a>\
                    </ul></section>",
            ),
            "door",
            "Recently",
        ),
        (&main("Keys", "<ol class=breadcrumbs><li><a href=/>Home</a><li><a href=/k>Keys</a></ol>"), "door", "Home"),
        (
            &main(
                "Keys",
                "<div><a href=/>All topics</a><div>›</div><a href=/d>Doors</a><div>›</div><div>Keys</div></div>",
            ),
            "door",
            "topics",
        ),
        (
            &main(
                "Keys",
                "<div class=article-nav><div>Previous<a href=/a>Locks</a></div><div>Next<a href=/b>Doors</a></div></div>",
            ),
            "door",
            "Locks",
        ),
        (&main("Keys", "<div class=pagination><a href=/1>Previous</a> <a href=/2>Next</a></div>"), "door", "Next"),
        (
            &main(
                "Keys",
                "<div class=newsletter><h3>News</h3><p>Get tips every month by mail.</p><form><input>\
                    <button>Go</button></form></div>",
            ),
            "door",
            "tips",
        ),
        (
            &main(
                "Keys",
                "<div class=votes><p>Was it good?</p><button>Yes</button><button>No</button>\
                    <p>12 of 20 said so</p></div>",
            ),
            "door",
            "12 of 20",
        ),
        (
            &main(
                "Keys",
                "<div id=comments><h2>Comments</h2><div class=comment><a href=/u>Ben</a><p>Mine broke.</p>\
                    <button>Reply</button></div></div>",
            ),
            "door",
            "broke",
        ),
        (&main("Share a file", &format!("<div class='share-bar'>{share}</div>")), "door", "Twitter"),
        (&plain("Keys", "<div class=sidebar><p>Call us on any day.</p></div>"), "door", "any day"),
        (&plain("Keys", "<div id=footer><p>Acme of Lyon, all rights reserved.</p></div>"), "door", "Lyon"),
    ]);
}

#[test]
fn the_author_the_date_and_the_contents_are_left_out() {
    let head = |meta: &str| {
        format!(
            "<body><main><article><header>\
                <h1>Keys</h1>{meta}</header>{PROSE}<h2 id=a>First</h2>{PROSE}<h2 id=b>Next</h2>{PROSE}</article>\
                    </main>"
        )
    };
    let list = "<ul><li><a href=#a>First</a><li><a href=#b>Next</a></ul>";
    check(&[
        (
            &head("<div class=avatar><img><div>Written by <span>Anna</span></div>Updated over a week ago</div>"),
            "door",
            "Anna",
        ),
        (
            &head("<div class=article-meta><a href=/u>Ben</a><span>3 months ago</span><span>Updated</span></div>"),
            "door",
            "3 months",
        ),
        (&head("<div class=byline>By Cleo</div>"), "door", "Cleo"),
        (&head("<p>Last updated on <time datetime=2024-03-01>1 March</time></p>"), "door", "March"),
        (&head("<time>1 March 2024</time>"), "door", "March"),
        (&head(&format!("<p>In this article:</p>{list}")), "door", "In this article"),
        (&head(&format!("<h2>On this page</h2>{list}")), "Keys › First", "On this page"),
        (&head(&format!("<div><strong>Contents</strong>{list}</div>")), "door", "Contents"),
        (&head("<div class=x><div><a href=#a>First</a></div><div><a href=#b>Next</a></div></div>"), "door", "(#"),
        (&head("<p>See <a href=#a>First</a> and <a href=#b>Next</a>.</p>"), "See First and Next.", "∅"),
        (&head("<p>Author and date are written on the label.</p>"), "on the label", "∅"),
    ]);
}

#[test]
fn links_that_move_the_reader_and_the_last_question_are_left_out() {
    let end = |part: &str| {
        format!(
            "<body><a href=#m>Skip to content</a><main id=m>\
            <h1>Keys</h1>{PROSE}{PROSE}{part}</main>"
        )
    };
    check(&[
        (&end(""), "door", "Skip"),
        (&end("<div><a href=#m>Return to top</a></div>"), "door", "Return to top"),
        (&end("<p><a href=#top>Back up</a></p>"), "door", "Back up"),
        (&end("<div>Have more questions? <a href=/new>Submit a request</a></div>"), "door", "request"),
        (&end("<div><h4>Still stuck?</h4><a href=/c>How can we help?</a></div>"), "door", "help"),
        (
            &end("<section><p>Need more? <a href=#>Contact us</a></p><time>Last updated on 3 March</time></section>"),
            "door",
            "Contact",
        ),
        (&end("<div><a href=/t>Terms</a> <a href=/p>Privacy</a><div>© 2025 Acme</div></div>"), "door", "2025"),
        (&end("<div>Was this helpful? <button>Yes</button> <button>No</button></div>"), "door", "helpful"),
        (&end("<p>Did this answer your question? <button>😞</button><button>😃</button></p>"), "door", "answer"),
        (&end("<div><p>Questions? Call <a href=tel:+331>01 23 45</a>.</p></div>"), "01 23 45", "∅"),
        (&end("<p>Want to cancel? <a href=/c>Cancel here</a></p>"), "Cancel here", "∅"),
        (&end("<div>Questions? Write to <a href=mailto:a@b.example>a@b.example</a></div>"), "a@b.example", "∅"),
        (&end("<div><h2>Who pays?</h2><p>We do, always.</p></div>"), "We do, always.", "∅"),
    ]);
}
