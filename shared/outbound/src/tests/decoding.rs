//! Compressed bodies: whole, cut in pieces, broken, and bombs.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use http::{HeaderMap, HeaderValue, header};
use proptest::prelude::*;

use crate::SendError;
use crate::decode::{Coding, Decoder};

const HELLO: &str = "<p>hello, hello, hello</p>";
/// [`HELLO`] as brotli, and as brotli with a window beyond RFC 7932; made by Node.js.
const HELLO_BROTLI: &str = "8b0c803c703e68656c6c6f2c2068656c6c6f2c2068656c6c6f3c2f703e03";
const HELLO_LARGE_WINDOW: &str = "111e3200023c703e68656c6c6f2c2068656c6c6f2c2068656c6c6f3c2f703e03";
/// 64 MiB of zeros as brotli; made by Node.js.
const BROTLI_BOMB: &str = "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffeffffc13f0110870500baf77ffcffff837f02200e0b0074effff8ffff07ff04401c1600e8defff1ffff0ffe0980382c00d0bdffcbffff3ffc1300715800a07bff07";

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// [`BROTLI_BOMB`], decoded.
pub(crate) fn brotli_bomb() -> Vec<u8> {
    hex(BROTLI_BOMB)
}

fn decode(coding: Coding, body: &[u8], max_bytes: usize, piece_bytes: usize) -> Result<Vec<u8>, SendError> {
    let mut decoder = Decoder::new(coding, max_bytes);
    body.chunks(piece_bytes).try_for_each(|piece| decoder.take(piece))?;
    decoder.finish()
}

#[test]
fn every_coding_is_decoded_whatever_the_pieces() {
    let bodies = [
        (Coding::Identity, HELLO.as_bytes().to_vec()),
        (Coding::Gzip, gzip(HELLO.as_bytes())),
        (Coding::Gzip, [gzip(b"<p>hello, "), gzip(b"hello, hello</p>")].concat()),
        (Coding::Deflate, zlib(HELLO.as_bytes())),
        (Coding::Deflate, deflate(HELLO.as_bytes())),
        (Coding::Brotli, hex(HELLO_BROTLI)),
    ];
    for (coding, body) in bodies {
        for piece_bytes in [1, 2, 7, 4096] {
            let text = decode(coding, &body, 1000, piece_bytes).unwrap();
            assert_eq!(String::from_utf8(text).unwrap(), HELLO, "{coding:?} by {piece_bytes}");
        }
        assert_eq!(decode(coding, &[], 1000, 1).unwrap(), b"");
    }
}

#[test]
fn the_limit_applies_after_decoding() {
    let plain = vec![b'a'; 10_000];
    for (coding, body) in
        [(Coding::Identity, plain.clone()), (Coding::Gzip, gzip(&plain)), (Coding::Deflate, zlib(&plain))]
    {
        assert_eq!(decode(coding, &body, 10_000, 512).unwrap().len(), 10_000, "{coding:?}");
        assert_eq!(decode(coding, &body, 9_999, 512), Err(SendError::TooLarge), "{coding:?}");
    }
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let zeros = vec![0; 16 << 20];
    let limit = 5 << 20;
    for (coding, body) in [
        (Coding::Gzip, gzip(&zeros)),
        (Coding::Deflate, zlib(&zeros)),
        (Coding::Deflate, deflate(&zeros)),
        (Coding::Brotli, brotli_bomb()),
    ] {
        assert!(body.len() < 100_000);
        assert_eq!(decode(coding, &body, limit, 65_536), Err(SendError::TooLarge), "{coding:?}");
    }
    // Endless, and decodes to nothing.
    let nothing = gzip(b"").repeat(100);
    assert_eq!(decode(Coding::Gzip, &nothing, 1_000, 64), Err(SendError::TooLarge));
}

#[test]
fn a_truncated_or_corrupt_body_is_an_error() {
    let compressed = [
        (Coding::Gzip, gzip(HELLO.as_bytes())),
        (Coding::Deflate, zlib(HELLO.as_bytes())),
        (Coding::Brotli, hex(HELLO_BROTLI)),
    ];
    for (coding, body) in compressed {
        let half = &body[..body.len() / 2];
        assert_eq!(decode(coding, half, 1000, 5), Err(SendError::InvalidResponse), "{coding:?} cut off");
        let plain = decode(coding, HELLO.as_bytes(), 1000, 5);
        assert_eq!(plain, Err(SendError::InvalidResponse), "{coding:?} that is none");
    }
    assert_eq!(decode(Coding::Brotli, &hex(HELLO_LARGE_WINDOW), 1000, 64), Err(SendError::InvalidResponse));
}

#[test]
fn one_known_coding_is_understood_and_nothing_else() {
    let of = |values: &[&'static str]| {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::CONTENT_ENCODING, HeaderValue::from_static(value));
        }
        Coding::of(&headers)
    };
    assert_eq!(of(&[]), Some(Coding::Identity));
    for (name, coding) in [
        ("identity", Coding::Identity),
        ("GZip", Coding::Gzip),
        ("x-gzip", Coding::Gzip),
        (" deflate ", Coding::Deflate),
        ("br", Coding::Brotli),
    ] {
        assert_eq!(of(&[name]), Some(coding), "{name}");
    }
    for values in [&["zstd"][..], &["compress"], &["gzip, gzip"], &["gzip", "br"], &["aes128gcm"]] {
        assert_eq!(of(values), None, "{values:?}");
    }
}

proptest! {
    #[test]
    fn no_body_breaks_a_decoder(mut body in proptest::collection::vec(any::<u8>(), 0..300), whole in any::<bool>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        if whole {
            body = [gzip(HELLO.as_bytes()), zlib(HELLO.as_bytes()), hex(HELLO_BROTLI)][at.index(3)].clone();
            let place = at.index(body.len());
            body[place] = byte;
        }
        for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli] {
            let decode_text = decode(coding, &body, 10_000, 16);
            prop_assert!(decode_text.is_err() || decode_text.unwrap().len() <= 10_000);
        }
    }
}
