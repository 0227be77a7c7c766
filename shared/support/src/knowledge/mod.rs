//! The means by which people improve the wiki: they see what it does not answer and what customers were told, propose
//! changes, and try them on customers' questions.
//!
//! - [`gaps`]: the questions that the wiki does not answer.
//! - [`answers`]: the customers who were told what an entry says.
//! - [`drafts`]: proposed changes of entries, and their publication.
//! - [`dry_run`]: what changes would do to customers' questions.

pub mod answers;
pub mod drafts;
pub mod dry_run;
pub mod gaps;

use axum::extract::FromRef;
use domain::Result;

use crate::edge::ClientProvider;
use crate::edge::auth::Authenticator;
use crate::knowledge::dry_run::DryRuns;
use crate::wiki::Wiki;

/// The state of the handlers.
pub(crate) type FunctionState = Knowledge;

/// The clients of the wiki function: those of the handlers of entries, and those of the handlers here.
#[derive(Debug, Clone, FromRef)]
pub struct Knowledge {
    pub(crate) wiki: Wiki,
    pub(crate) authenticator: Authenticator,
    pub(crate) dry_runs: DryRuns,
}

impl Knowledge {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        let wiki = Wiki::new(provider).await?;
        Ok(Self { authenticator: wiki.authenticator.clone(), dry_runs: DryRuns::new(provider).await?, wiki })
    }
}
