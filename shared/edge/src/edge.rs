//! What every request passes: it gets an id, path and method are checked against the route list, the deadline applies,
//! errors get the one shape, responses get security headers, and one line is logged.
//!
//! A handler runs as a task of its own. A caller that disconnects, or a deadline that passes, ends the waiting and
//! never the handler between two of its writes.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, header};
use tracing::Instrument;

use super::cors;
use super::meta::{REQUEST_ID, Received};
use super::respond::{error_of, render};
use super::route_list::{RouteSpec, routes_of};
use crate::ApiError;
use app::Provider;
use domain::clock::Ambient;
use domain::error::{Code, Error};

/// Two years, as the preload lists ask for.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=63072000; includeSubDomains");

/// What the edge needs: the clock, and how long a request may take.
#[derive(Debug, Clone)]
pub struct Edge {
    ambient: Ambient,
    request_timeout: Duration,
}

impl Edge {
    /// Takes what it needs from `provider`.
    #[must_use]
    pub fn new(provider: &impl Provider) -> Self {
        let request_timeout = Duration::from_millis(provider.config().request_timeout_ms);
        Self { ambient: provider.ambient(), request_timeout }
    }
}

/// The route of a request, by the route list.
enum Way {
    Route(&'static RouteSpec),
    Preflight(Response),
    Nowhere(Error),
}

/// The layer around all routes.
pub(crate) async fn around(State(edge): State<Edge>, mut request: Request, next: Next) -> Response {
    let received = Received::of(request.headers(), &edge.ambient, edge.request_timeout);
    let origin = cors::origin_of(request.headers()).cloned();
    let way = way_of(request.method(), request.uri().path());
    let route = match &way {
        Way::Route(spec) => spec.path,
        _ => "-",
    };
    let method = request.method().clone();
    let span =
        tracing::info_span!("request", request.id = %received.request_id, http.method = %method, http.route = route);
    request.extensions_mut().insert(received.clone());
    async move {
        let raw = match way {
            Way::Preflight(response) => response,
            Way::Nowhere(error) => ApiError(error).into_response(),
            Way::Route(spec) => {
                request.extensions_mut().insert(spec);
                in_time(edge.request_timeout, next.run(request)).await
            }
        };
        let answer = finish(raw, &received, origin.as_ref());
        let answer = if method == Method::HEAD { head_of(answer) } else { answer };
        let ms = edge.ambient.now().millis_since(received.at);
        tracing::info!(http.status = answer.status().as_u16(), duration_ms = ms, "answered a request");
        answer
    }
    .instrument(span)
    .await
}

fn way_of(method: &Method, path: &str) -> Way {
    let routes = routes_of(path);
    if routes.is_empty() {
        return Way::Nowhere(Error::not_found("resource"));
    }
    // A handler of GET answers HEAD, too (RFC 9110, section 9.3.2).
    let wanted = if method == Method::HEAD { Method::GET } else { method.clone() };
    if let Some(spec) = routes.iter().find(|spec| spec.method == wanted.as_str()) {
        return Way::Route(spec);
    }
    if method == Method::OPTIONS
        && let Some(response) = cors::preflight(&routes)
    {
        return Way::Preflight(response);
    }
    let refused = Error::new(Code::MethodNotAllowed, "This method is not allowed for this path.");
    Way::Nowhere(refused.allow(cors::allowed_methods(&routes)))
}

/// The response of `work` within `limit`. The work itself runs to its end in any case.
async fn in_time(limit: Duration, work: impl Future<Output = Response> + Send + 'static) -> Response {
    let task = tokio::spawn(work.in_current_span());
    match tokio::time::timeout(limit, task).await {
        Ok(Ok(response)) => response,
        Ok(Err(lost)) => {
            ApiError(Error::internal(format!("the handler ended without an answer: {lost}"))).into_response()
        }
        Err(_) => ApiError(Error::unavailable("the request ran into its deadline")).into_response(),
    }
}

fn finish(response: Response, received: &Received, origin: Option<&HeaderValue>) -> Response {
    let error = error_of(&response);
    let mut answer = match &error {
        Some(error) => {
            log(error);
            render(error, &received.request_id)
        }
        None => response,
    };
    let headers = answer.headers_mut();
    protect(headers, &received.request_id);
    let foreign = error.as_deref().is_some_and(cors::is_foreign);
    if let Some(origin) = origin.filter(|_| !foreign) {
        cors::expose(headers, origin);
    }
    answer
}

/// The response without its body, with the body's length.
fn head_of(answer: Response) -> Response {
    let (mut parts, body) = answer.into_parts();
    if let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
        parts.headers.entry(header::CONTENT_LENGTH).or_insert(length.into());
    }
    Response::from_parts(parts, Body::empty())
}

fn protect(headers: &mut HeaderMap, request_id: &Arc<str>) {
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
}

/// Once, here: our failures with their whole story at error, the caller's at info. No query, no body, ever.
fn log(error: &Error) {
    let (code, story) = (error.code().name(), error.story().join(" <- "));
    if error.code().status() >= 500 {
        tracing::error!(error.code = code, error.story = story, "a request failed");
    } else {
        tracing::info!(error.code = code, error.story = story, "refused a request");
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    fn allow(method: Method, path: &str) -> Option<String> {
        match way_of(&method, path) {
            Way::Nowhere(error) => Some(error.allowed().unwrap_or("unknown").to_owned()),
            Way::Route(_) | Way::Preflight(_) => None,
        }
    }

    /// Work that waits for a signal, and signals its end.
    fn slow_work() -> (oneshot::Sender<()>, oneshot::Receiver<()>, impl Future<Output = Response> + Send + 'static) {
        let ((go, wait), (done, finished)) = (oneshot::channel(), oneshot::channel());
        let work = async move {
            wait.await.unwrap();
            done.send(()).unwrap();
            http::StatusCode::NO_CONTENT.into_response()
        };
        (go, finished, work)
    }

    #[tokio::test]
    async fn a_deadline_answers_in_time_and_the_work_goes_on() {
        let (go, finished, work) = slow_work();
        let answer = in_time(Duration::from_millis(20), work).await;
        assert_eq!(error_of(&answer).unwrap().code(), Code::ServiceUnavailable);
        go.send(()).unwrap();
        finished.await.expect("the work was stopped");
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_stops_nothing() {
        let (go, finished, work) = slow_work();
        let mut waiting = Box::pin(in_time(Duration::from_secs(60), work));
        assert!(futures::poll!(&mut waiting).is_pending());
        drop(waiting);
        go.send(()).unwrap();
        finished.await.expect("the work was stopped");
    }

    #[tokio::test]
    async fn a_handler_that_breaks_is_an_internal_error() {
        let answer = in_time(Duration::from_secs(60), async { panic!("broken") }).await;
        assert_eq!(error_of(&answer).unwrap().code(), Code::InternalError);
    }

    #[test]
    fn unknown_paths_and_methods_are_told_apart() {
        assert_eq!(allow(Method::GET, "/api/v1/nothing").as_deref(), Some("unknown"));
        assert_eq!(allow(Method::PUT, "/api/v1/sessions").as_deref(), Some("POST, GET, HEAD, OPTIONS"));
        assert_eq!(allow(Method::HEAD, "/api/v1/health"), None);
        assert_eq!(allow(Method::HEAD, "/api/v1/sessions/resume").as_deref(), Some("POST, OPTIONS"));
        assert_eq!(allow(Method::TRACE, "/api/v1/api-keys").as_deref(), Some("GET, HEAD, POST"));
        assert_eq!(allow(Method::GET, "/api/v1/sessions"), None);
    }

    #[test]
    fn a_preflight_names_what_a_widget_may_call_and_nothing_else() {
        let Way::Preflight(response) = way_of(&Method::OPTIONS, "/api/v1/wiki") else { panic!("no preflight") };
        assert_eq!(response.status(), 204);
        assert_eq!(response.headers()["access-control-allow-methods"], "GET");
        assert_eq!(response.headers()["allow"], "GET, HEAD, POST, OPTIONS");
        assert!(matches!(way_of(&Method::OPTIONS, "/api/v1/settings"), Way::Nowhere(_)));
        assert!(matches!(way_of(&Method::OPTIONS, "/api/v1/nothing"), Way::Nowhere(_)));
    }
}
