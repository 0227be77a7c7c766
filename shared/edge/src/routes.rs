//! A function's routes: handlers by method and path, and a plain list of them for tests.

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::MethodRouter;

use super::edge;
use crate::ApiError;
use app::Ctx;
use domain::Error;

/// What a function serves.
#[derive(Debug, Clone)]
pub struct Routes {
    /// The function's name, as in the route list.
    pub function: &'static str,
    /// Method and path of every route, in the order they were added.
    pub listed: Vec<(&'static str, &'static str)>,
    ctx: Ctx,
    router: Router<Ctx>,
}

impl Routes {
    /// No routes yet.
    #[must_use]
    pub fn new(function: &'static str, ctx: Ctx) -> Self {
        Self { function, listed: Vec::new(), ctx, router: Router::new() }
    }

    /// Adds a route; `handler` answers `method` alone.
    #[must_use]
    pub fn route(mut self, method: &'static str, path: &'static str, handler: MethodRouter<Ctx>) -> Self {
        self.listed.push((method, path));
        self.router = self.router.route(path, handler);
        self
    }

    /// The bare router, without the edge.
    pub fn router(self) -> Router {
        self.router.with_state(self.ctx)
    }
}

/// All `routes` as one service behind the edge: request id, method and path judged by the route list, CORS, the
/// deadline, and one shape for every error.
pub fn service(ctx: Ctx, routes: Vec<Routes>) -> Router {
    let inner = routes.into_iter().fold(Router::new(), |all, routes| all.merge(routes.router()));
    inner.fallback(|| async { ApiError(Error::not_found("resource")) }).layer(from_fn_with_state(ctx, edge::around))
}
