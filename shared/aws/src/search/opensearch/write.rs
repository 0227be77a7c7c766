//! Writes of documents: to the index under construction, if there is one, and to the one that the alias names.

use std::collections::BTreeMap;

use answer::search::IndexRebuild;
use async_trait::async_trait;
use http::{Method, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::connection::{OpenSearchIndex, OpenSearchReply, OpenSearchRequest, unavailable};
use domain::error::Code;
use domain::{Error, Result};

/// The characters that the `opensearch` crate escapes in a path. A signed path is escaped once more and compared with
/// what a server decodes and escapes itself, so a character that needs no escape must have none.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.').remove(b',').remove(b'*');

/// The versions that a write replaces.
#[derive(Debug, Clone, Copy)]
pub(super) enum VersionType {
    /// Older ones.
    External,
    /// The same version, too.
    ExternalGte,
}

#[derive(Debug)]
pub(super) struct DocumentWrite<'a> {
    pub(super) id: &'a str,
    pub(super) version: u64,
    pub(super) over: VersionType,
    pub(super) body: &'a Value,
    /// The field of its vectors and their dimensions, if it has some.
    pub(super) knn_field: Option<(String, usize)>,
}

impl OpenSearchIndex {
    /// Writes a document under its version; an older or equal one is refused by OpenSearch, which is success.
    ///
    /// The index under construction comes first, if there is one. If the alias moves to it between the two requests, or
    /// was moved just before them, the second request reaches it too: it gets every write.
    pub(super) async fn write(&self, write: &DocumentWrite<'_>) -> domain::Result<()> {
        self.write_to_next(write).await?;
        if self.write_to_current(write).await?.is_none() {
            self.create_index().await?;
            if self.write_to_current(write).await?.is_none() {
                return Err(unavailable("write", "the index just made is not there"));
            }
        }
        Ok(())
    }

    async fn write_to_next(&self, write: &DocumentWrite<'_>) -> domain::Result<()> {
        let alias = &self.next_alias();
        // Mapped before each write: an index whose construction began again has the name of the one before.
        if let Some((field, dimensions)) = &write.knn_field
            && self.map_vectors(alias, field, *dimensions).await?.is_none()
        {
            return Ok(());
        }
        self.put_document(alias, write, write.over).await.map(drop)
    }

    /// A field that is not mapped would be ignored. So a document with vectors is written again if it went into an
    /// index of which this process does not know that it has the field.
    async fn write_to_current(&self, write: &DocumentWrite<'_>) -> domain::Result<Option<OpenSearchReply>> {
        let alias = self.alias();
        let Some((field, dimensions)) = &write.knn_field else {
            return self.put_document(alias, write, write.over).await;
        };
        let mut over = write.over;
        if let Some(mapped) = self.mapped.index_of(field) {
            match self.put_document(alias, write, over).await? {
                Some(reply) if reply.index_name().is_some_and(|index| index != mapped) => {
                    over = VersionType::ExternalGte;
                }
                outcome => return Ok(outcome),
            }
        }
        if self.map_vectors(alias, field, *dimensions).await?.is_none() {
            return Ok(None);
        }
        let outcome = self.put_document(alias, write, over).await?;
        if let Some(reply) = &outcome
            && let Some(index) = reply.index_name()
        {
            self.mapped.remember(field, index);
        }
        Ok(outcome)
    }

    async fn put_document(
        &self,
        alias: &str,
        write: &DocumentWrite<'_>,
        over: VersionType,
    ) -> domain::Result<Option<OpenSearchReply>> {
        let &DocumentWrite { id, version, body, .. } = write;
        let version_type = match over {
            VersionType::External => "external",
            VersionType::ExternalGte => "external_gte",
        };
        let (id, refresh) = (utf8_percent_encode(id, ESCAPED), self.settings.refresh);
        let version = format!("version={version}&version_type={version_type}");
        let path = format!("/{alias}/_doc/{id}?{version}&refresh={refresh}&require_alias=true");
        let outcome =
            self.send("write", &OpenSearchRequest::new(Method::POST, path).json(body)).await?.outcome("write")?;
        if outcome.is_none() && alias == self.alias() {
            self.mapped.forget_all();
        }
        Ok(outcome)
    }
}

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
        let Some(reply) = self.send(what, &list).await?.outcome(what)? else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    use axum::Json;
    use axum::extract::Request;
    use axum::http::StatusCode;
    use axum::response::IntoResponse;
    use serde_json::json;

    use crate::search::opensearch::connection::OpenSearchSettings;

    /// The requests to a server, one an item; and the index that its alias `wiki` names.
    type Domain = Arc<Mutex<(Vec<String>, &'static str)>>;

    async fn start(domain: &Domain) -> OpenSearchIndex {
        let domain = Arc::clone(domain);
        let app = axum::Router::new().fallback(move |request: Request| {
            let uri = request.uri();
            let alias = uri.path().split('/').nth(1).unwrap().to_owned();
            let mut domain = domain.lock().unwrap();
            let is_over = uri.query().is_some_and(|query| query.contains("external_gte"));
            let what = if uri.path().ends_with("/_mapping") { "map" } else { "put" };
            domain.0.push(format!("{what} {alias}{}", if is_over { " again" } else { "" }));
            let answer = match (alias.as_str(), domain.1) {
                ("wiki", index) if !index.is_empty() => (StatusCode::OK, json!({"_index": index})),
                _ => (StatusCode::NOT_FOUND, json!({"error": {"type": "index_not_found_exception"}})),
            };
            async move { (answer.0, Json(answer.1)).into_response() }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        OpenSearchIndex::connect(OpenSearchSettings::unsigned(url)).unwrap()
    }

    /// The requests of one write.
    async fn requests(index: &OpenSearchIndex, domain: &Domain, knn_field: Option<(String, usize)>) -> Vec<String> {
        let over = VersionType::External;
        let write = DocumentWrite { id: "1", version: 1, over, body: &json!({}), knn_field };
        let _result = index.write(&write).await;
        std::mem::take(&mut domain.lock().unwrap().0)
    }

    #[tokio::test]
    async fn a_field_is_mapped_once_in_each_index_that_the_alias_names() {
        let domain: Domain = Arc::new(Mutex::new((Vec::new(), "wiki-v1")));
        let index = start(&domain).await;
        let field = || Some(("knn_m_2".to_owned(), 2));
        assert_eq!(requests(&index, &domain, None).await, ["put wiki-next", "put wiki"]);
        assert_eq!(requests(&index, &domain, field()).await, ["map wiki-next", "map wiki", "put wiki"]);
        assert_eq!(requests(&index, &domain, field()).await, ["map wiki-next", "put wiki"]);
        let other = Some(("knn_n_3".to_owned(), 3));
        assert_eq!(requests(&index, &domain, other).await, ["map wiki-next", "map wiki", "put wiki"]);
        domain.lock().unwrap().1 = "wiki-v2";
        let moved = ["map wiki-next", "put wiki", "map wiki", "put wiki again"];
        assert_eq!(requests(&index, &domain, field()).await, moved);
        assert_eq!(requests(&index, &domain, field()).await, ["map wiki-next", "put wiki"]);
    }

    #[tokio::test]
    async fn a_field_is_mapped_again_after_the_index_was_gone() {
        let domain: Domain = Arc::new(Mutex::new((Vec::new(), "wiki-v1")));
        let index = start(&domain).await;
        let field = || Some(("knn_m_2".to_owned(), 2));
        requests(&index, &domain, field()).await;
        domain.lock().unwrap().1 = "";
        requests(&index, &domain, field()).await;
        domain.lock().unwrap().1 = "wiki-v1";
        assert_eq!(requests(&index, &domain, field()).await, ["map wiki-next", "map wiki", "put wiki"]);
    }

    #[test]
    fn an_id_is_escaped_as_the_signing_client_does() {
        let escaped = utf8_percent_encode("shop#live#help/a-b_c.d", ESCAPED).to_string();
        assert_eq!(escaped, "shop%23live%23help%2Fa-b_c.d");
    }
}
