//! The images of entries under what an answer says of them.
//!
//! Answers are made from texts without images, so no question finds one, no quotation is one, and a model neither sees
//! nor writes one. An image is put under the sentence, step or row of the answer that it stands in or behind in its
//! entry.

use std::collections::HashMap;
use std::sync::Arc;

use super::prompt::MAX_ANSWER_BYTES;
use text::{images, sentences};

/// The most images of an answer.
const MAX_IMAGES: usize = 6;

/// An image of an entry that an answer was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryImage {
    /// The letters and digits of the sentence that it belongs to.
    sentence: Arc<str>,
    /// The image as Markdown.
    markdown: String,
}

/// The images of an entry that may be shown and belong to a sentence.
pub(super) fn of_entry(content: &str) -> Vec<EntryImage> {
    let (text, found) = images::split(content);
    let mut lines = text.split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, *end, line.trim_end()))
    });
    let mut line = lines.next();
    // The sentences of a line are looked for once, however many images it has.
    let (mut of_line, mut sentences) = (usize::MAX, Vec::new());
    let mut of_entry = Vec::new();
    for image in found.into_iter().filter(|image| images::is_safe(&image.address)) {
        while line.is_some_and(|(_, end, _)| end < image.at) {
            line = lines.next().or(line.map(|(start, _, text)| (start, usize::MAX, text)));
        }
        let Some((start, _, text)) = line else { continue };
        if of_line != start {
            (of_line, sentences) = (start, keys(text));
        }
        let before = sentences.partition_point(|(place, _)| start + place < image.at);
        let sentence = sentences.get(before.saturating_sub(1)).filter(|(_, key)| !key.is_empty());
        of_entry.extend(sentence.map(|(_, key)| EntryImage { sentence: Arc::clone(key), markdown: image.markdown() }));
    }
    of_entry
}

/// The keys of the sentences of a line with their places, in bytes. None of a heading.
fn keys(line: &str) -> Vec<(usize, Arc<str>)> {
    if line.trim_start().starts_with('#') {
        return Vec::new();
    }
    let mut end = 0;
    let place = |sentence: &str| {
        let begin = line.get(end..).and_then(|rest| rest.find(sentence)).map_or(end, |found| end + found);
        end = begin + sentence.len();
        (begin, key(sentence).into())
    };
    sentences(line).into_iter().map(place).collect()
}

/// The letters and digits of a sentence, without the number of a step.
fn key(sentence: &str) -> String {
    let text = sentence.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')'])).filter(|_| digits > 0);
    let text = rest.filter(|rest| rest.starts_with(char::is_whitespace)).unwrap_or(text);
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The answer `text` with the images under their sentences, each once, at most 6, and at most 8 KiB in all.
#[must_use]
pub fn illustrated(text: &str, images: &[EntryImage]) -> String {
    let mut open: HashMap<&str, Vec<&str>> = HashMap::new();
    images.iter().for_each(|image| open.entry(&image.sentence).or_default().push(&image.markdown));
    let mut left = MAX_ANSWER_BYTES.saturating_sub(text.len());
    let mut shown: Vec<&str> = Vec::new();
    let mut out = String::with_capacity(text.len());
    // Images of a table's rows follow the table.
    let mut of_table: Vec<&str> = Vec::new();
    let mut in_code = false;
    for (number, line) in text.lines().enumerate() {
        let start = line.trim_start();
        in_code ^= start.starts_with("```");
        if !start.starts_with('|') {
            of_table.drain(..).for_each(|image| push(&mut out, "\n", image));
        }
        if number > 0 {
            out.push('\n');
        }
        out.push_str(line);
        let here = if in_code { Vec::new() } else { sentences(line) };
        let indent = " ".repeat(line.len() - start.len() + mark(start));
        for image in here.into_iter().filter_map(|sentence| open.remove(key(sentence).as_str())).flatten() {
            let bytes = image.len() + indent.len() + 2;
            if shown.len() == MAX_IMAGES || bytes > left || shown.contains(&image) {
                continue;
            }
            left -= bytes;
            shown.push(image);
            if start.starts_with('|') { of_table.push(image) } else { push(&mut out, &indent, image) }
        }
    }
    of_table.drain(..).for_each(|image| push(&mut out, "\n", image));
    out
}

fn push(out: &mut String, indent: &str, image: &str) {
    out.push('\n');
    out.push_str(indent);
    out.push_str(image);
}

/// The width of the mark of an item.
fn mark(line: &str) -> usize {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = line.get(digits..).unwrap_or_default();
    let is_item =
        rest.starts_with(['.', ')']) && (1..=9).contains(&digits) || digits == 0 && rest.starts_with(['-', '*', '+']);
    let after = rest.get(1..).filter(|after| is_item && after.starts_with(' '));
    after.map_or(0, |after| digits + 1 + (after.len() - after.trim_start().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(content: &str, answer: &str) -> String {
        let text = illustrated(answer, &of_entry(content));
        assert_eq!(images::without(&text), answer, "nothing but the images is new");
        text
    }

    #[test]
    fn an_image_follows_the_sentence_or_step_that_it_belongs_to() {
        const STEPS: &str = "Keep the door open.\n\n![Door](https://x.example/0.png)\n\n1. Loosen the screw.\n   \
                             ![Screw](https://x.example/1.png)\n2. Take the lid off. Keep it.\n\n   \
                             ![Lid](https://x.example/2.png)\n3. ![Battery](https://x.example/3.png) Put it in.\n";
        for (answer, expected) in [
            ("2. Take the lid off. Keep it.", "2. Take the lid off. Keep it.\n   ![Lid](https://x.example/2.png)"),
            (
                "1. Loosen the screw.\n2. Take the lid off. Keep it.\n3. Put it in.",
                "1. Loosen the screw.\n   ![Screw](https://x.example/1.png)\n2. Take the lid off. Keep it.\n   \
                 ![Lid](https://x.example/2.png)\n3. Put it in.\n   ![Battery](https://x.example/3.png)",
            ),
            (
                "Keep the door open.\n\n**Steps**\n\n- Loosen the screw.",
                "Keep the door open.\n![Door](https://x.example/0.png)\n\n**Steps**\n\n- Loosen the screw.\n  \
                 ![Screw](https://x.example/1.png)",
            ),
            ("Take the lid off.", "Take the lid off."),
            ("The screw is loose.", "The screw is loose."),
            ("```\nLoosen the screw.\n```", "```\nLoosen the screw.\n```"),
        ] {
            assert_eq!(shown(STEPS, answer), expected);
        }
        let row = "| Plan | Price |\n| --- | --- |\n| Basic ![B](https://x.example/b.png) | 5 |\n| Plus | 9 |\n";
        assert_eq!(
            shown(row, "| Plan | Price |\n| --- | --- |\n| Basic | 5 |\n| Plus | 9 |\n\nAsk us."),
            "| Plan | Price |\n| --- | --- |\n| Basic | 5 |\n| Plus | 9 |\n\n![B](https://x.example/b.png)\n\nAsk us."
        );
    }

    #[test]
    fn images_are_put_to_their_sentences_in_linear_work() {
        let image = "![a](https://x.example/1.png)";
        growth::linear(
            "images of an entry",
            60_000,
            [image, "Press it. ![a](https://x.example/1.png) ", "a "],
            |text| {
                std::hint::black_box(of_entry(&format!("{text}{}", image.repeat(text.len() / image.len()))));
            },
        );
    }

    #[test]
    fn only_safe_images_of_sentences_are_shown_and_only_so_many() {
        let image = |address: &str| format!("Press it.\n\n![a]({address})");
        assert_eq!(shown(&image("https://x.example/a.png"), "Press it."), "Press it.\n![a](https://x.example/a.png)");
        for address in ["http://x.example/a.png", "javascript:alert(1)", "//x.example/a", "https://a:b@x.example/a"] {
            assert_eq!(shown(&image(address), "Press it."), "Press it.", "{address}");
        }
        assert_eq!(
            shown("## Press it.\n\n![a](https://x.example/a.png)\n\nNow.", "**Press it.**\n\nNow."),
            "**Press it.**\n\nNow."
        );
        let many: String = (0..20).map(|n| format!("\n\n![a](https://x.example/{n}.png)")).collect();
        assert_eq!(shown(&format!("Press it.{many}"), "Press it.").matches("![").count(), MAX_IMAGES);
        let long = "Press it. ".repeat(818);
        assert_eq!(shown(&image("https://x.example/a.png"), long.trim_end()), long.trim_end(), "no room is left");
    }
}
