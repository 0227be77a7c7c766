//! What the operator allows besides the public internet over https. By default nothing.

/// `OUTBOUND_ALLOW_LOOPBACK` and `OUTBOUND_ALLOW_HTTP`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboundPolicy {
    /// This machine may be called, on any port; for local receivers and tests.
    pub allow_loopback: bool,
    /// `http://` is allowed as well as `https://`.
    pub allow_http: bool,
}
