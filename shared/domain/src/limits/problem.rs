//! One problem of a field, for the rules that look at whole resources.

use std::borrow::Cow;

use crate::error::{Detail, DetailCode};

pub(super) fn problem(field: impl Into<String>, code: DetailCode, message: impl Into<Cow<'static, str>>) -> Detail {
    Detail { field: Some(field.into()), code, message: message.into() }
}
