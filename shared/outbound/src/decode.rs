//! Decodes the body of a page: its compression as it arrives, with a limit that a compressed bomb cannot pass, and its
//! bytes to text.
//!
//! Each decompressed piece is counted before it is kept, so no more than the limit is held in memory. The encoded bytes are
//! counted too, because a compressed stream can be endless and decode to nothing.
//!
//! Text is decoded by byte order mark, then the header, then the page's own declaration, then UTF-8 if valid, then
//! windows-1252, which has a letter for every byte (the order of the HTML standard).

use std::io::{self, Write};

use brotli_decompressor::DecompressorWriter;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use http::{HeaderMap, header};

use crate::SendError;

/// Bytes that a decoder works with at a time.
const STEP_BYTES: usize = 8 * 1024;

/// How a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
}

impl Coding {
    /// The encodings that are requested.
    pub(crate) const ACCEPTED: &'static str = "gzip, deflate, br";

    /// The one coding that the headers name; none if they name another, or several on top of each other.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut named = headers.get_all(header::CONTENT_ENCODING).iter();
        let Some(first) = named.next() else { return Some(Self::Identity) };
        let name = first.to_str().ok().filter(|_| named.next().is_none())?;
        match name.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Self::Identity),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            _ => None,
        }
    }
}

/// Takes a body's pieces and keeps what they decode to, up to a limit.
pub(crate) struct Decoder {
    stage: Stage,
    input_bytes: usize,
    max_bytes: usize,
}

enum Stage {
    Plain(LimitedBuffer),
    /// The first byte shows which decoder it is.
    Undecided(Coding, LimitedBuffer),
    Gzip(MultiGzDecoder<LimitedBuffer>),
    Zlib(ZlibDecoder<LimitedBuffer>),
    Deflate(DeflateDecoder<LimitedBuffer>),
    Brotli(Box<DecompressorWriter<LimitedBuffer>>),
}

impl Decoder {
    /// A decoder that holds at most `max_bytes`, and reads at most as many.
    pub(crate) fn new(coding: Coding, max_bytes: usize) -> Self {
        let buffer = LimitedBuffer { bytes: Vec::new(), max_bytes };
        let stage = match coding {
            Coding::Identity => Stage::Plain(buffer),
            compressed => Stage::Undecided(compressed, buffer),
        };
        Self { stage, input_bytes: 0, max_bytes }
    }

    /// Takes the next piece.
    pub(crate) fn take(&mut self, piece: &[u8]) -> Result<(), SendError> {
        self.input_bytes = self.input_bytes.saturating_add(piece.len());
        if self.input_bytes > self.max_bytes {
            return Err(SendError::TooLarge);
        }
        let Some(first) = piece.first() else { return Ok(()) };
        self.detect_format(*first)?;
        let written = match &mut self.stage {
            Stage::Plain(buffer) | Stage::Undecided(_, buffer) => buffer.write_all(piece),
            Stage::Gzip(decoder) => decoder.write_all(piece),
            Stage::Zlib(decoder) => decoder.write_all(piece),
            Stage::Deflate(decoder) => decoder.write_all(piece),
            Stage::Brotli(decoder) => decoder.write_all(piece),
        };
        written.map_err(|error| decode_error(&error))
    }

    fn detect_format(&mut self, first: u8) -> Result<(), SendError> {
        let Stage::Undecided(coding, buffer) = &mut self.stage else { return Ok(()) };
        let buffer = buffer.take();
        self.stage = match coding {
            Coding::Identity => Stage::Plain(buffer),
            Coding::Gzip => Stage::Gzip(MultiGzDecoder::new(buffer)),
            // `deflate` means zlib (RFC 9110 8.4.1.2), but some send it bare: zlib's first byte is `x8`, with which
            // a bare stream would begin with a stored block and a set bit of padding.
            Coding::Deflate if first & 0x0f == 8 => Stage::Zlib(ZlibDecoder::new(buffer)),
            Coding::Deflate => Stage::Deflate(DeflateDecoder::new(buffer)),
            // The marker of a window beyond RFC 7932, with which a stream could request a gigabyte of memory.
            Coding::Brotli if first & 0x7f == 0x11 => return Err(SendError::InvalidResponse),
            Coding::Brotli => Stage::Brotli(Box::new(DecompressorWriter::new(buffer, STEP_BYTES))),
        };
        Ok(())
    }

    /// Everything, decoded, when the stream is whole.
    pub(crate) fn finish(self) -> Result<Vec<u8>, SendError> {
        let buffer = match self.stage {
            Stage::Plain(buffer) | Stage::Undecided(_, buffer) => Ok(buffer),
            Stage::Gzip(decoder) => decoder.finish(),
            Stage::Zlib(decoder) => decoder.finish(),
            Stage::Deflate(decoder) => decoder.finish(),
            Stage::Brotli(decoder) => decoder.into_inner().map_err(|_| io::ErrorKind::UnexpectedEof.into()),
        };
        buffer.map(|buffer| buffer.bytes).map_err(|error| decode_error(&error))
    }
}

fn decode_error(error: &io::Error) -> SendError {
    if error.get_ref().is_some_and(|inner| inner.is::<LimitExceeded>()) {
        SendError::TooLarge
    } else {
        SendError::InvalidResponse
    }
}

/// The decoded bytes, up to the limit.
struct LimitedBuffer {
    bytes: Vec<u8>,
    max_bytes: usize,
}

impl LimitedBuffer {
    fn take(&mut self) -> Self {
        Self { bytes: std::mem::take(&mut self.bytes), max_bytes: self.max_bytes }
    }
}

impl Write for LimitedBuffer {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.bytes.len().saturating_add(piece.len()) > self.max_bytes {
            return Err(io::Error::other(LimitExceeded));
        }
        self.bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
#[error("more than the limit")]
struct LimitExceeded;

/// Bytes of a page in which it may name its own encoding; the standard's 1,024 and a margin.
const PRESCAN_BYTES: usize = 4096;

/// The text of `bytes`. `named` is the header's charset; `markup` is whether the page may declare one itself. Invalid
/// bytes become U+FFFD.
pub(crate) fn decode_text(bytes: &[u8], named: Option<&str>, markup: bool) -> String {
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
