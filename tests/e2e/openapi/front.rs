//! The beginning of the document: what the API is, and its operations by subject, in the order of use.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use support::edge::describe::Operation;

/// The description of the API, in Markdown. A line is a paragraph, a heading or an item of a list.
const DESCRIPTION: &str = "\
Answers customers' questions from a company's own wiki, and hands the conversation to a person where the wiki has no answer. \
Each answer names the entries that it comes from and says how sure it is.

A first answer takes two calls. `POST /sessions` opens a conversation, and `POST /sessions/{id}/messages` sends a question \
and returns the answer. `POST /wiki` writes what answers come from. Who waits for a person is in `GET /inbox`.

## Who is calling

Every call but those of signing in, `GET /health` and `GET /openapi.json` has `Authorization: Bearer` and one of these:

- an API key (`pk_live_…` or `pk_test_…`), for servers alone. Its role says what it may do.
- a chat token from `POST /auth/widget-token`, for the browser of one visitor. It reaches this visitor's conversations.
- a desk token from `POST /auth/desk-token`, for a member of the team who signed in to the desk.

What a caller may not see is 404, like what does not exist.

## Live and test

A key is of one mode, and so is all that it makes and reads: entries, conversations, settings, webhooks and figures of test \
mode are others than those of live. Members belong to both.

## Sending a request again

A POST with an `Idempotency-Key` can be sent again for 24 hours, and gets the first answer with `Idempotency-Replayed: true`. \
Use a new key for each request that is to do something. A message can carry a `clientMessageId` in its body instead.

## Errors

Every error has one shape: `error` is a code, `message` says it in words, `requestId` names the request in the logs. Where \
fields are wrong, `details` lists every problem at once, each with its field and a code. Decide by codes, and never by words. \
After 429 and 503, wait as long as `Retry-After` says.

## Lists

Most lists answer `items`, `hasMore` and `nextCursor`. Send `nextCursor` as `cursor` for the next page, with the same filters; \
`limit` is at most 100. A page may be empty while `hasMore` is true. Lists of entries and of unanswered questions take `page` \
instead, and count what there is.

## Versions

Every address begins with `/api/v1`. New fields, endpoints, kinds of events and words of an enum can come at any time: ignore \
what you do not know. In answers a named enum is `anyOf` its known words and any string. Fields of a request that the service \
does not know are ignored. Times are RFC 3339 in UTC with milliseconds. Every GET answers HEAD, too.";

/// A subject: its name, what it is about, and the beginnings of its paths.
type Subject = (&'static str, &'static str, &'static [&'static str]);

/// In the order of use. An operation belongs to the subject that has the longest beginning of its path.
static SUBJECTS: [Subject; 11] = [
    (
        "sessions",
        "Conversations with customers: open one, find it again, ask for a person, rate, erase.",
        &["/sessions"],
    ),
    (
        "messages",
        "What is said in a conversation: ask, read, react to an answer.",
        &["/sessions/{id}/messages", "/sessions/{id}/reaction"],
    ),
    (
        "inbox",
        "Customers who wait for a person: take one, write, hand over, resolve.",
        &["/inbox", "/sessions/{id}/takeover", "/sessions/{id}/notes"],
    ),
    ("replies", "Replies that a team keeps to use again.", &["/saved-replies"]),
    (
        "wiki",
        "The entries that answers come from, and what is about to become one.",
        &["/wiki", "/wiki-revisions", "/wiki-answers", "/drafts", "/dry-runs", "/pins"],
    ),
    ("ingest", "Entries made of pages and texts.", &["/ingest"]),
    ("analytics", "Figures, and the questions that the wiki does not answer.", &["/analytics"]),
    ("webhooks", "Events that are sent to a company's own servers.", &["/webhooks"]),
    ("settings", "Settings, API keys, and who changed what.", &["/settings", "/api-keys", "/audit"]),
    ("members", "People of the team, their sign-in, and tokens for the chat.", &["/members", "/auth"]),
    ("health", "Whether the service works, and this document.", &["/health", "/openapi.json"]),
];

pub(super) fn info() -> Value {
    json!({
        "title": "Support Assistant Service",
        "version": "1",
        "summary": "Answers customers from a company's own wiki, and hands over to people when it cannot.",
        "description": DESCRIPTION,
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    })
}

/// How much of the beginning of `path` is the subject's; none if it has another.
fn length(subject: &Subject, path: &str) -> Option<usize> {
    let beginnings = subject.2.iter().filter(|beginning| path.starts_with(**beginning));
    beginnings.map(|beginning| beginning.len()).max()
}

/// The subject of an operation.
pub(super) fn tag_of(operation: &Operation) -> &'static str {
    let path = super::path_of(operation);
    let subjects = SUBJECTS.iter().filter(|subject| length(subject, &path).is_some());
    let longest = subjects.max_by_key(|subject| length(subject, &path));
    longest.unwrap_or_else(|| panic!("{path} has no subject: add one to SUBJECTS")).0
}

/// The subjects that have operations, in their order.
pub(super) fn tags(operations: &[Operation]) -> Vec<Value> {
    let used: BTreeSet<_> = operations.iter().map(tag_of).collect();
    let subjects = SUBJECTS.iter().filter(|(name, ..)| used.contains(name));
    subjects.map(|(name, about, _)| json!({"name": name, "description": about})).collect()
}
