//! Texts as companies hand them in: exports that mix formats, sources of documentation sites, pages of help desks. The
//! entry says what a browser shows.

use serde_json::json;

use crate::ingest::{did, ingested};
use crate::support::{Actor, TestService};

/// The entries of a text, each as `title: content`, in the order of the text.
async fn entries(service: &TestService, trainer: &Actor, prefix: &str, text: &str) -> Vec<String> {
    let job = ingested(service, trainer, json!({"text": text, "pathPrefix": prefix, "visibility": "public"})).await;
    let mut entries = Vec::new();
    for entry in did(&job) {
        let (slug, _) = entry.split_once(' ').unwrap();
        let entry = trainer.get(&format!("/wiki/{prefix}/{slug}")).await;
        entries.push(format!("{}: {}", entry.text_at("title"), entry.text_at("content")));
    }
    entries
}

/// Each text and its entries; the prefix of the n-th is `a/n`, which names entries without a title.
async fn check(cases: &[(&str, &[&str])]) {
    let service = TestService::start().await;
    let trainer = service.trainer();
    for (at, (text, expected)) in cases.iter().enumerate() {
        let prefix = format!("texts/t{at}");
        let read = entries(&service, &trainer, &prefix, text).await;
        let read: Vec<String> = read.iter().map(|entry| entry.replacen(&format!("T{at}"), "T", 1)).collect();
        assert_eq!(read, *expected, "{text}");
    }
}

#[tokio::test]
async fn a_text_of_mixed_formats_is_read_in_the_one_that_it_is_written_in() {
    check(&[
        (
            "# Hours\n\nMost days.\n\n- Ring\n- Wait\n\n<figure><img src=\"x.png\"><figcaption>Door</figcaption></figure>",
            &["Hours: Most days.\n\n- Ring\n- Wait\n\nDoor"],
        ),
        ("<p># Reset\n\n1. Hold\n2. Wait</p>", &["Reset: 1. Hold\n2. Wait"]),
        ("&lt;p&gt;30&amp;nbsp;days&lt;/p&gt;", &["T: 30 days"]),
        (
            "1. Put the feet on.\n\n   <img src=\"a.png\" alt=\"feet\">\n\n2. Turn it.",
            &["T: 1. Put the feet on.\n2. Turn it."],
        ),
        ("A[^1] and [b](#b).\n\n[^1]: Note.", &["T: A¹ and b.\n\n¹ Note."]),
    ])
    .await;
}

#[tokio::test]
async fn records_of_data_are_refused_with_a_sentence() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    for text in ["\"Refunds\",\"<p>30 days</p>\"", "[{\"title\": \"Refunds\", \"body\": \"<p>30 days</p>\"}]"] {
        let job = ingested(&service, &trainer, json!({"text": text, "pathPrefix": "data"})).await;
        assert_eq!((job.text_at("status"), job.text_at("/error/code")), ("failed", "UNSUPPORTED_TYPE"));
        assert!(job.text_at("/error/message").contains("JSON or CSV"), "{}", job.text);
    }
    assert!(trainer.get("/wiki").await.items().is_empty());
}

#[tokio::test]
async fn what_markdown_means_is_escaped_and_reads_back_as_it_was() {
    check(&[
        (
            "<p>Dial *21*0301234567#</p><p>__init__</p><p>*86*PIN*0#</p><p>1986. A great year</p><p>- 5 degrees</p>\
             <p># 5 Main Street</p><p>&gt; 30 kg</p><p>C:\\new\\*.txt</p>",
            &["T: Dial \\*21\\*0301234567#\n\n\\_\\_init\\_\\_\n\n\\*86\\*PIN\\*0#\n\n1986\\. A great year\n\n\\- 5 degrees\n\n\
               \\# 5 Main Street\n\n\\> 30 kg\n\nC:\\new\\\\\\*.txt"],
        ),
        ("Dial *21*0301234567# at once", &["T: Dial \\*21\\*0301234567# at once"]),
        ("1986. A great year", &["T: 1986\\. A great year"]),
        ("- 5 degrees", &["T: \\- 5 degrees"]),
        (
            "<p><b>注意：</b>请</p><p><b>환불(7일)</b>은</p><p><b>Note:</b>not</p><p><b>50 %</b>ige</p><p><b>Note:</b> so</p>",
            &["T: 注意：请\n\n환불(7일)은\n\nNote:not\n\n50 %ige\n\n**Note:** so"],
        ),
        ("<p>Acme<br>5 Main Street<br>12345 Berlin<br>Germany</p><p>x</p>", &[
            "T: Acme\\\n5 Main Street\\\n12345 Berlin\\\nGermany\n\nx",
        ]),
        (
            "<p>5<sup>1</sup> devices, €19<sup>99</sup>, page 19<sup>99</sup>, 10<sup>-3</sup>, 3 m<sup>2</sup>, \
             H<sub>2</sub>O</p><p>x</p>",
            &["T: 5¹ devices, €19.99, page 19⁹⁹, 10⁻³, 3 m², H2O\n\nx"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn lists_keep_the_numbers_that_the_page_shows() {
    check(&[
        ("<ol start=4><li>d<li value=9>i<li>j</ol><p>x</p>", &["T: 4. d\n9) i\n10) j\n\nx"]),
        ("<ol reversed><li>c<li>b<li>a</ol><p>x</p>", &["T: 3. c\n2) b\n1. a\n\nx"]),
        ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul><p>x</p>", &["T: - a\n  - b\n- c\n\nx"]),
        ("<ol><li><p>a</p><p>b</p></li><li><p>c</p></li></ol><p>x</p>", &["T: 1. a\\\n   b\n2. c\n\nx"]),
        ("<ol><li>a</ol><ol><li>b</ol><p>x</p>", &["T: 1. a\n\n1) b\n\nx"]),
        ("# T\n\n- a\n\n- b\n- c", &["T: - a\n- b\n- c"]),
    ])
    .await;
}

#[tokio::test]
async fn what_is_escaped_is_quoted_so_that_it_reads_back_as_the_page_shows_it() {
    let service = TestService::start().await;
    let text = "<h2>Call forwarding</h2><p>To forward calls, dial *21*0301234567# and wait.</p>\
                <h2>Opening hours</h2><p>Monday 9-5<br>Tuesday 10-4</p>";
    ingested(&service, &service.trainer(), json!({"text": text, "pathPrefix": "help", "visibility": "public"})).await;
    let widget = service.widget("v").await;
    let session = widget.session().await;
    let reply = widget.ask(&session, "How do I forward calls?").await;
    assert_eq!(reply.text_at("answer"), "To forward calls, dial \\*21\\*0301234567# and wait.");
    let reply = widget.ask(&session, "What are your opening hours?").await;
    assert_eq!(reply.text_at("answer"), "Monday 9-5\\\nTuesday 10-4");
}

#[tokio::test]
async fn sources_of_documentation_sites_are_read_without_their_directives() {
    check(&[
        (
            "# Reset\n\nimport Tabs from '@theme/Tabs';\n\n<Tabs>\n<TabItem value=\"win\" label=\"Windows\">\n\n1. Hold\n2. Wait\n\n\
             </TabItem>\n<TabItem value=\"mac\" label=\"macOS\">\n\n1. Press\n\n</TabItem>\n</Tabs>\n\n{/* hidden */}",
            &["Reset › Windows: 1. Hold\n2. Wait", "Reset › macOS: 1. Press"],
        ),
        (
            "# Reset\n\n=== \"Windows\"\n\n    1. Hold\n    2. Wait\n\n!!! note \"Mind\"\n    The gap.",
            &["Reset: **Mind**\n\nThe gap.", "Reset › Windows: 1. Hold\n2. Wait"],
        ),
        (
            "# Reset\n\n:::note\nMind the gap.\n:::\n\nSee [there](#there){.link}.",
            &["Reset: **Note**\n\nMind the gap.\n\nSee there."],
        ),
        (
            "# Reset\n\n{% hint style=\"info\" %}\nMind the gap.\n{% endhint %}\n\n{% tab title=\"macOS\" %}\n- Press\n{% endtab %}",
            &["Reset: **Info**\n\nMind the gap.", "Reset › macOS: - Press"],
        ),
        (
            "+++\ntitle = \"Reset\"\n+++\n{{< tab \"macOS\" >}}\n1. Press\n{{< /tab >}}",
            &["Reset › macOS: 1. Press"],
        ),
        ("# Reset\n\n> [!NOTE]\n> Mind the gap.", &["Reset: > **Note**\n>\n> Mind the gap."]),
    ])
    .await;
}

#[tokio::test]
async fn words_that_look_like_the_frame_of_a_page_and_folded_answers_are_kept() {
    check(&[
        (
            "<h1>What we store</h1><p>Select <span class=\"menuseq\"><b class=\"menu\">File</b> › <b class=\"submenu\">Export</b>\
             </span>.</p><p>Your <span class=\"tooltip\">APR</span> is 9 %.</p><p class=\"gdpr-text\">Your name.</p><ul>\
             <li class=\"menu\">Soup</ul><p class=\"signature\">Sign here.</p>",
            &["What we store: Select **File** › **Export**.\n\nYour APR is 9 %.\n\nYour name.\n\n- Soup\n\nSign here."],
        ),
        (
            "<h1>Our cookies</h1><p>We set two.</p><div class=\"cookie-row\"><b>sid</b> keeps you signed in.</div>",
            &["Our cookies: We set two.\n\n**sid** keeps you signed in."],
        ),
        (
            "<h1>FAQ</h1><div><button>Do you ship?</button></div><div hidden><p>Yes, to 30 countries.</p></div>\
             <p>Press <button>Save</button> at the end.</p>",
            &["FAQ › Do you ship?: Yes, to 30 countries.\n\nPress Save at the end."],
        ),
    ])
    .await;
}

#[tokio::test]
async fn tables_and_addresses_are_read_whole() {
    check(&[
        (
            "<h1>Fees</h1><table><thead><tr><th rowspan=2>Size<th colspan=2>Fee</tr><tr><th>Month<th>Year</tr></thead>\
             <tr><td colspan=3><b>Europe</b><tr><td>Small<td>1 €<td>10 €</table>",
            &["Fees: | Size | Fee › Month | Fee › Year |\n| --- | --- | --- |\n| Europe › Small | 1 € | 10 € |"],
        ),
        (
            "<h1>Fees</h1><table role=\"presentation\"><tr><td><p>Size</p><td><p>Fee</p><tr><td><p>Small</p><p>or tiny</p>\
             <td><p>1 €</p></table>",
            &["Fees: | Size | Fee |\n| --- | --- |\n| Small; or tiny | 1 € |"],
        ),
        (
            "<h1>Contact</h1><p><a href=\"tel:+49301234\">Call us</a>, <a href=\"sms:+49305678\">text us</a> or write to \
             <a href=\"/cdn-cgi/l/email-protection#422a272e3202236c203a\">[email&#160;protected]</a>.</p>",
            &["Contact: [Call us](tel:+49301234), text us (+49305678) or write to help@a.bx."],
        ),
    ])
    .await;
}
