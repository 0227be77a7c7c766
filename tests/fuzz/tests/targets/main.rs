//! The fuzz targets of what the crates offer to others. Those of private code are beside it (`fuzz_tests.rs`).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that fails says where")]

mod addresses;
mod credentials;
mod identifiers;
mod imports;
mod messages;
mod model_replies;
mod pages;
mod shown_text;
mod words;
