//! A connection to the database that fails on demand: chosen calls do not arrive, lose their reply, or wait.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use domain::clock::{Rng, SeededRng};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// What becomes of a chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It never arrives.
    BeforeSend,
    /// It is carried out, and the reply is lost.
    LoseReply,
}

#[derive(Debug, Default)]
struct FaultPlan {
    calls: usize,
    /// The first call to fail, how many in a row, and how.
    armed: Option<(usize, usize, Fault)>,
    /// So many of a hundred calls fail so, chosen by a sequence that this is the state of.
    some: Option<(SeededRng, u64, Fault)>,
    /// Every call that may write fails.
    no_writes: bool,
    /// The call that waits until it may go on: so many more that hold a text come before it.
    paused: Option<(usize, String, PausedCall)>,
}

/// A call that waits on the way to the database.
#[derive(Debug, Clone)]
pub(crate) struct PausedCall {
    arrived: Arc<Semaphore>,
    go: Arc<Semaphore>,
}

impl PausedCall {
    /// Waits until the call is there; false where `done` ends without it.
    pub(crate) async fn wait_until_paused<T>(&self, done: &JoinHandle<T>) -> bool {
        loop {
            if let Ok(permit) = tokio::time::timeout(Duration::from_millis(5), self.arrived.acquire()).await {
                permit.unwrap().forget();
                return true;
            }
            if done.is_finished() {
                return false;
            }
        }
    }

    /// Lets it go on.
    pub(crate) fn release(&self) {
        self.go.add_permits(1);
    }
}

/// What becomes of the next call.
enum NextCall {
    Goes,
    Fails(Fault),
    Waits(PausedCall),
}

/// The calls to fail, shared with the wire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<FaultPlan>>);

impl Faults {
    /// From now on, call number `first` (from 1) and the next ones, `count` in all, fail.
    pub(crate) fn arm(&self, first: usize, count: usize, fault: Fault) {
        *self.0.lock().unwrap() = FaultPlan { armed: Some((first, count, fault)), ..FaultPlan::default() };
    }

    /// From now on, `percent` of all calls fail, chosen by `seed`.
    pub(crate) fn arm_random(&self, seed: u64, percent: u64, fault: Fault) {
        let some = Some((SeededRng::new(seed), percent, fault));
        *self.0.lock().unwrap() = FaultPlan { some, ..FaultPlan::default() };
    }

    /// From now on every call that may write fails.
    pub(crate) fn fail_writes(&self) {
        *self.0.lock().unwrap() = FaultPlan { no_writes: true, ..FaultPlan::default() };
    }

    /// Of the calls from now on that say `text`, number `number` (from 1) waits on its way.
    pub(crate) fn pause(&self, number: usize, text: &str) -> PausedCall {
        let paused = PausedCall { arrived: Arc::new(Semaphore::new(0)), go: Arc::new(Semaphore::new(0)) };
        *self.0.lock().unwrap() =
            FaultPlan { paused: Some((number, text.to_owned(), paused.clone())), ..FaultPlan::default() };
        paused
    }

    /// No more faults; how many calls there were since they were armed.
    pub(crate) fn disarm(&self) -> usize {
        std::mem::take(&mut *self.0.lock().unwrap()).calls
    }

    fn next(&self, operation: &str, body: &[u8]) -> NextCall {
        let mut plan = self.0.lock().unwrap();
        plan.calls += 1;
        if plan.no_writes && ["Put", "Update", "Delete", "Write"].iter().any(|write| operation.contains(write)) {
            return NextCall::Fails(Fault::BeforeSend);
        }
        if let Some((first, count, fault)) = plan.armed
            && (first..first + count).contains(&plan.calls)
        {
            return NextCall::Fails(fault);
        }
        if let Some((dice, percent, fault)) = &plan.some {
            let mut roll = [0; 8];
            dice.fill(&mut roll).unwrap();
            if u64::from_le_bytes(roll) % 100 < *percent {
                return NextCall::Fails(*fault);
            }
        }
        let Some((before, text, paused)) = &mut plan.paused else { return NextCall::Goes };
        if *before == 0 || !String::from_utf8_lossy(body).contains(text.as_str()) {
            return NextCall::Goes;
        }
        *before -= 1;
        if *before == 0 { NextCall::Waits(paused.clone()) } else { NextCall::Goes }
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
        let operation = request.headers().get("x-amz-target").unwrap_or_default();
        match self.faults.next(operation, request.body().bytes().unwrap_or_default()) {
            NextCall::Goes => self.inner.call(request),
            NextCall::Waits(paused) => {
                let inner = self.inner.clone();
                HttpConnectorFuture::new(async move {
                    paused.arrived.add_permits(1);
                    paused.go.acquire().await.unwrap().forget();
                    inner.call(request).await
                })
            }
            NextCall::Fails(Fault::BeforeSend) => HttpConnectorFuture::ready(Err(lost("never sent"))),
            NextCall::Fails(Fault::LoseReply) => {
                let carried_out = self.inner.call(request);
                HttpConnectorFuture::new(async move {
                    let _reply = carried_out.await;
                    Err(lost("reply lost"))
                })
            }
        }
    }
}
