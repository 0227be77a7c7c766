//! A function's routes: handlers by method and path, and a plain list of them for tests.

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::MethodRouter;

use axum::extract::FromRef;

use super::edge::{Edge, request_middleware};
use crate::auth::Authenticator;
use crate::{ApiError, Endpoint};
use domain::Error;

/// What a function serves. `S` is the state that its handlers still lack.
#[derive(Debug, Clone)]
pub struct Routes<S = ()> {
    /// The function's name, as in the route list.
    pub function: &'static str,
    /// Method and path of every route, in the order they were added.
    pub listed: Vec<(&'static str, &'static str)>,
    router: Router<S>,
    /// Knows who calls a path that there is not; as soon as there is a state.
    authenticator: Option<Authenticator>,
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// No routes yet.
    #[must_use]
    pub fn new(function: &'static str) -> Self {
        Self { function, listed: Vec::new(), router: Router::new(), authenticator: None }
    }

    /// Adds a route; `handler` answers `method` alone.
    #[must_use]
    pub fn route(mut self, method: &'static str, path: &'static str, handler: MethodRouter<S>) -> Self {
        self.listed.push((method, path));
        self.router = self.router.route(path, handler);
        self
    }

    /// Adds an endpoint.
    #[must_use]
    pub fn endpoint<E: Endpoint<State = S>>(self) -> Self {
        self.route(E::METHOD, E::PATH, E::router())
    }

    /// Hands the handlers what they need.
    #[must_use]
    pub fn with_state(self, state: S) -> Routes
    where
        Authenticator: FromRef<S>,
    {
        let authenticator = Some(Authenticator::from_ref(&state));
        Routes { function: self.function, listed: self.listed, router: self.router.with_state(state), authenticator }
    }
}

/// All `routes` as one service behind the edge: request id, method and path checked against the route list, CORS, the
/// deadline, and one shape for every error.
pub fn service(edge: Edge, routes: Vec<Routes>) -> Router {
    // What a process knows of rate limits belongs to the table's client, so any function's authenticator counts alike.
    let authenticator = routes.iter().find_map(|routes| routes.authenticator.clone());
    let inner = routes.into_iter().fold(Router::new(), |all, routes| all.merge(routes.router));
    inner
        .fallback(|| async { ApiError(Error::not_found("resource")) })
        .layer(from_fn_with_state((edge, authenticator), request_middleware))
}
