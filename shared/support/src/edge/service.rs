//! A function's routes as one service, and the middleware of every request: it gets an id, path and method are checked
//! against the route list, the deadline applies, errors get the one shape, responses get security headers, and one line is
//! logged.
//!
//! A handler runs as a task of its own. A caller that disconnects, or a deadline that passes, ends the wait, but
//! never stops the handler between two of its writes. A handler that writes nothing may ask for that end ([`Waiting`]).

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use domain::clock::Runtime;
use domain::error::{Code, Error};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use tokio::sync::watch;
use tracing::Instrument;

use super::callers::count_call;
use super::cors;
use super::meta::{REQUEST_ID, RequestMeta, Waiting};
use super::rate_limit::RateLimitReport;
use super::respond::{render_error, response_error};
use super::route_list::{RouteSpec, routes_of};
use crate::edge::auth::Authenticator;
use crate::edge::{ApiError, App};

/// How long a request without a route waits to be counted.
const COUNT_TIMEOUT: Duration = Duration::from_secs(2);
/// Two years, as the preload lists require.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=63072000; includeSubDomains");

/// The routes of `functions` as one service behind the edge: request id, method and path checked against the route list,
/// CORS, the deadline, and one shape for every error. `app` is any of theirs: the rate limits that a process knows belong
/// to the table's client.
pub fn service(app: App, functions: impl IntoIterator<Item = Router>) -> Router {
    let inner = functions.into_iter().fold(Router::new(), Router::merge);
    inner
        .fallback(|| async { ApiError(Error::not_found("resource")) })
        .layer(from_fn_with_state(app, request_middleware))
}

/// The answer to a request that is refused before it reaches a route, in the shape of every error. No page of another
/// origin may read it.
#[must_use]
pub fn refuse(headers: &HeaderMap, runtime: &Runtime, error: Error) -> Response {
    let meta = RequestMeta::from_headers(headers, runtime, Duration::ZERO);
    finish_response(ApiError(error).into_response(), &meta, None)
}

/// The match of a request in the route list.
enum RouteMatch {
    Route(&'static RouteSpec),
    Preflight(Response),
    Rejected(Error),
}

/// The middleware of all routes.
async fn request_middleware(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let timeout = Duration::from_millis(app.config.request_timeout_ms);
    let meta = RequestMeta::from_headers(request.headers(), &app.runtime, timeout);
    let origin = cors::request_origin(request.headers()).cloned();
    let matched = match_route(request.method(), request.uri().path());
    let route = match &matched {
        RouteMatch::Route(spec) => spec.path,
        _ => "-",
    };
    let method = request.method().clone();
    let span = tracing::info_span!("request", request.id = %meta.request_id, http.method = %method, http.route = route);
    request.extensions_mut().insert(meta.clone());
    let limits = RateLimitReport::default();
    request.extensions_mut().insert(limits.clone());
    async move {
        let raw = match matched {
            RouteMatch::Preflight(response) => response,
            RouteMatch::Rejected(error) => {
                let (parts, _) = request.into_parts();
                ApiError(count_rejected(&parts, app.authenticator.as_ref()).await.unwrap_or(error)).into_response()
            }
            RouteMatch::Route(spec) => {
                request.extensions_mut().insert(spec);
                let (_waits, waiting) = watch::channel(());
                request.extensions_mut().insert(Waiting(waiting));
                with_deadline(timeout, next.run(request)).await
            }
        };
        let (fields, refusal) = limits.settle(raw.status() == StatusCode::NOT_MODIFIED).await;
        let raw = refusal.map_or(raw, |refused| ApiError(refused).into_response());
        let mut answer = finish_response(raw, &meta, origin.as_ref());
        fields.add_to(answer.headers_mut());
        let answer = if method == Method::HEAD { to_head_response(answer) } else { answer };
        let ms = app.runtime.now().millis_since(meta.received_at);
        tracing::info!(http.status = answer.status().as_u16(), duration_ms = ms, "answered a request");
        answer
    }
    .instrument(span)
    .await
}

fn match_route(method: &Method, path: &str) -> RouteMatch {
    let routes = routes_of(path);
    if routes.is_empty() {
        return RouteMatch::Rejected(Error::not_found("resource"));
    }
    // A handler of GET answers HEAD, too (RFC 9110, section 9.3.2).
    let wanted = if method == Method::HEAD { Method::GET } else { method.clone() };
    if let Some(spec) = routes.iter().find(|spec| spec.method == wanted.as_str()) {
        return RouteMatch::Route(spec);
    }
    if method == Method::OPTIONS
        && let Some(response) = cors::preflight(routes)
    {
        return RouteMatch::Preflight(response);
    }
    let refused = Error::new(Code::MethodNotAllowed, "This method is not allowed for this path.");
    RouteMatch::Rejected(refused.allow(cors::allowed_methods(routes)))
}

/// A request that has no route counts as a call of a caller who is known; 429 if there is no call left. Whoever is
/// not known is told of the route alone.
async fn count_rejected(parts: &Parts, authenticator: Option<&Authenticator>) -> Option<Error> {
    let counted = tokio::time::timeout(COUNT_TIMEOUT, count_call(parts, authenticator?)).await;
    counted.ok()?.err().filter(|error| error.code() == Code::RateLimited)
}

/// The response of `work` within `limit`. The work itself runs to its end in any case.
async fn with_deadline(limit: Duration, work: impl Future<Output = Response> + Send + 'static) -> Response {
    let task = tokio::spawn(work.in_current_span());
    match tokio::time::timeout(limit, task).await {
        Ok(Ok(response)) => response,
        Ok(Err(join_error)) => {
            ApiError(Error::internal(format!("the handler ended without an answer: {join_error}"))).into_response()
        }
        Err(_) => ApiError(Error::unavailable("the request exceeded its deadline")).into_response(),
    }
}

fn finish_response(response: Response, meta: &RequestMeta, origin: Option<&HeaderValue>) -> Response {
    let error = response_error(&response);
    let mut answer = match &error {
        Some(error) => {
            log_error(error);
            render_error(error, &meta.request_id)
        }
        None => response,
    };
    let headers = answer.headers_mut();
    add_security_headers(headers, &meta.request_id);
    let origin_refused = error.as_deref().is_some_and(cors::is_origin_refusal);
    if let Some(origin) = origin.filter(|_| !origin_refused) {
        cors::add_exposed_headers(headers, origin);
    }
    join_repeated(headers);
    answer
}

/// Makes one line of each repeated field (RFC 9110, section 5.3): `lambda_http` sends only the first line of any field
/// but `Set-Cookie`.
fn join_repeated(headers: &mut HeaderMap) {
    let is_repeated =
        |name: &&HeaderName| **name != header::SET_COOKIE && headers.get_all(*name).iter().nth(1).is_some();
    let repeated: Vec<HeaderName> = headers.keys().filter(is_repeated).cloned().collect();
    for name in repeated {
        let lines: Vec<_> = headers.get_all(&name).iter().map(HeaderValue::as_bytes).collect();
        if let Ok(joined) = HeaderValue::from_bytes(&lines.join(&b", "[..])) {
            headers.insert(name, joined);
        }
    }
}

/// The response without its body, with the body's length.
fn to_head_response(answer: Response) -> Response {
    let (mut parts, body) = answer.into_parts();
    if let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
        parts.headers.entry(header::CONTENT_LENGTH).or_insert(length.into());
    }
    Response::from_parts(parts, Body::empty())
}

fn add_security_headers(headers: &mut HeaderMap, request_id: &Arc<str>) {
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
}

/// Logs every error once: this service's failures at `error`, the client's at `info`, with their causes. The line
/// contains no query and no body.
fn log_error(error: &Error) {
    let (code, causes) = (error.code().name(), error.causes().join(" <- "));
    if error.code().status() >= 500 {
        tracing::error!(metric.ServerErrors = 1, error.code = code, error = causes, "a request failed");
    } else {
        tracing::info!(error.code = code, error = causes, "refused a request");
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    fn allow(method: Method, path: &str) -> Option<String> {
        match match_route(&method, path) {
            RouteMatch::Rejected(error) => Some(error.allowed().unwrap_or("unknown").to_owned()),
            RouteMatch::Route(_) | RouteMatch::Preflight(_) => None,
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
    async fn a_deadline_answers_in_time_and_the_work_continues() {
        let (go, finished, work) = slow_work();
        let answer = with_deadline(Duration::from_millis(20), work).await;
        assert_eq!(response_error(&answer).unwrap().code(), Code::ServiceUnavailable);
        go.send(()).unwrap();
        finished.await.expect("the work was stopped");
    }

    #[tokio::test]
    async fn a_disconnected_client_does_not_cancel_the_request() {
        let (go, finished, work) = slow_work();
        let mut waiting = Box::pin(with_deadline(Duration::from_secs(60), work));
        assert!(futures::poll!(&mut waiting).is_pending());
        drop(waiting);
        go.send(()).unwrap();
        finished.await.expect("the work was stopped");
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_an_internal_error() {
        let answer = with_deadline(Duration::from_secs(60), async { panic!("broken") }).await;
        assert_eq!(response_error(&answer).unwrap().code(), Code::InternalError);
    }

    #[test]
    fn an_unknown_path_is_404_and_an_unknown_method_405() {
        assert_eq!(allow(Method::GET, "/api/v1/nothing").as_deref(), Some("unknown"));
        assert_eq!(allow(Method::PUT, "/api/v1/sessions").as_deref(), Some("POST, GET, HEAD, OPTIONS"));
        assert_eq!(allow(Method::HEAD, "/api/v1/health"), None);
        assert_eq!(allow(Method::HEAD, "/api/v1/sessions/resume").as_deref(), Some("POST, OPTIONS"));
        assert_eq!(allow(Method::TRACE, "/api/v1/api-keys").as_deref(), Some("GET, HEAD, POST"));
        assert_eq!(allow(Method::GET, "/api/v1/sessions"), None);
    }

    #[test]
    fn a_preflight_names_what_a_widget_may_call_and_nothing_else() {
        let RouteMatch::Preflight(response) = match_route(&Method::OPTIONS, "/api/v1/wiki") else {
            panic!("no preflight")
        };
        assert_eq!(response.status(), 204);
        assert_eq!(response.headers()["access-control-allow-methods"], "GET");
        assert_eq!(response.headers()["allow"], "GET, HEAD, POST, OPTIONS");
        assert!(matches!(match_route(&Method::OPTIONS, "/api/v1/settings"), RouteMatch::Rejected(_)));
        assert!(matches!(match_route(&Method::OPTIONS, "/api/v1/nothing"), RouteMatch::Rejected(_)));
    }
}
