//! The class of a call for the rate limits. Each endpoint declares it.

/// The class of a call. A call takes tokens of its caller's quota; some calls take more of them, or count against a
/// smaller quota as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RateClass {
    /// One token.
    #[default]
    Call,
    /// Three tokens: a list, a search, a report, an export.
    List,
    /// Three tokens; one if a widget asks for the turns after the last one that it knows.
    Turns,
    /// One token. For a visitor, of the quota of messages if one is stored.
    Message,
    /// One token, and one of a visitor's quota of new sessions if one is made.
    NewSession,
    /// One token, and one of a visitor's quota of escalations if one is made.
    Escalation,
    /// One token, and one of a key's quota of widget tokens if one is made.
    WidgetToken,
    /// One token, and those of the caller's quota of dry runs that it costs.
    DryRun,
    /// One token, and one of a key's quota of ingest jobs.
    IngestJob,
    /// One token, and one of the quota of the member (`{id}` of the path) who is invited again.
    Invitation,
    /// One token, and one of the quota of the receiver (`{id}` of the path) that is sent to.
    WebhookSend,
}
