//! Decodes a page's bytes to text: by byte order mark, then the header, then the page's own declaration, then UTF-8 if
//! valid, then windows-1252, which has a letter for every byte (the order of the HTML standard).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Bytes of a page in which it may name its own encoding; the standard's 1,024 and a margin.
const PRESCAN_BYTES: usize = 4096;

/// The text of `bytes`. `named` is the header's charset; `markup` is whether the page may declare one itself. Invalid
/// bytes become U+FFFD.
pub(super) fn decode_text(bytes: &[u8], named: Option<&str>, markup: bool) -> String {
    let by_header = named.and_then(|label| Encoding::for_label(label.as_bytes()));
    let encoding = by_header.or_else(|| if markup { declared_encoding(bytes) } else { None });
    let fallback = || if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    // `decode` prefers a byte order mark and removes it.
    encoding.unwrap_or_else(fallback).decode(bytes).0.into_owned()
}

/// The encoding that a page's beginning names: `<meta charset>`, `<meta http-equiv … content="…charset=…">` or an XML
/// declaration.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes.get(..PRESCAN_BYTES).unwrap_or(bytes);
    let text: String = start.iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    if let Some(declaration) = text.trim_start().strip_prefix("<?xml").and_then(|rest| rest.split("?>").next())
        && let Some(found) = attribute_value(declaration, "encoding")
    {
        return ascii_compatible_encoding(found);
    }
    let uncommented = strip_comments(&text);
    let mut metas = uncommented.split("<meta").skip(1).map(|tag| tag.split('>').next().unwrap_or(tag));
    metas.find_map(|tag| attribute_value(tag, "charset").and_then(ascii_compatible_encoding))
}

fn strip_comments(text: &str) -> String {
    let mut buffer = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        buffer.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    buffer + rest
}

/// The value after `name=`, quoted or not.
fn attribute_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.split(name).skip(1).find_map(|rest| {
        let value = rest.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
        value.split(|c: char| c.is_ascii_whitespace() || "\"';/?".contains(c)).next().filter(|value| !value.is_empty())
    })
}

/// The encoding of a label that could be read at all: a page that names UTF-16 in ASCII letters is in UTF-8.
fn ascii_compatible_encoding(label: &str) -> Option<&'static Encoding> {
    let named = Encoding::for_label(label.as_bytes())?;
    Some(if named == UTF_16LE || named == UTF_16BE { UTF_8 } else { named })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAFE_1252: &[u8] = b"caf\xe9 \x80";

    fn page(head: &str) -> Vec<u8> {
        [head.as_bytes(), CAFE_1252].concat()
    }

    #[test]
    fn the_header_wins_over_the_page_and_a_byte_order_mark_over_both() {
        assert_eq!(decode_text(CAFE_1252, Some("windows-1252"), true), "café €");
        assert_eq!(decode_text(&page("<meta charset=utf-8>"), Some("ISO-8859-1"), true), "<meta charset=utf-8>café €");
        assert_eq!(decode_text("\u{feff}é".as_bytes(), Some("windows-1252"), true), "é");
        assert_eq!(decode_text(b"\xff\xfeh\x00i\x00", Some("utf-8"), false), "hi");
        assert_eq!(decode_text(b"\xfe\xff\x00h\x00i", None, false), "hi");
        assert_eq!(decode_text(b"\x93\xfa\x96\x7b", Some("Shift_JIS"), false), "日本");
    }

    #[test]
    fn a_page_names_its_encoding_in_many_ways() {
        for head in [
            "<meta charset=\"windows-1252\">",
            "<META CHARSET=latin1 />",
            "<html><head>\n<meta  charset = 'iso-8859-1' >",
            "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1252\">",
            "<meta content='text/html;charset=\"ISO-8859-1\"' http-equiv=content-type>",
            "<?xml version=\"1.0\" encoding=\"windows-1252\"?>",
            "<!-- <meta charset=utf-8> --><meta charset=cp1252>",
            "<meta name=viewport content='width=1'><meta charset=l1>",
            "<meta charset=nonsense><meta charset=windows-1252>",
        ] {
            assert_eq!(decode_text(&page(head), None, true), format!("{head}café €"), "{head}");
        }
        let russian = [b"<meta charset=windows-1251>".as_slice(), b"\xef\xf0\xe8\xe2\xe5\xf2"].concat();
        assert!(decode_text(&russian, None, true).ends_with("привет"));
        assert!(
            decode_text(&russian, Some("no-such-charset"), true).ends_with("привет"),
            "an unknown label says nothing"
        );
    }

    #[test]
    fn without_a_name_it_is_utf_8_where_it_can_be_and_windows_1252_otherwise() {
        assert_eq!(decode_text("naïve €".as_bytes(), None, true), "naïve €");
        assert_eq!(decode_text(CAFE_1252, None, true), "café €");
        assert_eq!(decode_text(CAFE_1252, None, false), "café €");
        assert_eq!(decode_text("<meta charset=utf-16le>é".as_bytes(), None, true), "<meta charset=utf-16le>é");
        assert_eq!(decode_text(&page("<meta charset=windows-1251>"), None, false), "<meta charset=windows-1251>café €");
        let late = format!("{}<meta charset=windows-1251>", " ".repeat(PRESCAN_BYTES));
        assert!(decode_text(&page(&late), None, true).ends_with("café €"), "too late to be believed");
        assert_eq!(
            decode_text(b"<!-- never closed <meta charset=windows-1251> \xe9", None, true).chars().last(),
            Some('é')
        );
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_break_it(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200), label in "[a-z0-9-]{0,12}") {
            decode_text(&bytes, Some(&label), true);
            decode_text(&[b"<meta charset=".as_slice(), &bytes].concat(), None, true);
        }
    }

    #[test]
    fn decoding_is_linear() {
        let own = ["<meta charset=", "<!--", "-->", "<?xml encoding=", "charset", "charset = ", "é", "\u{FEFF}", "日"];
        growth::linear("decoded", 400_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(decode_text(text.as_bytes(), None, true));
            std::hint::black_box(decode_text(text.as_bytes(), Some("shift_jis"), false));
        });
    }
}
