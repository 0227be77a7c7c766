//! The port of the desk: the page at `/` that shows shop and desk side by side, the desk itself, and the demo's OpenID
//! provider. The API and the chat's files are on this port too, so that the desk's requests stay with its own origin.
//!
//! The port is another origin than the shop's and the same site, so the cookies of both, which are `SameSite=Strict`,
//! work in the frames of the page.

use std::sync::Arc;

use aws::config::Config;
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use domain::clock::Runtime;
use http::header;
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;

use crate::config::desk_provider;
use crate::data_dir::DataDir;
use crate::demo_provider::{CLIENT_ID, DemoProvider, issuer_at};
use crate::keys::DemoKey;
use crate::pages::{self, CSS, DESK_PATH, HTML, JAVASCRIPT, escaped, with_policy};
use crate::resources::Resources;
use crate::server::{OwnHosts, Server, listen};
use crate::{Issuer, Options, StartError, demo_people, demo_provider};

/// A port that is taken, on which nothing is served yet.
pub(crate) struct DeskPort {
    listener: TcpListener,
    hosts: OwnHosts,
    /// The origin of the desk, such as `http://127.0.0.1:9001`.
    pub(crate) origin: String,
    /// None for the demo's provider.
    issuer: Option<Issuer>,
}

/// The running server of the desk.
pub(crate) struct DeskServer {
    pub(crate) server: Server,
    /// The address to open.
    pub(crate) url: String,
}

impl DeskPort {
    /// Takes the port behind that of the API; none if nobody can sign in, or if the API is elsewhere.
    pub(crate) async fn take(options: &Options, runtime: &Runtime) -> Result<Option<Self>, StartError> {
        if options.functions_url.is_some() || !(options.demo || options.issuer.is_some()) {
            return Ok(None);
        }
        let port = if options.port == 0 { 0 } else { options.port.checked_add(1).unwrap_or(0) };
        let listener = listen(port, "--port").await?;
        let socket = listener.local_addr().map_err(|source| StartError::Listen { port, source })?;
        let hosts = OwnHosts::new(socket.port(), &options.allow_hosts, runtime);
        Ok(Some(Self { listener, hosts, origin: format!("http://{socket}"), issuer: options.issuer.clone() }))
    }

    /// Names the desk and its provider to the functions.
    pub(crate) fn set_in(&self, config: &mut Config) -> Result<(), StartError> {
        let (issuer, client_id) = match &self.issuer {
            Some(issuer) => (issuer.url.clone(), issuer.client_id.clone()),
            None => (issuer_at(&self.origin), CLIENT_ID.to_owned()),
        };
        config.desk_url = Some(desk_url(&self.origin));
        config.desk_provider = Some(desk_provider(issuer, client_id)?);
        Ok(())
    }

    /// Makes sure that the people of the demo's provider are members of the demo tenant.
    pub(crate) async fn prepare_people(&self, resources: &Resources) -> Result<(), StartError> {
        if self.issuer.is_some() {
            return Ok(());
        }
        let prepared = demo_people::prepare(resources, &issuer_at(&self.origin)).await;
        prepared.map_err(StartError::while_doing("making the members of the demo tenant"))
    }

    /// Serves the desk beside `api`; `shop` is the shop's address, if there is one.
    pub(crate) fn serve(
        self,
        api: Router,
        shop: Option<String>,
        data: &DataDir,
        runtime: &Runtime,
    ) -> Result<DeskServer, StartError> {
        let Self { listener, hosts, origin, issuer } = self;
        let provider = match issuer {
            Some(_) => None,
            None => {
                let key = DemoKey::read_or_create(&data.demo_provider_key())?;
                let provider = DemoProvider::new(&origin, &desk_url(&origin), key, runtime);
                Some(provider.map_err(StartError::while_doing("making the secrets of the demo's provider"))?)
            }
        };
        let fragment = provider.as_ref().map(|provider| format!("#{}", provider.secret)).unwrap_or_default();
        let url = format!("{origin}/{fragment}");
        let pages = SideBySide::new(shop)
            .router()
            .merge(pages::desk())
            .merge(pages::documents())
            // The desk shows the chat as it is on a site.
            .merge(pages::widget())
            .layer(CompressionLayer::new())
            .merge(provider.map(demo_provider::router).unwrap_or_default())
            .layer(middleware::from_fn_with_state(Arc::from(origin), lead_to_origin))
            .fallback_service(api);
        let server = Server::start(listener, pages, hosts);
        Ok(DeskServer { server, url })
    }
}

const PAGE: &str = include_str!("../demo/side-by-side.html");
const SCRIPT: &str = include_str!("../demo/side-by-side.js");
const STYLE: &str = include_str!("../demo/side-by-side.css");

/// The address of the desk at `origin`.
fn desk_url(origin: &str) -> String {
    format!("{origin}{DESK_PATH}")
}

/// The page that shows both; without a shop's address the desk alone.
struct SideBySide {
    shop: Option<String>,
    /// Two frames, and one script and one style of this origin.
    policy: String,
}

impl SideBySide {
    fn new(shop: Option<String>) -> Self {
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
             frame-src 'self' {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
            shop.as_deref().unwrap_or_default()
        );
        Self { shop, policy }
    }

    fn router(self) -> Router {
        Router::new()
            .route("/", get(page))
            .route("/demo/side-by-side.js", get(script))
            .route("/demo/side-by-side.css", get(style))
            .with_state(Arc::new(self))
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

async fn page(State(page): State<Arc<SideBySide>>) -> Response {
    let Some(shop) = &page.shop else { return Redirect::temporary(DESK_PATH).into_response() };
    let html = PAGE.replace("{{SHOP}}", &escaped(shop)).replace("{{DESK}}", DESK_PATH);
    with_policy(&page.policy, HTML, "no-store", html)
}

async fn script(State(page): State<Arc<SideBySide>>) -> Response {
    with_policy(&page.policy, JAVASCRIPT, "no-store", SCRIPT)
}

async fn style(State(page): State<Arc<SideBySide>>) -> Response {
    with_policy(&page.policy, CSS, "no-store", STYLE)
}
