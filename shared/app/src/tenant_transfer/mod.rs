//! Export of a tenant as JSON Lines, and its import into an empty one.
//!
//! An export has the settings and the data of both modes: no API key, no secret, no delivery. A file may come from
//! anybody: each line is read as the one form that an export writes, and held to the rules of the API ([`check`]),
//! the whole file before anything is written. What it says passes the API's constructors ([`constructed`]), and becomes
//! items by the repositories' own code.
//!
//! An import can be interrupted and repeated. It writes each item once, sends no event and counts nothing: the figures
//! are part of the export. What was due becomes due at the end, and the service then indexes the wiki anew.

mod check;
mod constructed;
mod due;
mod export;
mod import;
mod lines;

pub use check::{Rules, Summary};
pub use export::export;
pub use import::{Imported, import, preview, settings_after};
pub use lines::{Line, Lines};
