//! The cost of a member's requests and of signing in: units and requests of the table. docs/COST.md holds the figures.

use std::collections::BTreeMap;

use local::RateLimits;
use serde_json::json;

use crate::costs::documented;
use crate::sign_in::{ORIGIN, code, cookie, invited, renew_with, service_with, sign_in_with};
use crate::support::{Actor, CapacityMeter, Units};

const ADA: &str = "ada@company.example";

/// The capacity taken since the last look: read units, write units, requests.
fn taken(meter: &CapacityMeter) -> [f64; 3] {
    let Units { reads, writes } = meter.take();
    #[allow(clippy::cast_precision_loss, reason = "small counts")]
    let requests = meter.requests() as f64;
    [reads, writes, requests]
}

#[tokio::test]
async fn a_member_costs_what_a_key_costs_and_signing_in_what_the_cost_document_says() {
    let meter = CapacityMeter::default();
    let functions = meter.clone();
    let service = service_with(|options| {
        options.wrap_database = Some(Box::new(move |inner| functions.wrap(inner)));
        options.start.rate_limits = RateLimits::Real;
    })
    .await;
    let (_, invitation) = invited(&service, ADA, &["agent"]).await;
    let desk = service.anonymous();
    let ada = || code(&service, ADA, ADA, 0);
    let mut counted = BTreeMap::new();
    let mut note = |what: &'static str| {
        for (name, figure) in ["read units", "write units", "requests to the table"].into_iter().zip(taken(&meter)) {
            counted.insert(format!("{name} of {what}"), figure);
        }
    };
    taken(&meter);
    sign_in_with(&desk, ada(), json!({"invitation": invitation})).await.expect(200);
    note("the first sign-in, by an invitation");
    let signed_in = sign_in_with(&desk, ada(), json!({})).await;
    signed_in.expect(200);
    note("a sign-in");
    let renewed = renew_with(&service, &cookie(&signed_in), ORIGIN, json!({})).await;
    renewed.expect(200);
    note("a renewal");
    let (member, key) = (service.bearer(renewed.text_at("token")), service.agent());
    let session = service.integration().session().await;
    for path in ["/inbox", "/saved-replies", &format!("/sessions/{session}")] {
        let cost = async |caller: &Actor| {
            // The first call reads what later ones know, and takes a share of the limit.
            caller.get(path).await.expect(200);
            taken(&meter);
            caller.get(path).await.expect(200);
            taken(&meter)
        };
        assert_eq!(cost(&member).await, cost(&key).await, "{path}: read units, write units, requests");
    }
    member.post_empty("/auth/sign-out").await.expect(204);
    note("signing out");
    println!("figure: sign-in: {counted:#?}");
    let documented = documented("## Signing in");
    assert_eq!(documented, counted, "docs/COST.md is off");
}
