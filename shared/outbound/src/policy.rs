//! What the operator allows beyond the public internet over https; nothing, unless the configuration says so.

/// `OUTBOUND_ALLOW_LOOPBACK` and `OUTBOUND_ALLOW_HTTP`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboundPolicy {
    /// This machine may be called, on any port; for local receivers and tests.
    pub allow_loopback: bool,
    /// `http://` is allowed beside `https://`.
    pub allow_http: bool,
}
