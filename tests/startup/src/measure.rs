//! One function's figures: startup, first invocation, warm invocations and memory.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::runtime::Lambda;
use crate::stand_ins::StandIns;
use crate::subject;

/// Makes an event from the id of a waiting session and the id of the invocation.
pub(crate) type Event<'a> = dyn Fn(&str, &str) -> Value + 'a;

/// The program to start and how it is invoked.
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) binary: String,
    pub(crate) variables: Vec<(String, String)>,
    /// The event of an invocation with this id.
    pub(crate) event: Box<Event<'a>>,
}

/// Medians in milliseconds, without the time of the services and of the runtime API's stand-in.
#[derive(Debug, Default, Clone)]
pub(crate) struct Figures {
    /// From the start of the process to its first poll.
    pub(crate) init: f64,
    /// From the first event to its response.
    pub(crate) first: f64,
    pub(crate) warm_p50: f64,
    pub(crate) warm_p99: f64,
    /// The largest resident set of all starts, in MiB.
    pub(crate) peak: f64,
}

/// Sessions that wait for a message, each made when it is needed.
pub(crate) struct Sessions<'a> {
    pub(crate) maker: &'a Lambda,
    pub(crate) key: &'a str,
}

impl Sessions<'_> {
    /// The id of a new session.
    pub(crate) async fn next(&self) -> String {
        let answer = self.maker.invoke(|id| subject::session(self.key, id)).await.unwrap();
        let body: Value = serde_json::from_str(answer["body"].as_str().unwrap()).unwrap();
        let id = body["sessionId"].as_str();
        id.unwrap_or_else(|| panic!("no session: {body}\n{}", self.maker.logs())).to_owned()
    }
}

/// Starts the subject `starts` times with one invocation each, then invokes the last one `warm` times.
pub(crate) async fn measure(
    subject: &Subject<'_>,
    stand_ins: &StandIns,
    sessions: &Sessions<'_>,
    (starts, warm): (usize, usize),
) -> Figures {
    let (mut inits, mut firsts, mut warms, mut peak) = (Vec::new(), Vec::new(), Vec::new(), 0.0_f64);
    let variables: Vec<(&str, &str)> = subject.variables.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    for start in 0..starts {
        let session = sessions.next().await;
        let (before, begun) = (stand_ins.cpu(), Instant::now());
        let lambda = Lambda::start(&subject.binary, &variables).await;
        let polled = first_poll(&lambda).await;
        inits.push(without(polled - begun, stand_ins.cpu() - before));
        firsts.push(invoke(subject, stand_ins, &lambda, &session).await);
        if start + 1 == starts {
            for _ in 0..warm {
                let session = sessions.next().await;
                warms.push(invoke(subject, stand_ins, &lambda, &session).await);
            }
        }
        peak = peak.max(peak_mib(lambda.id()));
    }
    Figures {
        init: quantile(&mut inits, 0.5),
        first: quantile(&mut firsts, 0.5),
        warm_p50: quantile(&mut warms, 0.5),
        warm_p99: quantile(&mut warms, 0.99),
        peak,
    }
}

async fn first_poll(lambda: &Lambda) -> Instant {
    let begun = Instant::now();
    loop {
        if let Some(polled) = lambda.first_poll() {
            return polled;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not start: {}", lambda.logs());
        tokio::time::sleep(Duration::from_micros(100)).await;
    }
}

/// How long an invocation takes; an answer of 400 and more, and a question without an answer, end the measurement.
async fn invoke(subject: &Subject<'_>, stand_ins: &StandIns, lambda: &Lambda, session: &str) -> f64 {
    let (before, begun) = (stand_ins.cpu(), Instant::now());
    let answer = lambda.invoke(|id| (subject.event)(session, id)).await;
    let took = without(begun.elapsed(), stand_ins.cpu() - before);
    let status = answer.as_ref().ok().and_then(|answer| answer["statusCode"].as_u64()).unwrap_or(200);
    assert!(answer.is_ok() && status < 400, "{}: {answer:?}\n{}", subject.name, lambda.logs());
    let body = answer.as_ref().ok().and_then(|answer| answer["body"].as_str()).unwrap_or_default();
    assert!(!body.contains(r#""disposition":"escalated""#), "{}: {body}\n{}", subject.name, lambda.logs());
    took
}

fn without(all: Duration, of_services: Duration) -> f64 {
    all.saturating_sub(of_services).as_secs_f64() * 1e3
}

fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "an index")]
    let at = ((values.len() as f64 - 1.0).max(0.0) * part).round() as usize;
    values.get(at).copied().unwrap_or_default()
}

/// The largest resident set of a process so far.
fn peak_mib(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}
