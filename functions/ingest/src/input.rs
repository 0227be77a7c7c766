//! The request bodies. Each type parses itself and reports every problem at once.

use domain::models::{IngestStatus, PathPrefix, Visibility};
use domain::{Error, Result};
use edge::{Fields, FromFields, FromQuery, Query, cursor};
use outbound::{OutboundPolicy, OutboundUrl, UrlError};

/// The most characters of a text.
const TEXT_CHARS: usize = 500_000;
const VISIBILITIES: [&str; 2] = ["internal", "public"];
const STATUSES: [&str; 4] = ["queued", "running", "completed", "failed"];
/// The most permissive policy; the operator's policy is checked once the request is known to be valid.
const ANYWHERE: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

/// `POST /ingest`: a page or a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewIngestIn {
    pub(crate) source: SourceIn,
    pub(crate) visibility: Visibility,
}

/// Exactly one of the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SourceIn {
    /// A page; without a prefix, its address names one.
    Url { url: OutboundUrl, path_prefix: Option<PathPrefix> },
    /// A text.
    Text { text: String, path_prefix: PathPrefix },
}

impl FromFields for NewIngestIn {
    /// Half a million characters of any script, and how JSON writes some of them.
    const BODY_LIMIT_BYTES: usize = 3 * 1024 * 1024;

    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let url = fields.parsed("url", |text| OutboundUrl::parse(text, &ANYWHERE).map_err(UrlError::message));
        let text = fields.text("text", 1, TEXT_CHARS);
        let path_prefix = fields.parsed("pathPrefix", |text| PathPrefix::parse(text).map_err(|e| e.0));
        let visibility = fields.choice("visibility", Visibility::parse, &VISIBILITIES);
        let source = match (fields.has("url"), fields.has("text")) {
            (true, false) => Some(SourceIn::Url { url: url?, path_prefix }),
            (false, true) => {
                fields.require("pathPrefix");
                Some(SourceIn::Text { text: text?, path_prefix: path_prefix? })
            }
            (true, true) => {
                fields.problem("", "EXACTLY_ONE", "send url or text, not both");
                None
            }
            (false, false) => {
                fields.problem("", "EXACTLY_ONE", "send url or text");
                None
            }
        };
        Some(Self { source: source?, visibility: visibility.unwrap_or(Visibility::Internal) })
    }
}

impl NewIngestIn {
    /// Refuses an address that may not be called, by its text alone.
    pub(crate) fn judged(self, policy: &OutboundPolicy) -> Result<Self> {
        if let SourceIn::Url { url, .. } = &self.source
            && let Err(refused) = OutboundUrl::parse(url.as_str(), policy)
        {
            return Err(Error::invalid("url", "INVALID_FORMAT", refused.message()));
        }
        Ok(self)
    }
}

/// The list that cursors of `GET /ingest` are of.
pub(crate) fn list(status: Option<IngestStatus>) -> cursor::List {
    cursor::List::new("ingest", &[status.map(IngestStatus::as_str)])
}

/// `GET /ingest`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListJobsQuery {
    pub(crate) status: Option<IngestStatus>,
    pub(crate) limit: usize,
    /// The sort key after which the list continues.
    pub(crate) below: Option<String>,
}

impl FromQuery for ListJobsQuery {
    fn from_query(query: &mut Query) -> Option<Self> {
        let limit = query.limit();
        let status = query.choice("status", IngestStatus::parse, &STATUSES);
        let below = query.cursor(&list(status));
        Some(Self { limit, status, below })
    }
}
