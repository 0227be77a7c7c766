//! Why a request got no response.

/// Why a request got no response; its text may be shown to the tenant of the address.
///
/// The text is the same for an address that is refused by us, closed or filtered, so that the service cannot be used as
/// a port scanner. The variants are for the log and for codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SendError {
    /// The address, or one behind its name, may not be dialled; nothing was sent.
    #[error("The address could not be reached.")]
    Blocked,
    /// Unknown name, closed port, no TLS, or no connection in time; nothing was sent.
    #[error("The address could not be reached.")]
    Unreachable,
    /// Connected, but not answered in time.
    #[error("There was no response in time.")]
    Timeout,
    /// The connection broke, or the response is not HTTP.
    #[error("The response ended early.")]
    InvalidResponse,
    /// The answer is larger than the limit, decoded.
    #[error("The response is too large.")]
    TooLarge,
    /// More redirects than the limit, or one that leads nowhere.
    #[error("The address redirects too often or to nowhere.")]
    Redirect,
    /// The process cannot send at all; for the log, the tenant is not to blame.
    #[error("The request could not be sent.")]
    ClientUnavailable,
}

impl SendError {
    /// A name for the log, `UPPER_SNAKE`; never for a tenant.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Blocked => "BLOCKED",
            Self::Unreachable => "UNREACHABLE",
            Self::Timeout => "TIMEOUT",
            Self::InvalidResponse => "INVALID_RESPONSE",
            Self::TooLarge => "TOO_LARGE",
            Self::Redirect => "REDIRECT",
            Self::ClientUnavailable => "CLIENT_UNAVAILABLE",
        }
    }
}
