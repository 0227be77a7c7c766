//! The bodies of callers. Each type reads and describes itself, and reports every problem at once.

use aws::store::IngestPlace;
use domain::error::DetailCode;
use domain::limits::INGEST_TEXT;
use domain::models::{IngestStatus, PathPrefix, Visibility};
use domain::{Error, Result};
use edge::input::{Alternative, ExactlyOne, choice, optional, or, parsed, within};
use outbound::{OutboundPolicy, OutboundUrl, UrlError};

/// Checks the syntax only; the operator's policy is applied after the whole request is valid.
const SYNTAX_ONLY_POLICY: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

edge::body! {
    /// A page or a text, handed in: exactly one of `url` and `text`; a text needs a `pathPrefix`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct NewIngestIn as "NewIngest" {
        /// A page.
        pub(crate) url: Option<OutboundUrl> = "url" => optional(parsed(|text| {
            OutboundUrl::parse(text, &SYNTAX_ONLY_POLICY).map_err(UrlError::message)
        })),
        /// HTML, Markdown or plain text, detected from its markup: a text with block-level tags is HTML.
        pub(crate) text: Option<String> = "text" => optional(within(INGEST_TEXT)),
        /// Where the entries go; for a page by default a name made of its address.
        pub(crate) path_prefix: Option<PathPrefix> = "pathPrefix" => optional(parsed(|text| {
            PathPrefix::parse(text).map_err(|e| e.0)
        })),
        /// Who may read the entries.
        pub(crate) visibility: Visibility = "visibility" => or(choice::<Visibility>(), Visibility::Internal),
    }
    rules: [ExactlyOne {
        of: &[
            Alternative { field: "url", schema: "NewIngestOfPage", needs: &[] },
            Alternative { field: "text", schema: "NewIngestOfText", needs: &["pathPrefix"] },
        ],
        code: DetailCode::ExactlyOne,
        at: "",
        none: Some("send url or text"),
        several: "send url or text, not both",
    }]
    // Half a million characters of any script, and how JSON writes some of them.
    limit_bytes: 3 * 1024 * 1024
}

impl NewIngestIn {
    /// Refuses an address that may not be called, by its text alone.
    pub(crate) fn validated(self, policy: &OutboundPolicy) -> Result<Self> {
        if let Some(url) = &self.url
            && let Err(refused) = OutboundUrl::parse(url.as_str(), policy)
        {
            return Err(Error::invalid("url", DetailCode::InvalidFormat, refused.message()));
        }
        Ok(self)
    }
}

edge::query! {
    /// The filter of the jobs.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct ListIngestJobsQuery {
        /// Only jobs that stand so.
        pub(crate) status: Option<IngestStatus> = "status" => choice::<IngestStatus>(),
    }
    cursor: below: IngestPlace, list = (status.map(IngestStatus::as_str));
    limit: limit;
}
