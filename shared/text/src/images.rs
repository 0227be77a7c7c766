//! The images of a Markdown text: which addresses may be shown, and the text without them.
//!
//! A search, a ranking and a quotation read a text without its images, so that neither an address nor a description
//! counts as words. [`split`] tells where they stood.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::invisible::{is_bidi, is_invisible, visible};

/// The longest address of an image, in bytes.
pub const MAX_ADDRESS_BYTES: usize = 2_000;
/// The longest description, in characters; the rest is left out.
const MAX_ALT_CHARS: usize = 200;

/// An image of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Where it stood, in bytes of the text without images.
    pub at: usize,
    /// The description, one line of plain text; may be empty.
    pub alt: String,
    /// The address, as written; [`is_safe`] says whether it may be shown.
    pub address: String,
}

impl Image {
    /// The image as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        write(&self.alt, &self.address)
    }
}

/// Whether an image of this address may be shown: `https:`, with a host and without a name and password, at most
/// [`MAX_ADDRESS_BYTES`] long, and without a character that ends an attribute, is invisible or turns the direction.
#[must_use]
pub fn is_safe(address: &str) -> bool {
    let Some((scheme, rest)) = address.split_at_checked("https://".len()) else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_bad =
        |c: char| c.is_whitespace() || c.is_control() || is_bidi(c) || is_invisible(c) || "\"'<>\\`".contains(c);
    scheme.eq_ignore_ascii_case("https://")
        && address.len() <= MAX_ADDRESS_BYTES
        && host.starts_with(|c: char| c.is_alphanumeric() || c == '[')
        && !host.contains('@')
        && !address.contains(is_bad)
}

/// An image as Markdown; `alt` is plain text.
#[must_use]
pub fn write(alt: &str, address: &str) -> String {
    let mut out = String::from("![");
    for c in one_line(alt).chars() {
        if c.is_ascii_punctuation() && "\\[]`*_~<&!".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out.push_str("](");
    for c in address.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            c => out.push(c),
        }
    }
    out.push(')');
    out
}

/// The visible words of a description with single spaces, up to its longest length.
fn one_line(alt: &str) -> String {
    let line = visible(alt).split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_ALT_CHARS).collect::<String>().trim_end().to_owned()
}

/// `text` without its images and links of images alone.
#[must_use]
pub fn without(text: &str) -> Cow<'_, str> {
    split(text).0
}

/// `text` without its images and links of images alone, and the images in their order. The work is linear.
#[must_use]
pub fn split(text: &str) -> (Cow<'_, str>, Vec<Image>) {
    if !text.contains("![") {
        return (Cow::Borrowed(text), Vec::new());
    }
    let found = found(text);
    if found.is_empty() {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut out = String::with_capacity(text.len());
    let mut images = Vec::new();
    let mut done = 0;
    for Found { range, images: here } in found {
        out.push_str(text.get(done..range.start).unwrap_or_default());
        done = range.end + close_gap(&mut out, text.get(range.end..).unwrap_or_default());
        images.extend(here.into_iter().map(|(alt, address)| Image { at: out.len(), alt, address }));
    }
    out.push_str(text.get(done..).unwrap_or_default());
    (Cow::Owned(out), images)
}

/// Ends `out`, after which an image is left out, so that nothing of it stays: no empty line or item, no line break, no
/// second space. Gives how many bytes of `rest`, the text behind the image, are left out besides.
fn close_gap(out: &mut String, rest: &str) -> usize {
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let after = rest.get(blank..).unwrap_or_default();
    let begins_line = out.trim_end_matches([' ', '\t']).is_empty() || out.trim_end_matches([' ', '\t']).ends_with('\n');
    if !after.is_empty() && !after.starts_with(['\n', '\r']) {
        return if begins_line || out.ends_with([' ', '\t', '[']) { blank } else { 0 };
    }
    out.truncate(out.trim_end_matches([' ', '\t']).len());
    let line = out.rfind('\n').map_or(0, |at| at + 1);
    if is_mark(out.get(line..).unwrap_or_default()) {
        let next = after.trim_start_matches(['\r', '\n']);
        // The item goes on in the next line.
        if after.len() - next.len() <= 2 && next.starts_with([' ', '\t']) {
            out.push(' ');
            return rest.len() - next.trim_start_matches([' ', '\t']).len();
        }
        out.truncate(line);
    }
    out.truncate(out.trim_end().len());
    // It would break the line after the last one.
    if out.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
        out.pop();
    }
    if out.is_empty() { rest.len() - after.trim_start().len() } else { blank }
}

/// Whether a line is the mark of an item or of a quotation and nothing else.
fn is_mark(line: &str) -> bool {
    let line = line.trim();
    let number = line
        .strip_suffix(['.', ')'])
        .is_some_and(|digits| (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()));
    number || (!line.is_empty() && line.chars().all(|c| matches!(c, '-' | '+' | '*' | '>' | ' ')) && line.len() <= 12)
}

/// A part of the source that shows images alone, with their descriptions and addresses.
struct Found {
    range: Range<usize>,
    images: Vec<(String, String)>,
}

fn found(text: &str) -> Vec<Found> {
    let dialect = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);
    let mut found: Vec<Found> = Vec::new();
    // The image that is read, and how many images are open in it.
    let mut open: Option<(Range<usize>, String, String)> = None;
    let mut depth = 0_usize;
    // The link that is read (links do not nest): its place, the first image in it, and whether it has text.
    let mut link: Option<(Range<usize>, usize, bool)> = None;
    for (event, range) in Parser::new_ext(text, dialect).into_offset_iter() {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                depth += 1;
                if depth == 1 {
                    open = Some((range, String::new(), dest_url.into_string()));
                }
            }
            Event::End(TagEnd::Image) => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some((range, alt, address)) = open.take()
                {
                    found.push(Found { range, images: vec![(one_line(&alt), address)] });
                }
            }
            Event::Text(said) | Event::Code(said) => match &mut open {
                Some((_, alt, _)) => alt.push_str(&said),
                None => link.iter_mut().for_each(|(.., says)| *says |= !said.trim().is_empty()),
            },
            Event::SoftBreak | Event::HardBreak => open.iter_mut().for_each(|(_, alt, _)| alt.push(' ')),
            Event::Start(Tag::Link { .. }) if depth == 0 => link = Some((range, found.len(), false)),
            Event::End(TagEnd::Link) if depth == 0 => {
                if let Some((range, first, false)) = link.take()
                    && first < found.len()
                {
                    let images = found.drain(first..).flat_map(|one| one.images).collect();
                    found.push(Found { range, images });
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_image_leaves_nothing_behind() {
        for (text, expected) in [
            ("Press it.\n\n![a](https://x.example/a.png)\n\nThen go.", "Press it.\n\nThen go."),
            ("1. Press it.\n\n   ![a](u)\n2. Go.", "1. Press it.\n2. Go."),
            ("1. Press it.\\\n   ![a](u)\n2. Go.", "1. Press it.\n2. Go."),
            ("1. Press it.  \n   ![a](u)\n2. Go.", "1. Press it.\n2. Go."),
            ("1. Press it. ![a](u)\n2. Go.", "1. Press it.\n2. Go."),
            ("1. ![a](u)\n   Press it.\n2. Go.", "1. Press it.\n2. Go."),
            ("1. ![a](u) Press it.\n2. Go.", "1. Press it.\n2. Go."),
            ("Do this:\n- ![a](u)\n- Go.", "Do this:\n- Go."),
            ("> ![a](u)\n\nGo.", "Go."),
            ("Press ![a](u) twice.", "Press twice."),
            ("Press ![a](u), twice.", "Press , twice."),
            ("![a](u)\n\nGo.", "Go."),
            ("![a](u) Go.", "Go."),
            ("![a](u)", ""),
            ("[![a](u)](https://x.example) Go.", "Go."),
            ("Go [![a](u)](v)\nnow.", "Go\nnow."),
            ("Go [![a](u) here](v).", "Go [here](v)."),
            ("![a ![b](u) c](v) Go.", "Go."),
            ("![a][x]\n\n[x]: https://x.example/a.png", "[x]: https://x.example/a.png"),
            ("`![a](u)` \\![a](u)", "`![a](u)` \\![a](u)"),
            ("| ![a](u) | b |\n|---|---|\n| c | ![d](e) |", "| | b |\n|---|---|\n| c | |"),
        ] {
            assert_eq!(without(text), expected, "{text}");
        }
    }

    #[test]
    fn the_images_are_told_with_their_places() {
        let (text, images) = split("1. Press *it*.\n   ![The [red]\nbutton](https://x.example/a(1).png \"t\")\n2. Go.");
        assert_eq!(text, "1. Press *it*.\n2. Go.");
        let [image] = images.as_slice() else { panic!("{images:?}") };
        assert_eq!(text.get(..image.at), Some("1. Press *it*."));
        assert_eq!(image.alt, "The [red] button");
        assert_eq!(image.markdown(), "![The \\[red\\] button](https://x.example/a%281%29.png)");
    }

    #[test]
    fn a_hostile_address_is_no_image() {
        for address in [
            "https://x.example/a.png",
            "HTTPS://x.example/a.png?b=c&d=e#f",
            "https://größe.example/é.svg",
            "https://[2001:db8::1]/a",
        ] {
            assert!(is_safe(address), "{address}");
        }
        for address in [
            "http://x.example/a.png",
            "//x.example/a.png",
            "/a.png",
            "a.png",
            "",
            "javascript:alert(1)",
            "data:image/png;base64,AAAA",
            "blob:https://x.example/1",
            "https:x.example",
            "https:///a.png",
            "https://",
            "https://user:secret@x.example/a.png",
            "https://x.example@evil.example/a.png",
            "https://x.example/a\" onerror=\"b",
            "https://x.example/a'b",
            "https://x.example/a b",
            "https://x.example/a\nb",
            "https://x.example\\@evil.example",
            "https://x.example/<b>",
            "https://x.example/\u{202E}gnp.a",
            "https://x.example/\u{2066}a",
            "https://x.example/a\u{200B}b",
            "https://x.example/\u{0}",
            &format!("https://x.example/{}", "a".repeat(10_000)),
        ] {
            assert!(!is_safe(address), "{address}");
        }
    }

    #[test]
    fn leaving_images_out_is_linear() {
        let own = ["![a](u)", "![a](u)\n", "- ![a](u)\n", "[![a](u)](v)", "![", "![a", "   ![a](u)\n\n", "\\![a](u)"];
        growth::linear("images", 100_000, own, |text| {
            std::hint::black_box(split(text));
        });
    }

    proptest! {
        #[test]
        fn an_image_that_is_written_reads_back(alt in "\\PC{0,40}", path in "[a-z0-9()/?&=%.-]{0,20}") {
            let address = format!("https://x.example/{path}");
            let markdown = write(&alt, &address);
            let (rest, images) = split(&markdown);
            prop_assert_eq!(rest, "");
            prop_assert_eq!(images.len(), 1);
            prop_assert_eq!(&images[0].alt, &one_line(&alt));
            prop_assert_eq!(images[0].markdown(), markdown);
        }

        #[test]
        fn no_text_breaks_the_reading(parts in prop::collection::vec(prop::sample::select(vec![
            "![", "a", "](", "https://x.example", ")", "\n", "- ", "1. ", "> ", " ", "[", "]", "\\", "`", "|", "é", "\u{202E}",
        ]), 0..40)) {
            let text = parts.concat();
            let (rest, images) = split(&text);
            prop_assert!(images.iter().all(|image| rest.get(..image.at.min(rest.len())).is_some()));
        }
    }
}
