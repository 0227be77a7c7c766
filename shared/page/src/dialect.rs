//! Temporary.
pub(super) fn to_commonmark(text: &str) -> std::borrow::Cow<'_, str> {
    text.into()
}
