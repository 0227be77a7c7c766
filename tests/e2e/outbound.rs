//! Addresses that tenants write, over the API: which are accepted, and which are called.

use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use outbound::{OutboundPolicy, Resolver};
use serde_json::{Value, json};

use crate::support::{Receiver, SECRET, TestService};

/// Every name leads to the same address, until that is changed.
#[derive(Debug)]
struct Names {
    address: Mutex<IpAddr>,
    asked: AtomicUsize,
}

impl Names {
    fn leading_to(address: &str) -> Arc<Self> {
        Arc::new(Self { address: Mutex::new(address.parse().unwrap()), asked: AtomicUsize::new(0) })
    }

    fn lead_to(&self, address: &str) {
        *self.address.lock().unwrap() = address.parse().unwrap();
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Resolver for Names {
    async fn addresses(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Ok(vec![*self.address.lock().unwrap()])
    }
}

async fn service(policy: OutboundPolicy, names: &Arc<Names>) -> TestService {
    let resolver: Arc<dyn Resolver> = names.clone();
    TestService::with(|options| {
        options.configure_outbound = Some(Box::new(move |mut settings| {
            settings.policy = policy;
            settings.resolver = resolver;
            settings
        }));
    })
    .await
}

#[tokio::test]
async fn every_collected_url_is_accepted_or_refused_as_expected_when_it_is_registered() {
    let policy = OutboundPolicy { allow_loopback: false, allow_http: true };
    let service = service(policy, &Names::leading_to("10.0.0.1")).await;
    let admin = service.admin();
    let (mut refused, mut taken) = (0, 0);
    for line in include_str!("../fixtures/ssrf_urls.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let url = case["url"].as_str().unwrap();
        let hook = admin.post("/webhooks", json!({"url": url, "events": ["*"], "secret": SECRET})).await;
        if case["refuse_at"] == "register" {
            for reply in [hook, admin.post("/ingest", json!({"url": url})).await] {
                reply.expect_error(400, "VALIDATION_ERROR");
                assert_eq!(reply.details(), ["url INVALID_FORMAT"], "{case}");
            }
            refused += 1;
        } else {
            assert_eq!(hook.status, 201, "{case}: {}", hook.text);
            admin.delete(&format!("/webhooks/{}", hook.text_at("webhookId"))).await.expect(204);
            taken += 1;
        }
    }
    assert_eq!((refused, taken), (93, 13));
    assert!(admin.get("/webhooks").await.items().is_empty() && admin.get("/ingest").await.items().is_empty());
}

#[tokio::test]
async fn a_receiver_whose_name_leads_inside_later_is_not_called_and_looks_like_one_that_is_closed() {
    let names = Names::leading_to("127.0.0.1");
    let service = service(OutboundPolicy { allow_loopback: true, allow_http: true }, &names).await;
    let (admin, mut receiver) = (service.admin(), Receiver::start().await);
    let port = receiver.at("").rsplit(':').next().unwrap().to_owned();
    let id = admin.webhook(&format!("http://hook.localhost:{port}/hook"), &["webhook.test"]).await;
    admin.try_webhook(&id).await;
    service.drain().await;
    assert_eq!((receiver.caught().len(), names.asked()), (1, 1), "one look-up for an attempt");

    names.lead_to("169.254.169.254");
    admin.try_webhook(&id).await;
    service.drain().await;
    assert_eq!((receiver.caught().len(), names.asked()), (1, 2), "nothing was sent");
    let blocked = admin.deliveries(&id).await[0]["attempts"][0].clone();
    assert_eq!((&blocked["status"], blocked["error"].is_string()), (&Value::Null, true), "{blocked}");

    names.lead_to("127.0.0.1");
    receiver.stop().await;
    admin.try_webhook(&id).await;
    service.drain().await;
    let closed = admin.deliveries(&id).await[0]["attempts"][0].clone();
    assert_eq!(blocked["error"], closed["error"], "the service is no port scanner");
}
