//! The search domain: [`opensearch`] is the index of wiki entries, [`SearchDomain`] reports the domain's health, from
//! its control plane on AWS.

pub mod opensearch;

use std::sync::Arc;

use aws_sdk_opensearch::Client;

use crate::sdk;
use domain::{Error, Result};

/// The search domain, cheap to clone.
#[derive(Debug, Clone)]
pub struct SearchDomain {
    client: Client,
    name: Arc<str>,
}

/// How a domain is, in AWS's words, lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainHealth {
    /// `green`, `yellow` (copies are missing), `red` (data is missing) or `notavailable`.
    pub cluster: String,
    /// `active`, `processing` (it is being changed) or `notavailable`.
    pub state: String,
}

impl SearchDomain {
    /// The domain `name` behind `client`.
    #[must_use]
    pub fn new(client: Client, name: &str) -> Self {
        Self { client, name: name.into() }
    }

    /// The domain's health.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when AWS does not answer.
    pub async fn health(&self) -> Result<DomainHealth> {
        let answer = self
            .client
            .describe_domain_health()
            .domain_name(&*self.name)
            .send()
            .await
            .map_err(|e| Error::unavailable(format!("describe domain health: {}", sdk::describe(&e))))?;
        let cluster = answer.cluster_health().map(|health| health.as_str().to_lowercase());
        let state = answer.domain_state().map(|state| state.as_str().to_lowercase());
        let (Some(cluster), Some(state)) = (cluster, state) else {
            return Err(Error::unavailable("the search domain's health came without what it is"));
        };
        Ok(DomainHealth { cluster, state })
    }
}
