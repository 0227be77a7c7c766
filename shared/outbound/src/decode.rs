//! Decodes a body as it arrives, with a limit that a compressed bomb cannot pass.
//!
//! Each decoded piece is counted before it is kept, so no more than the limit is held in memory. The encoded bytes are
//! counted too, because a compressed stream can be endless and decode to nothing.

use std::io::{self, Write};

use brotli_decompressor::DecompressorWriter;
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use http::{HeaderMap, header};

use super::SendError;

/// Bytes that a decoder works with at a time.
const STEP_BYTES: usize = 8 * 1024;

/// How a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
}

impl Coding {
    /// The encodings that are requested.
    pub(super) const ACCEPTED: &'static str = "gzip, deflate, br";

    /// The one coding that the headers name; none if they name another, or several on top of each other.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
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
pub(super) struct Decoder {
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
    pub(super) fn new(coding: Coding, max_bytes: usize) -> Self {
        let buffer = LimitedBuffer { bytes: Vec::new(), max_bytes };
        let stage = match coding {
            Coding::Identity => Stage::Plain(buffer),
            compressed => Stage::Undecided(compressed, buffer),
        };
        Self { stage, input_bytes: 0, max_bytes }
    }

    /// Takes the next piece.
    pub(super) fn take(&mut self, piece: &[u8]) -> Result<(), SendError> {
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
    pub(super) fn finish(self) -> Result<Vec<u8>, SendError> {
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
