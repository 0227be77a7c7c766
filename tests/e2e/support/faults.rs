//! A wire to the database that fails on demand: chosen calls never arrive, or arrive and lose their reply.

use std::sync::{Arc, Mutex};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;

/// What becomes of a chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It never arrives.
    BeforeSend,
    /// It is carried out, and the reply is lost.
    LoseReply,
}

#[derive(Debug, Default)]
struct Plan {
    calls: usize,
    /// The first call to fail, how many in a row, and how.
    armed: Option<(usize, usize, Fault)>,
}

/// The calls to fail, shared with the wire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<Plan>>);

impl Faults {
    /// From now on, call number `first` (from 1) and the next ones, `count` in all, fail.
    pub(crate) fn arm(&self, first: usize, count: usize, fault: Fault) {
        *self.0.lock().unwrap() = Plan { calls: 0, armed: Some((first, count, fault)) };
    }

    /// No more faults; how many calls there were since they were armed.
    pub(crate) fn disarm(&self) -> usize {
        std::mem::take(&mut *self.0.lock().unwrap()).calls
    }

    fn next(&self) -> Option<Fault> {
        let mut plan = self.0.lock().unwrap();
        plan.calls += 1;
        let (first, count, fault) = plan.armed?;
        (first..first + count).contains(&plan.calls).then_some(fault)
    }

    /// Puts the faults between the SDK and the wire.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(FaultyClient { inner, faults: self.clone() })
    }
}

#[derive(Debug)]
struct FaultyClient {
    inner: SharedHttpClient,
    faults: Faults,
}

impl HttpClient for FaultyClient {
    fn http_connector(&self, settings: &HttpConnectorSettings, parts: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, parts);
        SharedHttpConnector::new(FaultyConnector { inner, faults: self.faults.clone() })
    }
}

#[derive(Debug)]
struct FaultyConnector {
    inner: SharedHttpConnector,
    faults: Faults,
}

impl HttpConnector for FaultyConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let lost = |what: &'static str| ConnectorError::io(what.into());
        match self.faults.next() {
            None => self.inner.call(request),
            Some(Fault::BeforeSend) => HttpConnectorFuture::ready(Err(lost("never sent"))),
            Some(Fault::LoseReply) => {
                let carried_out = self.inner.call(request);
                HttpConnectorFuture::new(async move {
                    let _reply = carried_out.await;
                    Err(lost("reply lost"))
                })
            }
        }
    }
}
