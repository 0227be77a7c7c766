//! The timer of the sweeper: a schedule on AWS once a minute, here a task every few seconds.

use std::time::Duration;

use domain::Result;
use futures::future::BoxFuture;
use support::caught;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

pub(crate) type Sweep = Box<dyn Fn() -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// Sweeps periodically until it is stopped, the first time at once: the messages of the previous process are lost with
/// its queues.
#[derive(Debug)]
pub(crate) struct SweepTimer {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl SweepTimer {
    pub(crate) fn start(sweep: Sweep, period: Duration) -> Self {
        let (stop, mut stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    biased;
                    _ = stopped.wait_for(|stop| *stop) => return,
                    _ = ticks.tick() => {}
                }
                if let Err(error) = caught(sweep()).await {
                    tracing::warn!(error = %error, "a sweep did not handle all due items; the next sweep continues");
                }
            }
        });
        Self { stop, task }
    }

    /// Starts no further sweep, and gives a running one `grace` to finish.
    pub(crate) async fn stop(mut self, grace: Duration) {
        self.stop.send_replace(true);
        if tokio::time::timeout(grace, &mut self.task).await.is_err() {
            tracing::warn!("aborted a sweep at shutdown; the next start continues");
            self.task.abort();
            self.task.await.ok();
        }
    }
}
