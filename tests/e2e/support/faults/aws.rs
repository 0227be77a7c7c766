//! KMS and a bucket, each with faults in front of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aws::cipher::MasterKeyProvider;
use aws::dead_letters::{Bucket, DeadLetters};
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::clock::Runtime;

use super::{Faults, Target};
use crate::permissions::stand_ins;

/// The configuration of every SDK here.
pub(crate) fn sdk_config(endpoint: &str) -> SdkConfig {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .credentials_provider(SharedCredentialsProvider::new(Credentials::new("id", "secret", None, None, "test")))
        .retry_config(aws::retry())
        .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
        .endpoint_url(endpoint)
        .build()
}

/// KMS with one key, behind faults.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kms;

impl Kms {
    /// A master key that it has.
    pub(crate) fn master_key(faults: &Faults) -> MasterKeyProvider {
        let http = faults.wrap_as(Target::Kms, SharedHttpClient::new(Self));
        let config = sdk_config("http://kms.invalid").into_builder().http_client(http).build();
        MasterKeyProvider::kms(aws_sdk_kms::Client::new(&config), "arn:aws:kms:eu-central-1:123456789012:key/k")
    }
}

impl HttpClient for Kms {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(*self)
    }
}

impl HttpConnector for Kms {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = request.headers().get("x-amz-target").unwrap().rsplit('.').next().unwrap();
        let body = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let answer = stand_ins::key(operation, &body).to_string();
        let response = http::Response::builder().header("content-type", "application/x-amz-json-1.1");
        HttpConnectorFuture::ready(Ok(HttpResponse::try_from(response.body(answer.into()).unwrap()).unwrap()))
    }
}

/// A bucket behind faults; it ends with the test's runtime.
#[derive(Debug, Clone)]
pub(crate) struct BucketStandIn {
    url: String,
    objects: Arc<Mutex<BTreeMap<String, Bytes>>>,
}

impl BucketStandIn {
    pub(crate) async fn start(faults: &Faults) -> Self {
        let objects: Arc<Mutex<BTreeMap<String, Bytes>>> = Arc::default();
        let (faults, kept) = (faults.clone(), Arc::clone(&objects));
        let answer = move |request: Request| {
            let (faults, kept) = (faults.clone(), Arc::clone(&kept));
            async move {
                let (head, body) = request.into_parts();
                let body = to_bytes(body, usize::MAX).await.unwrap();
                let carried_out = async { object(&kept, &head, body) };
                let failed = || StatusCode::SERVICE_UNAVAILABLE.into_response();
                faults.call(Target::Bucket, carried_out).await.unwrap_or_else(failed)
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(answer)).await });
        Self { url, objects }
    }

    /// The dead letters in it.
    pub(crate) fn dead_letters(&self, runtime: &Runtime) -> DeadLetters {
        DeadLetters::Bucket(Bucket::new("dead", &sdk_config(&self.url), runtime.clone()).unwrap())
    }

    /// Its objects by their names.
    pub(crate) fn objects(&self) -> BTreeMap<String, Bytes> {
        self.objects.lock().unwrap().clone()
    }

    /// Puts an object past the faults.
    pub(crate) fn put(&self, name: &str, content: String) {
        self.objects.lock().unwrap().insert(name.to_owned(), content.into());
    }
}

/// The answer to a request about the objects of the bucket `dead`.
fn object(kept: &Mutex<BTreeMap<String, Bytes>>, head: &http::request::Parts, body: Bytes) -> Response {
    let name = head.uri.path().trim_start_matches("/dead").trim_start_matches('/').to_owned();
    let mut kept = kept.lock().unwrap();
    if let Some(query) = head.uri.query() {
        let prefix = query.split('&').find_map(|pair| pair.strip_prefix("prefix=")).unwrap().replace("%2F", "/");
        let names = kept.keys().filter(|name| name.starts_with(&prefix));
        return names.map(|name| format!("<Key>{name}</Key>")).collect::<String>().into_response();
    }
    match head.method {
        Method::PUT => {
            kept.insert(name, body);
            StatusCode::OK.into_response()
        }
        Method::DELETE => {
            kept.remove(&name);
            StatusCode::NO_CONTENT.into_response()
        }
        _ => kept.get(&name).map_or_else(|| StatusCode::NOT_FOUND.into_response(), |it| it.clone().into_response()),
    }
}
