//! `widget-key`.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aws::config::WidgetKeySet;
use aws::widget_keys::{WidgetKeySource, WidgetKeys};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::clock::Clock;
use domain::models::Timestamp;
use local::{ChangeResources, Hooks};
use serde_json::json;

use super::aws_stub::AwsStub;
use super::stack::ops_of;
use super::support::{Folder, Printed};

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
    fn keys(&self) -> WidgetKeySet {
        WidgetKeySet::parse(&self.0.with(|state| state.secret.clone())).unwrap()
    }
}

#[async_trait::async_trait]
impl WidgetKeySource for StackSecret {
    async fn read(&self) -> domain::Result<WidgetKeySet> {
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
    tenant: domain::models::TenantId,
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
        let change_resources: ChangeResources = Box::new(move |mut resources| {
            resources.widget_keys = WidgetKeys::new(first.keys(), resources.runtime.now(), Some(Arc::new(first)));
            resources
        });
        let hooks = Hooks { clock: Some(seen), change_resources: Some(change_resources), ..Hooks::default() };
        let folder = Folder::with_hooks(|options| options.sweep_every = None, hooks).await;
        stub.with(|state| state.table = Some(folder.data.join("control.sock")));
        let (tenant, key) = folder.tenant("Shop").await;
        let tenant = domain::models::TenantId::parse(&tenant).unwrap();
        let mut resources = folder.service.as_ref().unwrap().resources().clone();
        resources.widget_keys = WidgetKeys::new(secret.keys(), resources.runtime.now(), Some(Arc::new(secret)));
        let router = local::api(&resources).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let other = format!("http://{}/api/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let urls = [folder.url(""), other];
        Self { folder, urls, stub, clock, key, tenant, issued: Mutex::default() }
    }

    /// The status with which `GET /wiki` of a process answers a token.
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

    /// Repeats the command. Returns which key signs.
    async fn rotate(&self) -> String {
        let rotated = self.command(&["widget-key", "rotate", "--no-wait"]).await.json();
        rotated["signing"].as_str().unwrap().to_owned()
    }

    /// Runs a command, which goes by the machine's clock: the secret's time is as long ago for it as for the processes.
    async fn command(&self, arguments: &[&str]) -> Printed {
        let (now, before) = (self.clock.now(), self.changed_at());
        let shown = before.map(|at| domain::clock::SystemClock.now().plus_millis(at.millis_since(now)));
        self.set_changed_at(shown);
        let answer = ops_of(&self.stub, &[arguments, &["--json"]].concat()).await;
        let is_changed = self.changed_at() != shown;
        self.set_changed_at(if is_changed { Some(now) } else { before });
        answer
    }

    /// When the secret changed.
    fn changed_at(&self) -> Option<Timestamp> {
        self.keys().changed_at
    }

    fn set_changed_at(&self, at: Option<Timestamp>) {
        let set = WidgetKeySet { changed_at: at, ..self.keys() };
        self.stub.with(|state| set.to_secret().expose().clone_into(&mut state.secret));
    }

    fn keys(&self) -> WidgetKeySet {
        StackSecret(self.stub.clone()).keys()
    }

    /// Both phases of a rotation, after which the caches of the processes are of different ages. Returns the old keys.
    async fn rotate_whole(&self) -> WidgetKeySet {
        let old = self.keys();
        self.rotate().await;
        self.pass(8);
        assert_eq!(self.status(1, &self.token(1).await).await, 200);
        self.pass(4);
        assert_ne!(self.rotate().await, old.current.kid);
        old
    }

    /// The statuses that both processes answer to a token that a thief of `keys` signs: it says that it was signed
    /// `age` seconds ago.
    async fn of_thief(&self, keys: &WidgetKeySet, age: i64) -> [u16; 2] {
        let resources = self.folder.service.as_ref().unwrap().resources();
        let clock = Arc::new(MovedClock(AtomicI64::new(self.clock.now().as_millis() - age * 1_000)));
        let runtime = domain::clock::Runtime { clock, entropy: Arc::new(domain::clock::SystemRng) };
        let scope = domain::models::Scope { tenant: self.tenant.clone(), mode: domain::models::Mode::Live };
        let request = support::edge::auth::TokenRequest {
            scope: &scope,
            external_user_id: "victim",
            session_id: None,
            user: None,
            preview_of: None,
            ttl_seconds: 3_600,
        };
        let issuer = &resources.config.widget_token_issuer;
        let forged = support::edge::auth::issue(issuer, &keys.current, &runtime, &request).unwrap().token;
        [self.status(0, &forged).await, self.status(1, &forged).await]
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

#[tokio::test(flavor = "multi_thread")]
async fn the_key_of_somebody_who_left_is_dead_75_minutes_after_the_rotation_in_every_process() {
    let processes = Processes::start().await;
    let old = processes.rotate_whole().await;
    let changed_at = processes.changed_at().unwrap();
    // Minutes after the change, and how old the thief says that the token is, in minutes.
    for (minute, says, status) in [
        (9, 0, 200),
        (10, 0, 200),
        (11, 0, 401),
        (11, 2, 200),
        (69, 59, 200),
        (74, 0, 401),
        (74, 59, 401),
        (75, 0, 401),
        (76, 0, 401),
        (76, 59, 401),
    ] {
        processes.clock.0.store(changed_at.plus_millis(minute * 60_000).as_millis(), Ordering::SeqCst);
        let statuses = processes.of_thief(&old, says * 60).await;
        assert_eq!(statuses, [status, status], "minute {minute}, a token of {says} minutes");
        assert_eq!(processes.status(0, &processes.token(1).await).await, 200, "minute {minute}");
        assert_eq!(processes.status(1, &processes.token(0).await).await, 200, "minute {minute}");
    }
    // A second rotation is possible now, and leaves nothing of the first key.
    let second = processes.rotate_whole().await;
    assert!(!processes.keys().names(&old.current.kid) && processes.keys().names(&second.current.kid));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_ends_every_key_in_every_process_before_the_command_returns() {
    let processes = Processes::start().await;
    let first = processes.rotate_whole().await;
    let tokens = [processes.token(0).await, processes.token(1).await];
    let second = processes.keys();
    let again = processes.command(&["widget-key", "rotate", "--no-wait"]).await;
    assert!(again.expect(4).stderr.contains("revoke"), "a rotation soon after the first: {again:?}");
    let revoked = processes.command(&["widget-key", "rotate", "--revoke"]).await.json();
    // The processes' clock stands: what the command waits for passes here.
    processes.clock.0.fetch_add(6_000, Ordering::SeqCst);
    for keys in [&first, &second] {
        assert_eq!(processes.of_thief(keys, 0).await, [401, 401]);
        assert_eq!(processes.of_thief(keys, 1_800).await, [401, 401]);
    }
    for token in tokens {
        assert_eq!([processes.status(0, &token).await, processes.status(1, &token).await], [401, 401]);
    }
    let signed = processes.assert_nothing_is_refused("after").await;
    assert_eq!(signed, [revoked["signing"].clone(), revoked["signing"].clone()]);
    assert_eq!((&revoked["previous"], &revoked["next"]), (&json!(null), &json!(null)));
    assert_eq!(processes.keys().keys().count(), 1);
    // Again at once, because the new key was read by somebody, too.
    let twice = processes.command(&["widget-key", "rotate", "--revoke"]).await.json();
    assert_ne!(twice["signing"], revoked["signing"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_of_a_running_service_holds_when_the_command_returns() {
    let folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let token =
        async || folder.post(&key, "/auth/widget-token", &json!({})).await.1["token"].as_str().unwrap().to_owned();
    let old = token().await;
    assert_eq!(folder.get(&old, "/wiki").await.0, 200);
    for _ in 0..2 {
        let revoked = folder.json(&["widget-key", "rotate", "--revoke"]).await;
        assert_eq!(folder.get(&old, "/wiki").await.0, 401);
        let new = token().await;
        assert_eq!((folder.get(&new, "/wiki").await.0, kid(&new)), (200, revoked["signing"].as_str().unwrap().into()));
    }
}
