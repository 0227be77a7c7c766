//! Reads the parameters of a path. A text that is no id is treated as the id of nothing.

use axum::extract::{FromRequestParts, RawPathParams};
use domain::error::{Code, DetailCode};
use domain::models::{
    ApiKeyId, DeliveryId, DraftId, EscalationId, GapId, IngestId, MemberId, NamedId, PinId, SavedReplyId, SessionId,
    WebhookId, WikiPath,
};
use domain::{Error, Result};
use http::request::Parts;

use crate::edge::{ApiError, ApiResult};

/// A type that reads itself from a path's parameter, percent-decoded once.
pub trait FromPath: Sized {
    /// How somebody is answered who sent none.
    const REFUSED: Code;

    /// The value, or the answer to somebody who sent none.
    fn from_path(text: &str) -> Result<Self>;
}

/// The parameter of a path.
#[derive(Debug, Clone)]
pub struct PathIn<T>(pub T);

impl<S: Send + Sync, T: FromPath + Send> FromRequestParts<S> for PathIn<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        // A parameter that is not UTF-8 is treated as a text that is no id and no wiki path.
        let text = params.as_ref().ok().and_then(|params| params.iter().next()).map_or("\u{FFFD}", |(_, text)| text);
        Ok(Self(T::from_path(text)?))
    }
}

/// Both parameters of a path that has two.
#[derive(Debug, Clone)]
pub struct PathPairIn<A, B>(pub A, pub B);

impl<S: Send + Sync, A: FromPath + Send, B: FromPath + Send> FromRequestParts<S> for PathPairIn<A, B> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        let mut texts = params.as_ref().ok().into_iter().flat_map(|params| params.iter()).map(|(_, text)| text);
        let mut next = || texts.next().unwrap_or("\u{FFFD}");
        Ok(Self(A::from_path(next())?, B::from_path(next())?))
    }
}

macro_rules! ids_from_path {
    ($($id:ident),+ $(,)?) => { $(
        impl FromPath for $id {
            const REFUSED: Code = Code::NotFound;

            fn from_path(text: &str) -> Result<Self> {
                Ok(Self::named(text))
            }
        }
    )+ };
}

ids_from_path!(
    SessionId,
    EscalationId,
    IngestId,
    ApiKeyId,
    WebhookId,
    DeliveryId,
    GapId,
    MemberId,
    SavedReplyId,
    DraftId,
    PinId
);

impl FromPath for WikiPath {
    const REFUSED: Code = Code::ValidationError;

    fn from_path(text: &str) -> Result<Self> {
        Self::parse(text).map_err(|e| Error::invalid("path", DetailCode::InvalidPath, e.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_id_becomes_the_id_of_nothing() {
        for bad in ["", "ses_", "TENANT#t2", "ses_01#", "..", &"x".repeat(65), "ses_01\u{0}", "\u{FFFD}"] {
            assert_eq!(SessionId::from_path(bad).unwrap().as_str(), "ses_00000000000000000000000000", "{bad}");
            assert_eq!(GapId::from_path(bad).unwrap().as_str(), format!("gap_{}", "0".repeat(32)), "{bad}");
        }
    }

    #[test]
    fn a_wiki_path_that_came_encoded_is_refused_not_reinterpreted() {
        for bad in ["a/b?x", "a/b#x", "a/../b", "a/./b", "a/b\u{0}", "a//b", "a/b/", "a/\u{FFFD}", "a/é", "a/..;/b"] {
            assert!(WikiPath::from_path(bad).is_err(), "{bad}");
        }
    }
}
