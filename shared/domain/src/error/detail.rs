//! One problem of a request, and the closed list of what a problem can be.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use text::wire_enum;

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
