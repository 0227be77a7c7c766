//! The search domain: [`opensearch`] is the index of wiki entries, [`SearchDomain`] the domain's own word on its health.

mod domain;
pub mod opensearch;

pub use self::domain::{DomainHealth, SearchDomain};
