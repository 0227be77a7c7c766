//! The rebuild of the index under a newer mapping: the next version of the index is filled beside the one that the alias
//! names, then the alias moves.
//!
//! `<alias>-next` names the index under construction. A write goes to it first and then to the alias
//! ([`OpenSearchIndex::write`]); it does not exist at other times.

use std::collections::BTreeMap;

use async_trait::async_trait;
use http::{Method, StatusCode};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use answer::search::IndexRebuild;
use domain::error::Code;
use domain::{Error, Result};

use super::connection::OpenSearchIndex;
use super::request::{OpenSearchRequest, RequestOutcome};

/// An index in the list of aliases.
#[derive(Debug, Deserialize)]
struct IndexAliases {
    aliases: BTreeMap<String, IgnoredAny>,
}

/// The versions of the index that exist, by their number; each with its aliases.
type Versions = BTreeMap<u32, IndexAliases>;

#[async_trait]
impl IndexRebuild for OpenSearchIndex {
    async fn begin_rebuild(&self) -> Result<String> {
        self.create_index().await?;
        let versions = self.versions().await?;
        for (version, index) in &versions {
            if !index.aliases.contains_key(self.alias()) {
                self.delete_version(*version).await?;
            }
        }
        let newest = versions.last_key_value().map_or(0, |(version, _)| *version);
        self.create_version(newest.saturating_add(1), &self.next_alias()).await
    }

    async fn switch_to(&self, next: &str) -> Result<()> {
        let what = "switch the index";
        self.refresh_index(next).await?;
        let (alias, next_alias) = (self.alias(), self.next_alias());
        let versions = self.versions().await?;
        let current = versions.iter().filter(|(_, index)| index.aliases.contains_key(alias));
        let mut actions: Vec<Value> = current
            .map(|(version, _)| json!({"remove": {"index": self.version_name(*version), "alias": alias}}))
            .collect();
        actions.push(json!({"remove": {"index": next, "alias": next_alias, "must_exist": true}}));
        actions.push(json!({"add": {"index": next, "alias": alias}}));
        let body = &json!({"actions": actions});
        let switch = OpenSearchRequest::new(Method::POST, "/_aliases").json(body);
        let reply = self.send(what, &switch).await?;
        if reply.status == StatusCode::NOT_FOUND {
            return Err(Error::new(Code::Conflict, "Another rebuild of the index began meanwhile."));
        }
        reply.outcome(what).map(drop)
    }

    async fn delete_replaced(&self) -> Result<()> {
        let (alias, next_alias) = (self.alias(), self.next_alias());
        for (version, index) in self.versions().await? {
            if !index.aliases.contains_key(alias) && !index.aliases.contains_key(&next_alias) {
                self.delete_version(version).await?;
            }
        }
        Ok(())
    }
}

impl OpenSearchIndex {
    async fn versions(&self) -> Result<Versions> {
        let what = "list the versions of the index";
        // An asterisk of a path is not encoded.
        let list = OpenSearchRequest::new(Method::GET, format!("/{}-v*/_alias", self.alias()));
        let RequestOutcome::Done(reply) = self.send(what, &list).await?.outcome(what)? else {
            return Ok(Versions::new());
        };
        let indices: BTreeMap<String, IndexAliases> = reply.json(what)?;
        let number = |name: &str| name.strip_prefix(self.alias())?.strip_prefix("-v")?.parse().ok();
        Ok(indices.into_iter().filter_map(|(name, index)| Some((number(&name)?, index))).collect())
    }

    async fn delete_version(&self, version: u32) -> Result<()> {
        let what = "delete an index";
        let delete = OpenSearchRequest::new(Method::DELETE, format!("/{}", self.version_name(version)));
        self.send(what, &delete).await?.outcome(what).map(drop)
    }
}
