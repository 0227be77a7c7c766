//! The one error type: a public code, message and details, the closed list of what a detail can be, and private context for
//! the log.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use text::wire_enum;

macro_rules! codes {
    ($($code:ident => ($name:literal, $status:literal)),+ $(,)?) => {
        /// The kinds of errors, as the contract names them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($code),+ }

        impl Code {
            /// Every code, in the order of the statuses.
            pub const ALL: &'static [Self] = &[$(Self::$code),+];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$code => $name),+ }
            }

            /// The HTTP status.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$code => $status),+ }
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
        Self::validation(vec![Detail::new(field, code, message)])
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

/// One problem of a request, for `details` of the error body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ErrorDetail")]
pub struct Detail {
    /// The field, query parameter or header it is about; absent where it is about the whole request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Which problem.
    pub code: DetailCode,
    /// For a person.
    pub message: Cow<'static, str>,
}

impl Detail {
    /// A problem of a field.
    pub fn new(field: impl Into<String>, code: DetailCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { field: Some(field.into()), code, message: message.into() }
    }

    /// A list of `length` items of which there may be `max`.
    pub(crate) fn too_many(field: impl Into<String>, length: usize, max: usize) -> Option<Self> {
        let message = format!("must have at most {max} items");
        (length > max).then(|| Self::new(field, DetailCode::TooMany, message))
    }
}

wire_enum! {
    /// Which problem a request has.
    pub enum DetailCode {
        /// The field must be there, and must not be null.
        Required => "REQUIRED",
        /// The value has another JSON type, or is no whole number in plain digits.
        WrongType => "WRONG_TYPE",
        /// The number, or the length of the query parameter, is outside its range.
        OutOfRange => "OUT_OF_RANGE",
        /// The text has fewer characters than it must have.
        TooShort => "TOO_SHORT",
        /// The text has more characters than it may have.
        TooLong => "TOO_LONG",
        /// The value takes more bytes than it may take.
        TooLarge => "TOO_LARGE",
        /// The list has fewer items than it must have.
        TooFew => "TOO_FEW",
        /// The list or object has more items than it may have.
        TooMany => "TOO_MANY",
        /// The text has no visible character.
        Blank => "BLANK",
        /// The query parameter has no value.
        Empty => "EMPTY",
        /// The text has a character that it must not have.
        InvalidCharacter => "INVALID_CHARACTER",
        /// The query parameter is not percent-encoded UTF-8.
        InvalidEncoding => "INVALID_ENCODING",
        /// The text is not of the form that its field has: a time, an address, a cursor.
        InvalidFormat => "INVALID_FORMAT",
        /// The key of a flat object is empty, too long, or has control characters.
        InvalidKey => "INVALID_KEY",
        /// The text is no origin as browsers write it, or one that the operator does not allow.
        InvalidOrigin => "INVALID_ORIGIN",
        /// The path is no path of a wiki entry.
        InvalidPath => "INVALID_PATH",
        /// The secret begins as one in base64, and is not `whsec_` with strict base64 of 24 to 64 bytes.
        InvalidSecret => "INVALID_SECRET",
        /// The text is no name of a time zone of the IANA.
        InvalidTimezone => "INVALID_TIMEZONE",
        /// The text is no template of an address with one `{path}`.
        InvalidUrl => "INVALID_URL",
        /// The value is none of the words that are allowed here.
        NotAllowed => "NOT_ALLOWED",
        /// The value of a flat object is null, a list or an object.
        NotFlat => "NOT_FLAT",
        /// The query parameter is given more than once.
        Duplicate => "DUPLICATE",
        /// Two fields or query parameters exclude each other.
        Conflict => "CONFLICT",
        /// Exactly one of several fields must be given.
        ExactlyOne => "EXACTLY_ONE",
        /// The change names none of the fields that can be changed.
        NothingToChange => "NOTHING_TO_CHANGE",
        /// The range ends before it begins, or another one of the day lies across it.
        InvalidRange => "INVALID_RANGE",
        /// The operation does not take this query parameter.
        UnknownParameter => "UNKNOWN_PARAMETER",
        /// The object has a closed list of names, and this is none of them.
        UnknownField => "UNKNOWN_FIELD",
        /// The text names a variable that does not exist.
        UnknownVariable => "UNKNOWN_VARIABLE",
        /// The time must be in the future.
        InThePast => "IN_THE_PAST",
        /// The time must not be in the future.
        InTheFuture => "IN_THE_FUTURE",
        /// The id is of no turn of this session.
        UnknownMessage => "UNKNOWN_MESSAGE",
        /// The session belongs to another visitor.
        OtherVisitor => "OTHER_VISITOR",
        /// Nobody waits in the inbox.
        QueueEmpty => "QUEUE_EMPTY",
        /// The entry moved on; the message is its present version and nothing else: of the entry, of its deletion, or 0 where
        /// the path never held anything.
        CurrentVersion => "CURRENT_VERSION",
        /// The customer wrote after `lastSeenMessageId`.
        NewerMessage => "NEWER_MESSAGE",
        /// Another receiver has this address.
        DuplicateUrl => "DUPLICATE_URL",
        /// Another saved reply of the same scope has this shortcut.
        DuplicateShortcut => "DUPLICATE_SHORTCUT",
        /// There are as many open drafts as there may be.
        TooManyDrafts => "TOO_MANY_DRAFTS",
        /// There are as many API keys of the mode as there may be.
        TooManyApiKeys => "TOO_MANY_API_KEYS",
        /// There are as many pinned questions as there may be.
        TooManyPins => "TOO_MANY_PINS",
        /// There are as many saved replies as there may be.
        TooManyReplies => "TOO_MANY_REPLIES",
        /// The tenant has as many receivers as it may have.
        TooManyWebhooks => "TOO_MANY_WEBHOOKS",
        /// The tenant must keep a live admin key that does not expire.
        LastAdminKey => "LAST_ADMIN_KEY",
        /// The tenant must keep an active admin among its members; a key may leave none.
        LastAdminMember => "LAST_ADMIN_MEMBER",
        /// Another member of the tenant has the address, or is the person.
        MemberExists => "MEMBER_EXISTS",
        /// The message is the e-mail address of the account that the provider signed in, and nothing else.
        SignedInAs => "SIGNED_IN_AS",
        /// The tenant has as many members as it may have.
        TooManyMembers => "TOO_MANY_MEMBERS",
        /// The key has none of the roles that the operation needs.
        RequiredRole => "REQUIRED_ROLE",
        /// The operation needs a live key.
        RequiredMode => "REQUIRED_MODE",
        /// The widget token does not reach so far.
        TokenScope => "TOKEN_SCOPE",
        /// The operator suspended the tenant.
        TenantSuspended => "TENANT_SUSPENDED",
        /// The tenant's `widgetOrigins` do not name the origin of the request.
        OriginNotAllowed => "ORIGIN_NOT_ALLOWED",
        /// The message names the limit that is used up.
        RateLimit => "RATE_LIMIT",
    }
}
