//! The pages beside the API: the widget, the documents, and the demo shop at `/`, which is a page under a strict policy with
//! the chat in its corner, and the token route that a company's server would have.
//!
//! The route names the visitor by a cookie that it sets itself, which no script reads, and nothing of the request's body.
//! The page holds no key.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use domain::clock::Runtime;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower::ServiceExt;
use tower_http::compression::CompressionLayer;

use crate::pages::{self, HTML, JAVASCRIPT, escaped, with_policy};
use crate::tenants::DemoKeys;

const PAGE: &str = include_str!("../demo/shop.html");
const SCRIPT: &str = include_str!("../demo/shop.js");
/// Scripts and requests of this origin alone, and images of entries: no style, no frame, and no text that becomes markup.
/// Only the page that shows shop and desk side by side may show it in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src https:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors {{PAGE}}; require-trusted-types-for 'script'; trusted-types 'none'";
const COOKIE: &str = "demo_visitor";

/// `api` with the pages of its port beside it. Files are compressed for whoever takes it; what the API answers is sent as it
/// is.
pub(crate) fn beside(api: Router, shop: Option<Shop>) -> Router {
    let pages = pages::widget().merge(pages::api_docs()).merge(pages::documents()).layer(CompressionLayer::new());
    let pages = match shop {
        Some(shop) => pages.merge(shop.router()),
        None => pages,
    };
    pages.fallback_service(api)
}

/// The shop, with the API whose tokens it hands out.
#[derive(Clone)]
pub(crate) struct Shop {
    page: Arc<str>,
    policy: Arc<str>,
    key: Arc<str>,
    runtime: Runtime,
    api: Router,
}

impl Shop {
    /// The shop of the demo tenant, which shows where `demo.env` is, and `desk`, the origin whose page may frame it.
    pub(crate) fn new(keys: &DemoKeys, demo_env: &Path, desk: &str, runtime: &Runtime, api: Router) -> Self {
        let demo_env = std::path::absolute(demo_env).unwrap_or_else(|_| demo_env.to_owned());
        let quoted = format!("'{}'", demo_env.display().to_string().replace('\'', r"'\''"));
        let page = PAGE.replace("{{WIDGET}}", &pages::widget_element()).replace("{{DEMO_ENV}}", &escaped(&quoted));
        let policy = POLICY.replace("{{PAGE}}", desk);
        Self { page: page.into(), policy: policy.into(), key: keys.live().into(), runtime: runtime.clone(), api }
    }

    fn router(self) -> Router {
        Router::new()
            .route("/", get(page))
            .route("/demo/shop.js", get(script))
            .layer(CompressionLayer::new())
            .route("/demo/token", post(token))
            .with_state(self)
    }
}

async fn page(State(shop): State<Shop>) -> Response {
    with_policy(&shop.policy, HTML, "no-store", shop.page.to_string())
}

async fn script(State(shop): State<Shop>) -> Response {
    with_policy(&shop.policy, JAVASCRIPT, "no-store", SCRIPT)
}

/// A widget token for the visitor of the cookie, who is made if there is none.
async fn token(State(shop): State<Shop>, headers: HeaderMap) -> Response {
    if !is_same_origin(&headers) {
        return (StatusCode::FORBIDDEN, "This route is for the shop's own page.\n").into_response();
    }
    let visitor = match visitor(&headers) {
        Some(visitor) => visitor.to_owned(),
        None => match shop.runtime.token() {
            Ok(random) => format!("demo_{random}"),
            Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
    };
    let request = Request::post("/api/v1/auth/widget-token")
        .header(header::AUTHORIZATION, format!("Bearer {}", shop.key))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(format!(r#"{{"externalUserId":"{visitor}"}}"#)));
    let Ok(request) = request else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let Ok(mut response) = shop.api.oneshot(request).await;
    let cookie = format!("{COOKIE}={visitor}; HttpOnly; SameSite=Strict; Path=/demo; Max-Age=31536000");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Whether the shop's page sent the request: browsers name the origin of every POST.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(header::ORIGIN), text(header::HOST)) else { return false };
    origin.strip_prefix("http://") == Some(host)
}

/// The visitor in the cookie that this route set.
fn visitor(headers: &HeaderMap) -> Option<&str> {
    let value = std::str::from_utf8(support::edge::cookies(headers, COOKIE).next()?).ok()?;
    let is_sound = |text: &str| text.len() <= 64 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    Some(value).filter(|value| value.starts_with("demo_") && is_sound(value))
}
