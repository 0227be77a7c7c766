//! Asks gaps again after the wiki changed: a gap that a later entry answers closes, and one whose answer was deleted
//! opens.
//!
//! A review walks all gaps that were asked in the last 90 days, open ones first, newest first, in batches. It stores
//! its position after each batch, so the next sweep continues there. If the wiki changes meanwhile, the review starts
//! again at its end.

use futures::StreamExt;
use futures::stream;

use crate::{ClientProvider, answer_engine};
use answer::search::VisibilityFilter;
use answer::{AnswerEngine, Question};
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;
use domain::gaps::reviewed;
use domain::models::{AnswerVisibility, Gap, Scope, Settings, Visibility};

/// Gaps asked in one batch.
const BATCH_SIZE: usize = 40;
/// Gaps asked at a time.
const CONCURRENCY: usize = 8;
/// After so long, in milliseconds, a review leaves the rest to the next sweep.
const REVIEW_BUDGET_MS: i64 = 10_000;
/// How long the index may take for one question, in milliseconds.
const QUESTION_TIMEOUT_MS: i64 = 5_000;

/// The store of gaps, and the engine that answers their questions.
#[derive(Debug, Clone)]
pub struct GapReview {
    store: Store,
    runtime: Runtime,
    answers: AnswerEngine,
}

impl GapReview {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        let answers = answer_engine(provider).await?;
        Ok(Self { store: provider.store(), runtime: provider.runtime(), answers })
    }
}

/// Goes on with a tenant's review, if one is due.
///
/// # Errors
/// 503 if table or index do not answer; then it is due still, from where it stood.
pub async fn review(service: &GapReview, scope: &Scope) -> Result<()> {
    let gaps = service.store.gaps();
    let until = service.runtime.now().plus_millis(REVIEW_BUDGET_MS);
    let Some(mut review) = gaps.get_review(scope).await? else { return Ok(()) };
    if review.due_at > service.runtime.now() {
        return Ok(());
    }
    let settings = service.store.settings().get(scope).await?;
    loop {
        if review.is_at_start() && !gaps.begin_review(scope, &mut review).await? {
            return Ok(());
        }
        let batch = gaps.list_to_review(scope, &review, BATCH_SIZE).await?;
        review_batch(service, scope, &settings, batch.gaps).await?;
        match batch.next {
            Some(place) => review.place = Some(place),
            None if gaps.end_review(scope, &review).await? => return Ok(()),
            // The wiki changed meanwhile: from the start.
            None => review.place = None,
        }
        let over = service.runtime.now() >= until;
        if !gaps.save_cursor(scope, &mut review).await? || over {
            return Ok(());
        }
    }
}

async fn review_batch(service: &GapReview, scope: &Scope, settings: &Settings, gaps: Vec<Gap>) -> Result<()> {
    let asked = stream::iter(gaps).map(|gap| async move { review_gap(service, scope, settings, gap).await });
    let results: Vec<Result<()>> = asked.buffer_unordered(CONCURRENCY).collect().await;
    results.into_iter().collect()
}

/// Asks one gap in its first wording. One whose wordings were all erased stays as it is.
async fn review_gap(service: &GapReview, scope: &Scope, settings: &Settings, gap: Gap) -> Result<()> {
    let Some(query) = &gap.query else { return Ok(()) };
    let question = Question {
        scope,
        text: &query.text,
        history: &[],
        language: settings.language,
        synonyms: &settings.synonyms,
        visibility: visibility(settings, &gap),
        threshold: settings.no_match_threshold,
        handover_note: None,
        deadline: service.runtime.now().plus_millis(QUESTION_TIMEOUT_MS),
    };
    let found = service.answers.nearest(&question).await?;
    match reviewed(&gap, &found, settings.no_match_threshold, service.runtime.now()) {
        Some(after) => service.store.gaps().replace(scope, &gap, &after).await.map(drop),
        None => Ok(()),
    }
}

/// The entries that may answer in every session that asked.
fn visibility(settings: &Settings, gap: &Gap) -> VisibilityFilter {
    let public = (gap.by_widget && settings.widget_answer_visibility == AnswerVisibility::Public)
        || (gap.by_others && settings.answer_visibility == AnswerVisibility::Public);
    if public { VisibilityFilter::Only(Visibility::Public) } else { VisibilityFilter::All }
}
