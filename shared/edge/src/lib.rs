//! The HTTP edge: extractors that are the access rules, strict parsing of bodies, queries and paths, one shape for
//! every error, CORS, request ids, and the route list.
//!
//! A function builds [`Routes`] from its handlers; [`service`] wraps them. A handler takes its caller
//! ([`SessionCaller`], [`WikiWriter`], …: the argument is the access rule), then [`PathIn`], [`QueryIn`] and
//! [`JsonIn`], whose types parse themselves and report every problem at once. It returns [`Json`], [`Created`] or
//! [`NoContent`].

pub mod allowance;
mod api_error;
pub mod auth;
mod body;
mod callers;
mod clients;
mod cookies;
mod cors;
pub mod cursor;
mod cursor_input;
pub mod describe;
mod edge;
mod endpoint;
mod exact_numbers;
mod if_match;
mod if_none_match;
pub mod input;
mod member_rules;
mod meta;
pub mod metrics;
mod once;
mod page;
mod path;
pub mod query;
mod rate_class;
mod rate_limit;
mod respond;
pub mod route_list;
mod routes;
mod source_address;
mod strict_json;
pub mod telemetry;
mod waiting;

pub use self::page::{CursorPageOut, PageOut};
pub use api_error::{ApiError, ApiResult};
#[doc(hidden)]
pub use axum;
pub use axum::Json;
pub use body::{BODY_LIMIT_BYTES, FromFields, JsonIn, NoBody, OptionalJsonIn};
pub use callers::{
    Administrator, AllowanceIn, AnalyticsReader, GapEditor, HealthCaller, InboxAgent, Ingester, KeyManager,
    KnowledgeReader, MaybeBearer, MemberAdder, MemberManager, MemberVisitor, NoQuery, NoteWriter, Proposer, ReplyUser,
    SessionCaller, SessionEditor, SessionEraser, SessionLister, SessionRater, TokenIssuer, WebhookEditor,
    WebhookManager, WikiReader, WikiWriter, lacks,
};
pub use clients::{ClientProvider, answer_engine, openid_provider, ranking_engine};
pub use cookies::cookies;
pub use cors::{check_desk_origin, require_desk_origin};
#[doc(hidden)]
pub use domain::access::Principal;
pub use edge::{Edge, refuse};
pub use endpoint::{Endpoint, declared};
pub use if_match::{IfMatch, etag};
pub use if_none_match::{Conditional, IfNoneMatch};
pub use member_rules::{require_itself_or_admin, require_live_key, require_recent_sign_in};
pub use meta::{IdempotencyKey, RequestMeta};
pub use once::OnceIn;
pub use path::{FromPath, PathIn, PathPairIn};
pub use query::{FromQuery, QueryIn};
pub use rate_class::RateClass;
pub use respond::{Accepted, AcceptedAt, Created, ErrorOut, NoContent, Replayed, ServiceDown, Tagged, WithCookie};
pub use routes::{Routes, service};
#[doc(hidden)]
pub use schemars;
#[doc(hidden)]
pub use serde_json::{self, json};
pub use source_address::{PeerAddress, SourceAddress};
pub use waiting::Waiting;
