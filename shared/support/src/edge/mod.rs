//! The HTTP edge: extractors that are the access rules, strict parsing of bodies, queries and paths, one shape for
//! every error, CORS, request ids, and the route list.
//!
//! `functions` has the routes of each function; [`service`] wraps them. A handler gets the parts of its function, the
//! [`App`], takes its caller
//! ([`SessionCaller`], [`WikiWriter`], …: the argument is the access rule), then [`PathIn`], [`QueryIn`] and
//! [`JsonIn`], whose types parse themselves and report every problem at once. It returns [`Json`], [`Created`] or
//! [`NoContent`].

pub mod allowance;
mod app;
pub mod auth;
mod body;
mod callers;
mod conditional;
mod cors;
pub mod cursor;
pub mod describe;
mod endpoint;
mod idempotency;
pub mod input;
mod meta;
mod path;
pub mod query;
mod rate_limit;
mod respond;
pub mod route_list;
mod service;
mod strict_json;
pub mod table;
pub mod telemetry;

pub use crate::edge::app::{App, ClientProvider, Parts, openid_provider};
pub use crate::edge::service::{refuse, service};
pub use axum::{Json, Router};
pub(crate) use body::from_object;
pub use body::{BODY_LIMIT_BYTES, FromFields, JsonIn, NoBody, OptionalJsonIn};
pub use callers::{
    Administrator, AllowanceIn, AnalyticsReader, GapEditor, HealthCaller, InboxAgent, Ingester, KeyManager,
    KnowledgeReader, MaybeBearer, MemberAdder, MemberManager, MemberVisitor, NoQuery, NoteWriter, Proposer, ReplyUser,
    SessionCaller, SessionEditor, SessionEraser, SessionLister, SessionRater, TokenIssuer, WebhookEditor,
    WebhookManager, WikiReader, WikiWriter, lacks, require_itself_or_admin, require_live_key, require_recent_sign_in,
};
pub use conditional::{Conditional, IfMatch, IfNoneMatch, PutConditions, etag};
pub use cors::{check_desk_origin, require_desk_origin};
pub use cursor::{CursorPageOut, PageOut};
pub use domain::access::Principal;
pub(crate) use endpoint::endpoint;
pub use endpoint::{Endpoint, declared};
pub use idempotency::{IdempotencyKey, OnceIn};
pub(crate) use input::body;
pub use meta::{PeerAddress, RequestMeta, SourceAddress, Waiting, cookies};
pub use path::{FromPath, PathIn, PathPairIn};
pub(crate) use query::query;
pub use query::{FromQuery, QueryIn};
pub use respond::{
    Accepted, AcceptedAt, ApiError, ApiResult, Created, ErrorOut, NoContent, Put, Replayed, ServiceDown, Tagged,
    WithCookie,
};
pub use route_list::RateClass;
pub use schemars;
pub use serde_json::{self, json};
