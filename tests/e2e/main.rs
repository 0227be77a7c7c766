//! The service over HTTP, as its users see it, and the promises of its template and its house.

mod structure;
mod template;
