//! Tables in the forms of real pages.

use super::super::{Kind, Page, drafts};

mod read_back;

fn read(html: &str) -> String {
    let drafts = drafts(&Page { text: html, kind: Some(Kind::Html), url: None, name: "Page" }).unwrap();
    drafts.iter().map(|draft| draft.content.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// Rows are written as in HTML and expected as in Markdown, but for the row of hyphens.
fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        let shown: Vec<String> = read(&format!("<table>{html}</table>"))
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with("| ---"))
            .map(|line| line.trim().to_owned())
            .collect();
        assert_eq!(shown, expected.lines().map(str::trim).collect::<Vec<_>>(), "{html}");
    }
}

#[test]
fn every_column_has_all_of_its_heads() {
    check(&[
        (
            "<thead><tr><th rowspan=2>Plan<th colspan=2>Price<tr><th>Monthly<th>Yearly<tbody><tr><td>Team<td>$12<td>$120",
            "| Plan | Price › Monthly | Price › Yearly |
             | Team | $12 | $120 |",
        ),
        (
            "<tr><th colspan=3>Fees<tr><th>Card<th>Fees<th>Limit<tr><td>Debit<td>1 €<td>500 €",
            "| Fees › Card | Fees | Fees › Limit |
             | Debit | 1 € | 500 € |",
        ),
        (
            "<tr><td rowspan=2>Plan<td colspan=2>Price<tr><td>Monthly<td>Yearly<tr><td>Team<td>5<td>6",
            "| Plan | Price › Monthly | Price › Yearly |
             | Team | 5 | 6 |",
        ),
        (
            "<tr><td><th>Starter<th>Team<tr><th>Storage<td>10 GB<td>1 TB",
            "|  | Starter | Team |
             | Storage | 10 GB | 1 TB |",
        ),
        (
            "<tr><td><td>Basic<td>Pro<tr><th>Price<td>1<td>2<tr><th>Users<td>3<td>4",
            "|  | Basic | Pro |
             | Price | 1 | 2 |
             | Users | 3 | 4 |",
        ),
        (
            "<tr><td><h3>Size</h3><td><h3>Limit</h3><tr><td><h3>Documents</h3><td>7 GB",
            "| Size | Limit |
             | **Documents** | 7 GB |",
        ),
        (
            "<tr><td colspan=2><b>Needed</b><td><b>Measured</b><tr><td>Memory<td>8 GB<td>16 GB",
            "| Needed | Needed | Measured |
             | Memory | 8 GB | 16 GB |",
        ),
        // A `thead` that is not closed, and one that is written last.
        (
            "<thead><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4",
            "| A | B |
             | 1 | 2 |
             | 3 | 4 |",
        ),
        (
            "<tfoot><tr><td>Total<td>9<tbody><tr><td>Card<td>9<thead><tr><td>Item<td>EUR",
            "| Item | EUR |
             | Card | 9 |
             | Total | 9 |",
        ),
        (
            "<tr><th>A<th>B<tr><th>1<th>2<tr><th>3<th>4",
            "| A | B |
             | 1 | 2 |
             | 3 | 4 |",
        ),
        (
            "<thead><tr><th><h4>Plan</h4><th><p><b>Price</b></p><tbody><tr><td>Free<td>0 €",
            "| Plan | Price |
             | Free | 0 € |",
        ),
    ]);
}

#[test]
fn a_cell_stands_in_every_row_and_column_that_it_covers() {
    check(&[
        (
            "<tr><th>Day<th>From<th>To<tr><td rowspan=2>Monday<td>8<td>12<tr><td>13<td>17<tr><td>Sunday<td colspan=2>closed",
            "| Day | From | To |
             | Monday | 8 | 12 |
             | Monday | 13 | 17 |
             | Sunday | closed | closed |",
        ),
        // The rest of the group, and no more than that.
        (
            "<tr><th>A<th>B<tbody><tr><td rowspan=0>x<td>1<tr><td>2<tbody><tr><td>y<td>3",
            "| A | B |
             | x | 1 |
             | x | 2 |
             | y | 3 |",
        ),
        (
            "<tr><th>A<th>B<tbody><tr><td rowspan=9>x<td>1<tr><td>2<tbody><tr><td>y<td>3",
            "| A | B |
             | x | 1 |
             | x | 2 |
             | y | 3 |",
        ),
        // 0, a unit and nonsense are no number of columns.
        (
            "<tr><th>A<th>B<th>C<tr><td colspan=0>1<td colspan=' +2px'>2<tr><td colspan=x>3<td>4<td>5",
            "| A | B | C |
             | 1 | 2 | 2 |
             | 3 | 4 | 5 |",
        ),
        // Cells between those that span.
        (
            "<tr><th>A<th>B<th>C<tr><td rowspan=2>1<td>2<td rowspan=2>3<tr><td>4",
            "| A | B | C |
             | 1 | 2 | 3 |
             | 1 | 4 | 3 |",
        ),
        // Columns that no cell begins in are none.
        (
            "<tr><th colspan=2>A<th colspan=3>B<tr><td colspan=2>1<td colspan=3>2",
            "| A | B |
             | 1 | 2 |",
        ),
    ]);
}

#[test]
fn a_heading_of_rows_stands_in_each_of_them() {
    check(&[
        (
            r#"<tr><th>Service<th>Time<th>Price<tr><td colspan="3"><b>Europe</b><tr><td>Standard<td>3 days<td>5 €<tr>
               <td>Express<td>1 day<td>9 €<tr><td colspan="3"><b>Asia</b><tr><td>Standard<td>9 days<td>15 €<tr>
               <td colspan=3>Prices include VAT"#,
            "| Service | Time | Price |
             | Europe › Standard | 3 days | 5 € |
             | Europe › Express | 1 day | 9 € |
             | Asia › Standard | 9 days | 15 € |
             Prices include VAT",
        ),
        (
            "<thead><tr><th><th>Free<th>Pro<tbody><tr><th scope=rowgroup>Files<tr><th>Size<td>1<td>2
             <tbody><tr><th>Users<td>3<td>4",
            "|  | Free | Pro |
             | Files › Size | 1 | 2 |
             | Users | 3 | 4 |",
        ),
        (
            "<thead><tr><th>A<th>B<th>C<tbody><tr><th scope=colgroup colspan=3>Files<tbody><tr><td>x<td>1<td>2",
            "| A | B | C |
             | Files › x | 1 | 2 |",
        ),
        // Sentences are no headings, wherever they stand.
        (
            "<tr><th>A<th>B<tr><td>x<td>1<tr><td colspan=2>Ask us for more.<tr><td>y<td>2",
            "| A | B |
             | x | 1 |
             | y | 2 |
             Ask us for more.",
        ),
        (
            "<tr><td colspan=2>All prices are in euros.<tr><th>A<th>B<tr><td>x<td>1",
            "All prices are in euros.
             | A | B |
             | x | 1 |",
        ),
        (
            "<tr><th>A<th>B<tr><td colspan=2>Europe<tr><td colspan=2>Germany<tr><td>x<td>1<tr><td colspan=2>Asia<tr><td>y<td>2",
            "| A | B |
             | Europe › Germany › x | 1 |
             | Asia › y | 2 |",
        ),
        (
            "<tr><td colspan=2>Europe<tr><td>Standard<td>3 days<tr><td colspan=2>Asia<tr><td>Standard<td>9 days",
            "- **Europe › Standard**: 3 days
             - **Asia › Standard**: 9 days",
        ),
        (
            "<tr><th colspan=2>Contact<tr><th>Phone<td>123<tr><th colspan=2>Address<tr><th>Street<td>5 Main Street",
            "- **Contact › Phone**: 123
             - **Address › Street**: 5 Main Street",
        ),
        // The foot belongs to no heading, and a heading over nothing is not lost.
        (
            "<tr><th>A<th>B<tr><td colspan=2>Europe<tr><td>x<td>1<tfoot><tr><td>Total<td>1",
            "| A | B |
             | Europe › x | 1 |
             | Total | 1 |",
        ),
        (
            "<tr><th>A<th>B<tbody><tr><td>x<td>1<tr><td colspan=2>Europe<tfoot><tr><td>Total<td>1",
            "| A | B |
             | x | 1 |
             | Total | 1 |
             Europe",
        ),
    ]);
}

#[test]
fn a_heading_of_rows_stands_in_every_part_of_a_table_that_is_cut() {
    let rows = "<tr><td>Standard delivery to the door<td>3 days".repeat(400);
    let html = format!("<table><tr><th>Service<th>Time<tr><td colspan=2><b>Europe</b>{rows}</table>");
    let drafts = drafts(&Page { text: &html, kind: Some(Kind::Html), url: None, name: "Page" }).unwrap();
    assert!(drafts.len() > 2);
    let begins = "| Service | Time |\n| --- | --- |\n| Europe › Standard delivery";
    assert!(drafts.iter().all(|draft| draft.content.starts_with(begins)), "{drafts:?}");
}

#[test]
fn a_table_without_heads_says_no_more_than_its_author() {
    check(&[
        (
            "<tr><td>Phone<td>+49 30 1234<tr><td>Web<td>Our pages",
            "- **Phone**: +49 30 1234
             - **Web**: Our pages",
        ),
        (
            "<tr><td><b>Colour:</b><td>Red<tr><td><b>Size:</b><td>Large",
            "- **Colour**: Red
             - **Size**: Large",
        ),
        (
            "<tr><td><b>Colour</b><td><b>Code</b><tr><td>Red<td>4",
            "| Colour | Code |
             | Red | 4 |",
        ),
        (
            "<tr><td>Day<td>Hours<tr><td>Monday<td>9-17",
            "| Day | Hours |
             | Monday | 9-17 |",
        ),
        (
            "<tr><td>Plan<td>Price<td>Seats<tr><td>Team<td>12 €<td>50",
            "| Plan | Price | Seats |
             | Team | 12 € | 50 |",
        ),
        (
            "<tr><td colspan=2><b>Opening hours</b><tr><td>Monday<td>9-17<tr><td>Sunday<td>closed",
            "**Opening hours**
             - **Monday**: 9-17
             - **Sunday**: closed",
        ),
        (
            "<thead><tr><th><th><th><tbody><tr><td>a<td>b<td>c<tr><td>d<td>e<td>f",
            "|  |  |  |
             | a | b | c |
             | d | e | f |",
        ),
        (
            "<tr><th>Monday<td>9<td>17<tr><th>Tuesday<td>10<td>16",
            "|  |  |  |
             | Monday | 9 | 17 |
             | Tuesday | 10 | 16 |",
        ),
        (
            "<thead><tr><td colspan=2>Contact<tbody><tr><td>Mail<td>help@x.example<tr><td>Phone<td>123",
            "**Contact**
             - **Mail**: help@x.example
             - **Phone**: 123",
        ),
        (
            "<tr><th colspan=2>Router X1<tr><td colspan=2><img src=a alt=Picture><tr><th>Ports<td>4<tr><th>Colour<td>black",
            "**Router X1**
             - **Ports**: 4
             - **Colour**: black",
        ),
        (
            "<tr><td rowspan=2>Visa<td>Fee<td>1 €<tr><td>Limit<td>500 €",
            "|  |  |  |
             | Visa | Fee | 1 € |
             | Visa | Limit | 500 € |",
        ),
        (
            "<tr><td>1.<td>Open<td>Lid<tr><td>2.<td>Fill<td>Tank",
            "|  |  |  |
             | 1\\. | Open | Lid |
             | 2\\. | Fill | Tank |",
        ),
        (
            "<tr><th colspan=3>Test<tr><td><b>Task</b><td colspan=2>Save<tr><td><b>Result</b><td>Yes<td>No",
            "**Test**
             |  |  |  |
             | **Task** | Save | Save |
             | **Result** | Yes | No |",
        ),
        (
            "<tr><td>Scope<td><tr><td>Order<td>Best first",
            "- **Scope**:
             - **Order**: Best first",
        ),
        (
            "<tr><td>We deliver.<td>In 3 days<tr><td>You return.<td>In 14 days",
            "|  |  |
             | We deliver. | In 3 days |
             | You return. | In 14 days |",
        ),
        // Steps of several systems stay steps.
        (
            "<tr><td>Windows<td><ol><li>Open it.<li>Wait.</ol><tr><td>macOS<td><p>At last:</p><ol><li>Press<li>Hold</ol>",
            "- **Windows**:
             1. Open it.
             2. Wait.
             - **macOS**:
             At last:
             1. Press
             2. Hold",
        ),
        (
            "<tr><td>Boards<td><p>Read it.</p><blockquote>Note</blockquote><tr><td>Others<td>None.",
            "- **Boards**: Read it. Note
             - **Others**: None.",
        ),
        (
            "<thead><tr><th><th><th data-hidden>Cover<tbody><tr><td>Public<td>For all.<td>a.png<tr><td>Private<td>No.<td>b.png",
            "- **Public**: For all.
             - **Private**: No.",
        ),
        ("<tr><th>Largest file<td>2 GB", "- **Largest file**: 2 GB"),
        ("<tr><td>Support<td>24 hours", "- **Support**: 24 hours"),
        (
            "<caption>Fees</caption><col><col><tr><th>Card<th>EUR<tr><td>Debit<td>1",
            "**Fees**
             | Card | EUR |
             | Debit | 1 |",
        ),
    ]);
}

#[test]
fn the_paragraphs_and_items_of_a_cell_are_kept_apart() {
    for (cell, expected) in [
        ("<p>5</p><p>more on request</p>", "5; more on request"),
        ("<p>Note:</p><p>Ask first.</p><p>Then</p>", "Note: Ask first. Then"),
        ("one<br>two", "one; two"),
        ("<ul><li>first<li>second.<li>third</ul>", "first; second. third"),
        ("Steps<ol><li>Hold<li>Wait</ol>", "Steps; 1. Hold; 2. Wait"),
        ("<ul><li>a<ul><li>b</ul></ul>", "a; b"),
        ("<blockquote>a</blockquote>b", "a; b"),
        ("<ul><li>Uno (Rev2, etc.)<li>Zero</ul>", "Uno (Rev2, etc.); Zero"),
        ("<p>(yes)</p><p><b>No!</b></p><p>x</p>", "(yes); **No!** x"),
        ("<div>a|b</div><code>c|d</code>", "a\\|b; `c\\|d`"),
        ("<pre><code>curl x\n  | sort `y`</code></pre>", "`curl x`; `` \\| sort `y` ``"),
        ("<table><tr><th>n<th>m<tr><td>1|2<td>3</table>", "n, m; 1\\|2, 3"),
        ("<span class='icon icon-check'></span>", "✓"),
        ("<img alt=Yes>", "Yes"),
        ("y<img alt=image-1.png>", "y"),
    ] {
        let html = format!("<table><tr><th>A<th>B<tr><td>x<td>{cell}</table>");
        assert_eq!(read(&html), format!("| A | B |\n| --- | --- |\n| x | {expected} |"), "{cell}");
    }
}

#[test]
fn a_table_that_lays_out_a_page_is_read_cell_by_cell_and_one_of_data_is_not() {
    for (html, is_table) in [
        ("<table role=presentation><tbody><tr><td><p>Plan</p><td><p>Seats</p><tr><td><p>Basic</p><td><p>5</p>", true),
        ("<table role=none><tr><td>Plan<td>Seats<td>Price<tr><td>Basic<td>5<td>6", true),
        ("<table role=presentation><tr><td><h2>Left</h2><p>Some text<td><h2>Right</h2><p>More text", false),
        ("<table><tr><td><p>Left text of a page</p><td><p>Right text of a page</p>", false),
        ("<table><tr><td><p>One text</p><tr><td><p>under another</p>", false),
        ("<table><tr><td colspan=2><h1>Shop</h1><tr><td><ul><li>a</ul><table><tr><td>b<td>c</table><td>x", false),
        ("<table><tr><td><form>Search</form><td>Text<tr><td>a<td>b", false),
        ("<table><tr><td>1 2 3<td><pre>one two three</pre>", false),
        ("<table><tr><th>Name<th>Example<tr><td>curl<td><pre>curl -x</pre>", true),
    ] {
        let shown = read(html);
        assert_eq!(shown.contains("| --- |"), is_table, "{html}\n{shown}");
    }
}

#[test]
fn text_of_a_table_outside_its_cells_is_before_it() {
    let html = "<table>Our plans<tr><th>A<th>B<tr><td>1<td>2<p>in a cell</table>";
    assert_eq!(read(html), "Our plans\n\n| A | B |\n| --- | --- |\n| 1 | 2; in a cell |");
}
