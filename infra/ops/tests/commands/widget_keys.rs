//! `widget-key`.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aws::config::{WidgetKeySet, WidgetTokenKey};
use aws::widget_keys::{WidgetKeySource, WidgetKeys};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::clock::Clock;
use domain::models::Timestamp;
use serde_json::json;

use crate::aws_stub::AwsStub;
use crate::stack::json_of;
use crate::support::Folder;

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_under_traffic_refuses_no_token() {
    let folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let before = folder.json(&["widget-key", "show"]).await;
    let old = folder.post(&key, "/auth/widget-token", &json!({})).await.1["token"].as_str().unwrap().to_owned();

    let (stop, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let (stop, asked, http) = (Arc::clone(&stop), Arc::clone(&asked), folder.http.clone());
            let (tokens, wiki) = (folder.url("/auth/widget-token"), folder.url("/wiki"));
            let (key, old) = (key.clone(), old.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    let issued = http.post(&tokens).bearer_auth(&key).json(&json!({})).send().await.unwrap();
                    let issued: serde_json::Value = issued.json().await.unwrap();
                    for token in [issued["token"].as_str().unwrap(), &old] {
                        let answer = http.get(&wiki).bearer_auth(token).send().await.unwrap();
                        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
                    }
                    asked.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    let until_asked = async |times: usize| {
        let wanted = asked.load(Ordering::SeqCst) + times;
        while asked.load(Ordering::SeqCst) < wanted {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    until_asked(4).await;
    let rotated = folder.json(&["widget-key", "rotate"]).await;
    until_asked(20).await;
    stop.store(true, Ordering::SeqCst);
    for caller in callers {
        caller.await.unwrap();
    }
    assert_eq!((&rotated["previous"], &rotated["next"]), (&before["signing"], &json!(null)));
    assert_ne!(rotated["signing"], before["signing"]);
    let again = folder.ops(&["widget-key", "rotate"]).await;
    assert!(again.expect(4).stderr.contains("previous key may be valid until"), "{again:?}");
    assert!(!again.stderr.contains("pk_") && !rotated.to_string().contains("secret"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_without_a_service_holds_at_its_start() {
    let mut folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let old = folder.post(&key, "/auth/widget-token", &json!({})).await.1["token"].as_str().unwrap().to_owned();
    folder.stop().await;
    let rotated = folder.json(&["widget-key", "rotate"]).await;
    folder.start().await;
    assert_eq!(folder.json(&["widget-key", "show"]).await["signing"], rotated["signing"]);
    let new = folder.post(&key, "/auth/widget-token", &json!({})).await.1["token"].as_str().unwrap().to_owned();
    for token in [old, new] {
        assert_eq!(folder.get(&token, "/wiki").await.0, 200);
    }
}

/// A clock that tests move.
#[derive(Debug)]
struct MovedClock(AtomicI64);

impl Clock for MovedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// The secret of a stack, as each of its processes reads it.
#[derive(Debug, Clone)]
struct StackSecret(AwsStub);

impl StackSecret {
    fn keys(&self) -> Vec<WidgetTokenKey> {
        WidgetKeySet::parse(&self.0.with(|state| state.secret.clone())).unwrap().keys()
    }
}

#[async_trait::async_trait]
impl WidgetKeySource for StackSecret {
    async fn read(&self) -> domain::Result<Vec<WidgetTokenKey>> {
        Ok(self.keys())
    }
}

/// Two processes of a stack over one table, with a clock that both see.
struct Processes {
    folder: Folder,
    urls: [String; 2],
    stub: AwsStub,
    clock: Arc<MovedClock>,
    key: String,
    /// When the secret changed last.
    changed_at: AtomicI64,
    /// The tokens of the last ten minutes.
    issued: Mutex<Vec<(i64, String)>>,
}

impl Processes {
    async fn start() -> Self {
        let stub = AwsStub::start().await;
        let secret = StackSecret(stub.clone());
        let now = domain::clock::SystemClock.now().as_millis();
        let clock = Arc::new(MovedClock(AtomicI64::new(now)));
        let (seen, first) = (Arc::clone(&clock), secret.clone());
        let folder = Folder::with(move |options| {
            options.sweep_every = None;
            options.clock = Some(seen);
            options.change_resources = Some(Box::new(move |mut resources| {
                resources.widget_keys = WidgetKeys::new(first.keys(), Some(Arc::new(first)));
                resources
            }));
        })
        .await;
        let (_, key) = folder.tenant("Shop").await;
        let mut resources = folder.service.as_ref().unwrap().resources().clone();
        resources.widget_keys = WidgetKeys::new(secret.keys(), Some(Arc::new(secret)));
        let router = edge::service(edge::Edge::new(&resources), local::routes(&resources).await.unwrap());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let other = format!("http://{}/api/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let urls = [folder.url(""), other];
        Self { folder, urls, stub, clock, key, changed_at: AtomicI64::new(now), issued: Mutex::default() }
    }

    /// What `GET /wiki` of a process answers to a token.
    async fn status(&self, process: usize, token: &str) -> u16 {
        let url = format!("{}/wiki", self.urls[process]);
        self.folder.http.get(url).bearer_auth(token).send().await.unwrap().status().as_u16()
    }

    async fn token(&self, process: usize) -> String {
        let url = format!("{}/auth/widget-token", self.urls[process]);
        let answer = self.folder.http.post(url).bearer_auth(&self.key).json(&json!({})).send().await.unwrap();
        answer.json::<serde_json::Value>().await.unwrap()["token"].as_str().unwrap().to_owned()
    }

    /// Sends a token of a made-up key to the second process. It reads the keys again, and for a minute not again.
    async fn use_up_a_reading(&self) {
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"widget+jwt","kid":"made-up"}"#);
        assert_eq!(self.status(1, &format!("{header}.e30.e30")).await, 401);
    }

    /// Each process signs a token, and each accepts every token of the last ten minutes. Returns who signed.
    async fn assert_nothing_is_refused(&self, when: &str) -> Vec<String> {
        let now = self.clock.now().as_millis();
        let made = [self.token(0).await, self.token(1).await];
        let tokens = {
            let mut issued = self.issued.lock().unwrap();
            issued.retain(|(at, _)| now - at < 10 * 60_000);
            issued.extend(made.iter().map(|token| (now, token.clone())));
            issued.clone()
        };
        for (process, (at, token)) in [0, 1].into_iter().flat_map(|process| tokens.iter().map(move |of| (process, of)))
        {
            let age = (now - at) / 1_000;
            assert_eq!(self.status(process, token).await, 200, "{when}: process {process}, a token of {age} s");
        }
        made.iter().map(|token| kid(token)).collect()
    }

    fn pass(&self, minutes: i64) {
        self.clock.0.fetch_add(minutes * 60_000, Ordering::SeqCst);
    }

    /// Repeats the command, which goes by the machine's clock: the last change of the secret becomes as old for it as it
    /// is for the processes. Returns which key signs.
    async fn rotate(&self) -> String {
        let now = self.clock.now().as_millis();
        let age = now - self.changed_at.load(Ordering::SeqCst);
        let before = self.stub.with(|state| {
            let mut secret: serde_json::Value = serde_json::from_str(&state.secret).unwrap();
            if secret.get("changedAt").is_some() {
                secret["changedAt"] = json!(domain::clock::SystemClock.now().plus_millis(-age));
            }
            state.secret = secret.to_string();
            state.secret.clone()
        });
        let rotated = json_of(&self.stub, &["widget-key", "rotate", "--no-wait"]).await;
        if self.stub.with(|state| serde_json::from_str::<serde_json::Value>(&state.secret).unwrap().to_string())
            != before
        {
            self.changed_at.store(now, Ordering::SeqCst);
        }
        rotated["signing"].as_str().unwrap().to_owned()
    }
}

/// The name of the key that signed a token.
fn kid(token: &str) -> String {
    let header = URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
    let header: serde_json::Value = serde_json::from_slice(&header).unwrap();
    header["kid"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_process_of_a_stack_signs_with_a_key_that_another_does_not_know() {
    let processes = Processes::start().await;
    // The first process reads its keys again right after the first phase, the second one right before it.
    processes.token(0).await;
    processes.pass(5);
    processes.token(1).await;
    processes.pass(5);
    let mut signing = Vec::new();
    for minute in 0..23 {
        processes.use_up_a_reading().await;
        // Repeated every minute: after eleven minutes it goes on.
        if minute < 12 {
            signing.push(processes.rotate().await);
        }
        let signed = processes.assert_nothing_is_refused(&format!("minute {minute}")).await;
        assert!(minute > 10 || signed == ["k1", "k1"], "minute {minute}: {signed:?}");
        processes.pass(1);
    }
    assert!(signing[..11].iter().all(|kid| kid == "k1") && signing[11] != "k1", "{signing:?}");
    let signed = processes.assert_nothing_is_refused("after").await;
    assert_eq!(signed, [signing[11].clone(), signing[11].clone()]);
}
