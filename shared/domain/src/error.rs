//! The one error type: a public code, message and details, the closed list of what a detail can be, and private context for
//! the log.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use text::wire_enum;

macro_rules! codes {
    ($($code:ident => ($name:literal, $status:literal, $about:literal)),+ $(,)?) => {
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

            /// What happened, and what to do, for an integrator.
            const fn about(self) -> &'static str {
                match self { $(Self::$code => $about),+ }
            }
        }
    };
}

codes! {
    ValidationError => ("VALIDATION_ERROR", 400, "A field or query parameter is not valid; `details` lists all problems at once. Correct them: a retry fails again."),
    InvalidJson => ("INVALID_JSON", 400, "The body is not a JSON object. Send one, in UTF-8."),
    Unauthorized => ("UNAUTHORIZED", 401, "The credential is missing, malformed, unknown or deleted. Check the key and its mode."),
    SignInRequired => ("SIGN_IN_REQUIRED", 401, "The sign-in at the desk has ended. Sign in again."),
    ApiKeyExpired => ("API_KEY_EXPIRED", 401, "The API key has expired. Make a new one."),
    TokenExpired => ("TOKEN_EXPIRED", 401, "The token has expired. Get a new one and repeat the request."),
    Forbidden => ("FORBIDDEN", 403, "The role, the token's scope or the page's origin does not allow this; `details` says which. Use a key of another role, or add the origin to `widgetOrigins`."),
    NotAMember => ("NOT_A_MEMBER", 403, "The person is no member of the tenant. An admin must invite them."),
    RecentSignInRequired => ("RECENT_SIGN_IN_REQUIRED", 403, "The change needs a sign-in of the last hour. Sign in again and repeat it."),
    PlanRequired => ("PLAN_REQUIRED", 403, "The tenant's plan does not include this. Ask the operator."),
    NotFound => ("NOT_FOUND", 404, "There is nothing of this id or path that the caller may see; maybe it is of the other mode."),
    MethodNotAllowed => ("METHOD_NOT_ALLOWED", 405, "The path does not have this method; `Allow` names those that it has."),
    Conflict => ("CONFLICT", 409, "Something else is there already, or changed meanwhile; `details` says what. Read it again and decide."),
    InvalidState => ("INVALID_STATE", 409, "The present state does not allow this. Read the resource again."),
    SessionClosed => ("SESSION_CLOSED", 409, "The conversation is closed. Resume it, or begin another one."),
    AlreadyClaimed => ("ALREADY_CLAIMED", 409, "Another agent was faster. Take the next request."),
    ClaimedByOther => ("CLAIMED_BY_OTHER", 409, "Another agent has the request. They can transfer or release it."),
    NoAiResponse => ("NO_AI_RESPONSE", 409, "The conversation has no answer of the AI to react to."),
    IdempotencyInProgress => ("IDEMPOTENCY_IN_PROGRESS", 409, "The first request with this `Idempotency-Key` still runs. Repeat this one after `Retry-After`."),
    ResumeWindowExpired => ("RESUME_WINDOW_EXPIRED", 410, "The conversation was closed too long ago. Begin another one."),
    PreconditionFailed => ("PRECONDITION_FAILED", 412, "The resource has another version than `If-Match` names, or `If-None-Match` excludes it. Read it again and decide."),
    PayloadTooLarge => ("PAYLOAD_TOO_LARGE", 413, "The body is larger than the operation takes. Split it."),
    UnsupportedMediaType => ("UNSUPPORTED_MEDIA_TYPE", 415, "The body is not JSON. Send `Content-Type: application/json`, not compressed."),
    IdempotencyKeyReused => ("IDEMPOTENCY_KEY_REUSED", 422, "The `Idempotency-Key` came with another body before. Use a new key for a new request, and the same bytes for a retry."),
    RateLimited => ("RATE_LIMITED", 429, "A limit is used up; `details` names it. Wait for `Retry-After`."),
    InternalError => ("INTERNAL_ERROR", 500, "The service failed. Repeat the request with the same `Idempotency-Key`; if it fails again, quote `requestId` to support."),
    ServiceUnavailable => ("SERVICE_UNAVAILABLE", 503, "Something that the service needs does not answer. Repeat the request with the same `Idempotency-Key`, after `Retry-After`."),
}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Self::ALL.iter().map(|code| code.name()).collect();
        let about: String = Self::ALL.iter().map(|code| format!("\n- `{}`: {}", code.name(), code.about())).collect();
        json_schema!({"type": "string", "description": format!("What went wrong.\n{about}"), "enum": names})
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
    /// The field, query parameter or header it is about; absent if it is about the whole request.
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
    /// Which problem a request has, and what to do.
    pub enum DetailCode {
        /// The field, query parameter or header must be there, and must not be null. Send it; in a PATCH, leave a field
        /// out to keep its value.
        Required => "REQUIRED",
        /// The value has another JSON type, or is no whole number in plain digits. Send the type that the message
        /// names.
        WrongType => "WRONG_TYPE",
        /// The number, the time, or the length of the query parameter is outside its range. Keep to the range in the
        /// message.
        OutOfRange => "OUT_OF_RANGE",
        /// The text has fewer characters than it must have. The message has the least.
        TooShort => "TOO_SHORT",
        /// The text has more characters than it may have. Shorten it to the number in the message.
        TooLong => "TOO_LONG",
        /// The value takes more bytes than it may take. Shorten it to the number in the message.
        TooLarge => "TOO_LARGE",
        /// The list has fewer items than it must have. Add some.
        TooFew => "TOO_FEW",
        /// The list or object has more items than it may have. Send fewer, or split the request.
        TooMany => "TOO_MANY",
        /// The text has no visible character. Send one that shows something.
        Blank => "BLANK",
        /// The query parameter has no value. Give it one, or leave it out.
        Empty => "EMPTY",
        /// The text has a character that it must not have: U+0000, in one line also control and direction characters,
        /// white space in an address. Remove or escape it.
        InvalidCharacter => "INVALID_CHARACTER",
        /// The query parameter is not percent-encoded UTF-8. Encode it with the function of your language.
        InvalidEncoding => "INVALID_ENCODING",
        /// The text is not of the form that its field has (a time, an address, a cursor), or repeats the path of an
        /// earlier item. The message says the form; a cursor goes back unchanged, with the same filters.
        InvalidFormat => "INVALID_FORMAT",
        /// A key of a flat object is empty, longer than 100 characters, or has control characters. Rename it.
        InvalidKey => "INVALID_KEY",
        /// The text is no origin as browsers write it (`https://shop.example`, without a path), is there twice, or the
        /// operator does not allow it. Correct or remove it.
        InvalidOrigin => "INVALID_ORIGIN",
        /// The path is no path of a wiki entry. The message says the form.
        InvalidPath => "INVALID_PATH",
        /// The secret begins as one in base64, and is not `whsec_` with strict base64 of 24 to 64 bytes. Make a new one
        /// of that form.
        InvalidSecret => "INVALID_SECRET",
        /// The text is no name of a time zone of the IANA. Send one such as `Europe/Berlin`.
        InvalidTimezone => "INVALID_TIMEZONE",
        /// The text is no `https` address, or no template of one with exactly one `{path}` after the host. The message
        /// says which part is wrong.
        InvalidUrl => "INVALID_URL",
        /// The value is none of those that are allowed here or to this caller. The message says which are.
        NotAllowed => "NOT_ALLOWED",
        /// A value of a flat object is null, a list or an object. Send a string, a number, true or false.
        NotFlat => "NOT_FLAT",
        /// The query parameter is given more than once. Give it once.
        Duplicate => "DUPLICATE",
        /// Two fields or query parameters exclude each other. Send one of them.
        Conflict => "CONFLICT",
        /// Exactly one of several fields must be given. The message names them.
        ExactlyOne => "EXACTLY_ONE",
        /// The change names none of the fields that can be changed. The message names them.
        NothingToChange => "NOTHING_TO_CHANGE",
        /// The range ends before it begins, or another one of the day lies across it. Split one across midnight at
        /// 24:00, and join those that overlap.
        InvalidRange => "INVALID_RANGE",
        /// The operation does not take this query parameter. Check its name, or remove it.
        UnknownParameter => "UNKNOWN_PARAMETER",
        /// The object has a closed list of names, and this is none of them. Check its name, or remove it.
        UnknownField => "UNKNOWN_FIELD",
        /// The text names a variable that does not exist. The message names those that do.
        UnknownVariable => "UNKNOWN_VARIABLE",
        /// The time must be in the future. Send a later one, and check the clock and the zone.
        InThePast => "IN_THE_PAST",
        /// The time must not be in the future. Send an earlier one, and check the clock and the zone.
        InTheFuture => "IN_THE_FUTURE",
        /// The id is of no turn of this session. Read the messages from the beginning.
        UnknownMessage => "UNKNOWN_MESSAGE",
        /// The session belongs to another visitor. Leave `externalUserId` out, or name that visitor.
        OtherVisitor => "OTHER_VISITOR",
        /// Nobody waits in the inbox. Ask again later.
        QueueEmpty => "QUEUE_EMPTY",
        /// The entry moved on; the message is its present version and nothing else: of the entry, of its deletion, or 0
        /// if the path never held anything. Read the entry, decide, and name that version.
        CurrentVersion => "CURRENT_VERSION",
        /// The customer wrote after `lastSeenMessageId`. Read that, and repeat with its id.
        NewerMessage => "NEWER_MESSAGE",
        /// Another receiver has this address. Change or delete that one.
        DuplicateUrl => "DUPLICATE_URL",
        /// Another saved reply of the same scope has this shortcut. Choose another, or change that reply.
        DuplicateShortcut => "DUPLICATE_SHORTCUT",
        /// There are as many open drafts as there may be. Publish or discard one.
        TooManyDrafts => "TOO_MANY_DRAFTS",
        /// There are as many API keys of the mode as there may be, expired ones included. Delete one.
        TooManyApiKeys => "TOO_MANY_API_KEYS",
        /// There are as many pinned questions as there may be. Delete one.
        TooManyPins => "TOO_MANY_PINS",
/// There are as many pages with a schedule as there may be. End the schedule of one.
        TooManyScheduledPages => "TOO_MANY_SCHEDULED_PAGES",
        /// There are as many saved replies of the scope as there may be. Delete one.
        TooManyReplies => "TOO_MANY_REPLIES",
        /// The tenant has as many receivers as it may have. Delete one.
        TooManyWebhooks => "TOO_MANY_WEBHOOKS",
        /// The tenant must keep a live admin key, and one that does not expire. Make another first.
        LastAdminKey => "LAST_ADMIN_KEY",
        /// The tenant must keep an active admin among its members. Make another member one first, or use an admin key,
        /// which may leave none.
        LastAdminMember => "LAST_ADMIN_MEMBER",
        /// Another member of the tenant has the address, or is the person. Change that member.
        MemberExists => "MEMBER_EXISTS",
        /// The message is the e-mail address of the account that the provider signed in, and nothing else. Sign in with
        /// the invited account.
        SignedInAs => "SIGNED_IN_AS",
        /// The tenant has as many members as it may have. Remove one.
        TooManyMembers => "TOO_MANY_MEMBERS",
        /// The caller has none of the roles that the operation needs. Use a key or member of a role that the message
        /// names.
        RequiredRole => "REQUIRED_ROLE",
        /// The operation needs a live key. Use one, of the role that the operation names.
        RequiredMode => "REQUIRED_MODE",
        /// The widget token or the member's sign-in does not reach so far: another visitor, session or agent, or a
        /// field that only API keys set. The message says which.
        TokenScope => "TOKEN_SCOPE",
        /// The operator suspended the tenant. Only the operator can resume it.
        TenantSuspended => "TENANT_SUSPENDED",
        /// The tenant's `widgetOrigins` do not name the origin of the request, or only the desk may send it. Add the
        /// origin, or call from your server.
        OriginNotAllowed => "ORIGIN_NOT_ALLOWED",
        /// The message names the limit that is used up. Wait for `Retry-After`.
        RateLimit => "RATE_LIMIT",
    }
}
