//! How often signing in may fail: 20 times a minute from one address.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use local::RateLimits;
use serde_json::json;

use crate::sign_in::{DISTRIBUTION_SECRET, code, joined, service_with, sign_in_with};
use crate::support::{Actor, Reply, TestService};

const ADA: &str = "ada@company.example";
const ADDRESS: &str = "203.0.113.9";

/// A service that has read the keys of its provider: many sign-ins at once do not wait for them.
async fn ready() -> TestService {
    let service = service_with(|options| options.start.rate_limits = RateLimits::Real).await;
    joined(&service, &service.admin(), ADA, &["agent"], 0).await;
    service
}

/// The desk of somebody at an address, behind the distribution.
fn desk_at(service: &TestService, address: &str) -> Actor {
    let desk = service.anonymous().with_header("x-distribution-secret", DISTRIBUTION_SECRET);
    desk.with_header("x-viewer-address", address)
}

/// Tries to sign somebody in who is nobody's member, from all desks at once: nothing comes back meanwhile.
async fn fail_from(service: &TestService, desks: &[Actor]) -> Vec<Reply> {
    let code = code(service, "eve", "eve@company.example", 0);
    let tries = desks.iter().map(|desk| sign_in_with(desk, code.clone(), json!({})));
    let replies = futures::future::join_all(tries).await;
    for reply in &replies {
        match reply.status {
            429 => {
                reply.expect_error(429, "RATE_LIMITED");
                assert!(reply.header("retry-after").parse::<u32>().is_ok_and(|seconds| (1..=60).contains(&seconds)));
            }
            _ => reply.expect_error(403, "NOT_A_MEMBER"),
        }
    }
    replies
}

/// How many of so many tries from one desk are refused because there were too many.
async fn refused_of(service: &TestService, desk: &Actor, tries: usize) -> usize {
    too_many(&fail_from(service, &vec![desk.clone(); tries]).await)
}

fn too_many(replies: &[Reply]) -> usize {
    replies.iter().filter(|reply| reply.status == 429).count()
}

#[tokio::test]
async fn the_21st_failure_of_a_minute_from_an_address_is_refused_and_another_address_is_not() {
    let service = ready().await;
    let desk = desk_at(&service, ADDRESS);
    assert_eq!(refused_of(&service, &desk, 21).await, 1);
    assert_eq!(refused_of(&service, &desk_at(&service, "203.0.113.10"), 1).await, 0);
    let told: Vec<_> = service.raw_items().await.into_iter().filter(|item| item.contains(ADDRESS)).collect();
    assert!(told.is_empty(), "an address is stored: {told:#?}");
    service.clock.advance(60_000);
    assert_eq!(refused_of(&service, &desk, 1).await, 0);
}

#[tokio::test]
async fn the_addresses_of_one_ipv6_network_count_as_one() {
    let service = ready().await;
    let desks: Vec<_> = (1..=21).map(|host| desk_at(&service, &format!("2001:db8:1:2::{host:x}"))).collect();
    assert_eq!(too_many(&fail_from(&service, &desks).await), 1);
    assert_eq!(refused_of(&service, &desk_at(&service, "2001:db8:1:3::1"), 1).await, 0);
}

#[tokio::test]
async fn an_address_that_the_distribution_does_not_vouch_for_is_not_believed() {
    let service = ready().await;
    let made_up = |host: usize| {
        let desk = service.anonymous().with_header("x-viewer-address", &format!("198.51.100.{host}"));
        if host.is_multiple_of(2) { desk.with_header("x-distribution-secret", "wrong") } else { desk }
    };
    let desks: Vec<_> = (1..=21).map(made_up).collect();
    assert_eq!(too_many(&fail_from(&service, &desks).await), 1);
}

#[tokio::test]
async fn a_sign_in_that_succeeds_is_no_failure() {
    let service = ready().await;
    let desk = desk_at(&service, ADDRESS);
    for _ in 0..5 {
        sign_in_with(&desk, code(&service, ADA, ADA, 0), json!({})).await.expect(200);
    }
    assert_eq!(refused_of(&service, &desk, 20).await, 0);
}

#[tokio::test]
async fn the_operators_log_says_why_an_id_token_is_refused_and_nothing_of_it() {
    let service = ready().await;
    let now = service.resources().runtime.now().as_seconds();
    let claims = json!({"sub": "person-9", "email": "ida@company.example", "iat": now, "exp": now + 60});
    let code = URL_SAFE_NO_PAD.encode(claims.to_string());
    sign_in_with(&service.anonymous(), code, json!({})).await.expect_error(401, "SIGN_IN_REQUIRED");
    let log = service.log();
    assert!(log.contains("nobody can sign in by this ID token") && log.contains("it has no auth_time"), "{log}");
    assert!(!log.contains("person-9") && !log.contains("ida@company.example"), "{log}");
}
