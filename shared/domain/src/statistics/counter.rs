//! The counters of a tenant's day.

use text::wire_enum;

wire_enum! {
    /// One counter of a tenant's day; the names are those of the stored attributes.
    pub enum Counter {
        /// Sessions created.
        Sessions => "totalSessions",
        /// Of these, those with a customer message that is more than small talk.
        SessionsWithMessage => "sessionsWithMessage",
        /// Of those with a customer message, those for which a human was ever asked.
        SessionsEscalated => "sessionsEscalated",
        /// AI turns, without those that answer small talk.
        Answers => "aiAnswers",
        /// Customer messages that the AI dealt with.
        Queries => "totalQueries",
        /// Of these, those that show a gap of the wiki.
        Unanswered => "unansweredQueries",
        /// Milliseconds from receipt to answer, added up.
        LatencyMs => "latencyMsSum",
        /// AI turns whose latency was taken.
        Timed => "timedAnswers",
        /// AI turns with `thumbs_up`.
        ThumbsUp => "thumbsUp",
        /// AI turns with `thumbs_down`.
        ThumbsDown => "thumbsDown",
        /// AI turns with `flag`.
        Flagged => "flaggedAnswers",
        /// Requests for a human that an agent resolved or handed back.
        Handled => "handledEscalations",
        /// Milliseconds from claim to that, added up.
        HandleMs => "handleMsSum",
        /// Requests for a human that an agent answered.
        FirstResponses => "firstResponses",
        /// Milliseconds from the request to the first answer, added up.
        FirstResponseMs => "firstResponseMsSum",
        /// Requests for a human that are rated.
        Ratings => "ratings",
        /// Their scores, added up.
        RatingSum => "ratingSum",
    }
}
