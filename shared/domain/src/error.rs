//! The one error type: a public code, message and details, and private context for the log.

mod detail;

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

pub use detail::{Detail, DetailCode};

macro_rules! codes {
    ($($code:ident => ($name:literal, $status:literal)),+ $(,)?) => {
        /// The kinds of errors, as the contract names them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($code),+ }

        impl Code {
            /// Every code, in the order of the statuses.
            pub const ALL: &'static [Self] = &[$(Self::$code),+];

            /// The name on the wire and the HTTP status.
            #[must_use]
            pub const fn parts(self) -> (&'static str, u16) {
                match self { $(Self::$code => ($name, $status)),+ }
            }
        }
    };
}

codes! {
    ValidationError => ("VALIDATION_ERROR", 400),
    InvalidJson => ("INVALID_JSON", 400),
    Unauthorized => ("UNAUTHORIZED", 401),
    SignInRequired => ("SIGN_IN_REQUIRED", 401),
    ApiKeyExpired => ("API_KEY_EXPIRED", 401),
    TokenExpired => ("TOKEN_EXPIRED", 401),
    Forbidden => ("FORBIDDEN", 403),
    NotAMember => ("NOT_A_MEMBER", 403),
    RecentSignInRequired => ("RECENT_SIGN_IN_REQUIRED", 403),
    PlanRequired => ("PLAN_REQUIRED", 403),
    NotFound => ("NOT_FOUND", 404),
    MethodNotAllowed => ("METHOD_NOT_ALLOWED", 405),
    Conflict => ("CONFLICT", 409),
    InvalidState => ("INVALID_STATE", 409),
    SessionClosed => ("SESSION_CLOSED", 409),
    AlreadyClaimed => ("ALREADY_CLAIMED", 409),
    ClaimedByOther => ("CLAIMED_BY_OTHER", 409),
    NoAiResponse => ("NO_AI_RESPONSE", 409),
    IdempotencyInProgress => ("IDEMPOTENCY_IN_PROGRESS", 409),
    ResumeWindowExpired => ("RESUME_WINDOW_EXPIRED", 410),
    PreconditionFailed => ("PRECONDITION_FAILED", 412),
    PayloadTooLarge => ("PAYLOAD_TOO_LARGE", 413),
    UnsupportedMediaType => ("UNSUPPORTED_MEDIA_TYPE", 415),
    IdempotencyKeyReused => ("IDEMPOTENCY_KEY_REUSED", 422),
    RateLimited => ("RATE_LIMITED", 429),
    InternalError => ("INTERNAL_ERROR", 500),
    ServiceUnavailable => ("SERVICE_UNAVAILABLE", 503),
}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Self::ALL.iter().map(|code| code.name()).collect();
        json_schema!({"type": "string", "description": "What went wrong.", "enum": names})
    }
}

impl Code {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.parts().0
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.parts().1
    }
}

/// An error with a public message and private causes.
#[derive(Debug)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Debug)]
struct Inner {
    code: Code,
    message: Cow<'static, str>,
    details: Vec<Detail>,
    retry_after_seconds: Option<u32>,
    allow: Option<String>,
    context: Vec<String>,
}

/// The result of the service's own code.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `code` with its public `message`.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            inner: Box::new(Inner {
                code,
                message: message.into(),
                details: Vec::new(),
                retry_after_seconds: None,
                allow: None,
                context: Vec::new(),
            }),
        }
    }

    /// 404 `<what> was not found`, with one body for what never existed, was deleted, or is foreign.
    #[must_use]
    pub fn not_found(what: &'static str) -> Self {
        Self::new(Code::NotFound, format!("{what} was not found"))
    }

    /// 401 with the one body of all of them.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::new(Code::Unauthorized, "A valid API key or widget token is required.")
    }

    /// 401 for a member whose sign-in has ended.
    #[must_use]
    pub fn sign_in_required() -> Self {
        Self::new(Code::SignInRequired, "The sign-in has ended. Sign in again.")
    }

    /// 400 about one field.
    pub fn invalid(field: impl Into<String>, code: DetailCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::validation(vec![Detail { field: Some(field.into()), code, message: message.into() }])
    }

    /// 400 with all problems of a request at once.
    #[must_use]
    pub fn validation(details: Vec<Detail>) -> Self {
        let mut error = Self::new(Code::ValidationError, "The request is not valid.");
        error.inner.details = details;
        error
    }

    /// 500: `context` goes to the log only.
    pub fn internal(context: impl Into<String>) -> Self {
        Self::new(Code::InternalError, "An internal error occurred.").context(context)
    }

    /// 503: `context` goes to the log only.
    pub fn unavailable(context: impl Into<String>) -> Self {
        let mut error = Self::new(Code::ServiceUnavailable, "A required service does not respond. Try again shortly.");
        error.inner.retry_after_seconds = Some(1);
        error.context(context)
    }

    /// Adds a problem to `details`.
    #[must_use]
    pub fn detail(mut self, detail: Detail) -> Self {
        self.inner.details.push(detail);
        self
    }

    /// Adds a detail that is about the whole request.
    #[must_use]
    pub fn with_detail(self, code: DetailCode, message: impl Into<Cow<'static, str>>) -> Self {
        self.detail(Detail { field: None, code, message: message.into() })
    }

    /// Sets `Retry-After`, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.inner.retry_after_seconds = Some(seconds);
        self
    }

    /// Sets `Allow`, for 405.
    #[must_use]
    pub fn allow(mut self, methods: impl Into<String>) -> Self {
        self.inner.allow = Some(methods.into());
        self
    }

    /// Adds a private cause, innermost first.
    #[must_use]
    pub fn context(mut self, line: impl Into<String>) -> Self {
        self.inner.context.push(line.into());
        self
    }

    /// The public code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.inner.code
    }

    /// The public message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// The public details.
    #[must_use]
    pub fn details(&self) -> &[Detail] {
        &self.inner.details
    }

    /// Seconds for `Retry-After`.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u32> {
        self.inner.retry_after_seconds
    }

    /// Methods for `Allow`.
    #[must_use]
    pub fn allowed(&self) -> Option<&str> {
        self.inner.allow.as_deref()
    }

    /// The private causes, for the log.
    #[must_use]
    pub fn causes(&self) -> &[String] {
        &self.inner.context
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.inner.code.name(), self.inner.message)?;
        for line in &self.inner.context {
            write!(f, " <- {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
