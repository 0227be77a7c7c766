//! The search domain: [`opensearch`] is the index of wiki entries, [`SearchDomain`] reports the domain's health.

mod domain;
pub mod opensearch;

pub use self::domain::{DomainHealth, SearchDomain};
