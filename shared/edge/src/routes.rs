//! A function's routes: handlers by method and path.

use axum::Router;
use axum::middleware::from_fn_with_state;

use axum::extract::FromRef;

use super::edge::{Edge, request_middleware};
use crate::auth::Authenticator;
use crate::{ApiError, Endpoint};
use domain::Error;

/// The routes of a function. `S` is the state that its handlers still lack.
#[derive(Debug, Clone)]
pub struct Routes<S = ()> {
    router: Router<S>,
    /// Knows who calls a path that there is not; as soon as there is a state.
    authenticator: Option<Authenticator>,
}

impl<S: Clone + Send + Sync + 'static> Default for Routes<S> {
    fn default() -> Self {
        Self { router: Router::new(), authenticator: None }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// Adds an endpoint, whose handler answers its method alone.
    #[must_use]
    pub fn endpoint<E: Endpoint<State = S>>(self) -> Self {
        Self { router: self.router.route(E::PATH, E::router()), ..self }
    }

    /// Hands the handlers what they need.
    #[must_use]
    pub fn with_state(self, state: S) -> Routes
    where
        Authenticator: FromRef<S>,
    {
        let authenticator = Some(Authenticator::from_ref(&state));
        Routes { router: self.router.with_state(state), authenticator }
    }
}

/// All `routes` as one service behind the edge: request id, method and path checked against the route list, CORS, the
/// deadline, and one shape for every error.
pub fn service(edge: Edge, routes: Vec<Routes>) -> Router {
    // The rate limits that a process knows belong to the table's client, so any function's authenticator counts alike.
    let authenticator = routes.iter().find_map(|routes| routes.authenticator.clone());
    let inner = routes.into_iter().fold(Router::new(), |all, routes| all.merge(routes.router));
    inner
        .fallback(|| async { ApiError(Error::not_found("resource")) })
        .layer(from_fn_with_state((edge, authenticator), request_middleware))
}
