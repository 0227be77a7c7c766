//! The keys of cursors as an argument of a handler, whose cursor is in the body.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use schemars::SchemaGenerator;

use crate::cursor::CursorKeys;
use crate::describe::{Input, Operation};

impl Input for CursorKeys {
    fn describe(_: &mut Operation, _: &mut SchemaGenerator) {}
}

impl<S: Send + Sync> FromRequestParts<S> for CursorKeys {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts).await)
    }
}
