//! Use cases of callers, each with its own check of the state afterwards, whatever failed meanwhile.

mod background;
mod conversation;
mod drafts;
mod inbox;
mod keys;
mod knowledge;
mod people;
mod reads;
mod replies;
mod webhooks;
mod wiki;

use futures::future::BoxFuture;

use super::run::Run;

pub(super) type UseCase = for<'a> fn(&'a Run<'a>) -> BoxFuture<'a, ()>;

macro_rules! use_cases {
    ($($module:ident::$name:ident),* $(,)?) => {
        /// All of them by name.
        pub(super) const USE_CASES: &[(&str, UseCase)] =
            &[$((stringify!($name), |run| Box::pin($module::$name(run)))),*];
    };
}

use_cases![
    conversation::a_session_is_created,
    conversation::a_message_is_answered,
    conversation::a_message_is_answered_at_once,
    conversation::a_visitor_is_answered,
    conversation::a_question_without_an_answer_is_a_gap,
    conversation::an_answer_is_rated,
    conversation::a_reaction_is_taken_back,
    conversation::a_person_is_asked_for,
    conversation::a_handover_is_cancelled,
    conversation::who_waits_asks_on,
    conversation::a_session_is_resumed,
    conversation::a_session_is_changed,
    conversation::a_session_is_deleted,
    inbox::a_customer_is_taken_over,
    inbox::an_agent_writes,
    inbox::a_customer_is_released,
    inbox::a_customer_is_handed_back,
    inbox::a_request_is_resolved,
    inbox::a_person_who_helped_is_rated,
    inbox::a_priority_is_changed,
    inbox::a_customer_is_transferred,
    inbox::a_customer_is_put_off,
    inbox::a_request_is_reopened,
    inbox::an_agent_steps_in,
    inbox::a_note_is_written,
    replies::a_reply_is_saved,
    replies::a_saved_reply_is_renamed,
    replies::a_saved_reply_is_deleted,
    replies::an_agent_asks_what_the_ai_would_say,
    wiki::an_entry_is_created,
    wiki::an_entry_is_changed,
    wiki::an_entry_is_deleted,
    wiki::an_entry_is_restored,
    wiki::a_text_is_ingested,
    drafts::a_change_is_proposed,
    drafts::a_draft_is_changed,
    drafts::a_draft_is_discarded,
    drafts::a_draft_is_published,
    drafts::a_question_is_pinned,
    drafts::a_pin_is_deleted,
    knowledge::a_page_is_ingested,
    knowledge::a_failed_job_is_tried_again,
    knowledge::a_gap_is_triaged,
    webhooks::a_receiver_is_registered,
    webhooks::a_secret_is_rotated,
    webhooks::a_receiver_is_tested,
    webhooks::a_receiver_is_changed,
    webhooks::a_receiver_is_removed,
    webhooks::a_delivery_is_sent_again,
    webhooks::a_replay_sends_missed_deliveries,
    keys::a_key_is_created,
    keys::a_key_is_deleted,
    keys::settings_are_changed,
    keys::a_widget_gets_a_token,
    people::a_member_is_added,
    people::a_member_gets_other_roles,
    people::a_member_is_removed_and_the_customer_waits_again,
    people::a_member_signs_in,
    people::a_member_signs_out,
    background::changes_that_lambda_gave_up_on_are_replayed,
    background::an_idle_session_is_closed,
    background::a_customer_still_waits,
    reads::a_company_reads_everything,
    reads::a_visitor_reads,
];
