//! Makes wiki entries of pages and texts.

pub mod page;
