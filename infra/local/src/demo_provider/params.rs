//! The parameters of a query or a form.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use url::form_urlencoded;

/// Names and values, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Params(Vec<(String, String)>);

impl Params {
    /// Those of a text such as `a=1&b=2`.
    pub(super) fn parse(text: &[u8]) -> Self {
        Self(form_urlencoded::parse(text).into_owned().collect())
    }

    /// The value of a parameter that is there once; none otherwise.
    pub(super) fn get(&self, name: &str) -> Option<&String> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value);
        values.next().filter(|_| values.next().is_none())
    }
}

/// Those of a request's query.
impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default().as_bytes()))
    }
}
