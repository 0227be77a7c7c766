//! The port of the desk: the page at `/` that shows shop and desk side by side, the desk itself, and the demo's OpenID
//! provider. The API and the chat's files are on this port too, so that the desk's requests stay with its own origin.
//!
//! The port is another origin than the shop's and the same site, so the cookies of both, which are `SameSite=Strict`,
//! work in the frames of the page.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::{HeaderValue, StatusCode, header};
use tower_http::compression::CompressionLayer;

use super::{desk, documents, widget};
use crate::demo_provider::{self, DemoProvider};
use crate::html::escaped;

const PAGE: &str = include_str!("../../demo/side-by-side.html");
const SCRIPT: &str = include_str!("../../demo/side-by-side.js");
const STYLE: &str = include_str!("../../demo/side-by-side.css");
/// Where the desk lies ([`desk::router`]).
const DESK_PATH: &str = "/desk/";

/// The pages that the port of the desk serves beside the API.
#[derive(Clone)]
pub(crate) struct DeskPages {
    /// The port's origin, such as `http://127.0.0.1:9001`.
    pub(crate) origin: String,
    /// The shop's address, if there is one.
    pub(crate) shop: Option<String>,
    /// The demo's provider; none if the operator names another.
    pub(crate) provider: Option<DemoProvider>,
}

impl DeskPages {
    /// The address of the desk.
    pub(crate) fn desk_url(origin: &str) -> String {
        format!("{origin}{DESK_PATH}")
    }

    /// `api` with the pages beside it.
    pub(crate) fn beside(self, api: Router) -> Router {
        let provider = self.provider.clone().map(demo_provider::router).unwrap_or_default();
        let origin: Arc<str> = self.origin.as_str().into();
        Router::new()
            .route("/", get(page))
            .route("/demo/side-by-side.js", get(script))
            .route("/demo/side-by-side.css", get(style))
            .with_state(Arc::new(self))
            .merge(desk::router())
            .merge(documents::router())
            // The desk shows the chat as it is on a site.
            .merge(widget::router())
            .layer(CompressionLayer::new())
            .merge(provider)
            .layer(middleware::from_fn_with_state(origin, lead_to_origin))
            .fallback_service(api)
    }

    /// Two frames, and one script and one style of this origin.
    fn policy(&self) -> String {
        let shop = self.shop.as_deref().unwrap_or_default();
        format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
             frame-src 'self' {shop}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'"
        )
    }
}

/// Sends a browser that calls this port by another name of this machine on: cookies, frames and the provider know one
/// origin. The fragment of its address goes along by itself.
async fn lead_to_origin(State(origin): State<Arc<str>>, request: Request, next: Next) -> Response {
    let host = origin.strip_prefix("http://").unwrap_or_default();
    if request.headers().get(header::HOST).is_some_and(|named| named == host) {
        return next.run(request).await;
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    Redirect::temporary(&format!("{origin}{path}")).into_response()
}

/// Shop and desk side by side; the desk alone if there is no shop.
async fn page(State(pages): State<Arc<DeskPages>>) -> Response {
    let Some(shop) = &pages.shop else { return Redirect::temporary(DESK_PATH).into_response() };
    let page = PAGE.replace("{{SHOP}}", &escaped(shop)).replace("{{DESK}}", DESK_PATH);
    with_headers(&pages, "text/html; charset=utf-8", page)
}

async fn script(State(pages): State<Arc<DeskPages>>) -> Response {
    with_headers(&pages, "text/javascript; charset=utf-8", SCRIPT)
}

async fn style(State(pages): State<Arc<DeskPages>>) -> Response {
    with_headers(&pages, "text/css; charset=utf-8", STYLE)
}

fn with_headers(pages: &DeskPages, content_type: &'static str, body: impl Into<Body>) -> Response {
    let Ok(policy) = HeaderValue::try_from(pages.policy()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (headers, body.into()).into_response()
}
