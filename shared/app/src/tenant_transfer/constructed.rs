//! Makes of what an export holds what the API would have made of it here: by the constructors that requests pass, and
//! by authors who are members of another tenant.

use aws::store::{GapQuestion, ItemCopy};
use domain::gaps::masked_question;
use domain::models::{AgentRef, GapExample, Pin, TurnBody, WikiEntry, from_elsewhere};

/// The item as the API would have stored it.
pub(super) fn constructed(item: ItemCopy) -> ItemCopy {
    match item {
        ItemCopy::Entry(entry) => ItemCopy::Entry(Box::new(written_elsewhere(*entry))),
        ItemCopy::Revision(entry) => ItemCopy::Revision(Box::new(written_elsewhere(*entry))),
        ItemCopy::DeletedEntry(path, mut deleted) => {
            deleted.by = deleted.by.take().map(from_elsewhere);
            ItemCopy::DeletedEntry(path, deleted)
        }
        ItemCopy::RevisionsEnd(mut end) => {
            end.deleted_by = end.deleted_by.take().map(from_elsewhere);
            ItemCopy::RevisionsEnd(end)
        }
        ItemCopy::Draft(mut draft) => {
            draft.created_by = from_elsewhere(draft.created_by);
            ItemCopy::Draft(draft)
        }
        ItemCopy::IngestJob(mut job) => {
            job.created_by = from_elsewhere(job.created_by);
            ItemCopy::IngestJob(job)
        }
        ItemCopy::Pin(pin) => {
            let Pin { pin_id, path, question, created_by, created_at } = *pin;
            let pin = Pin::new(pin_id, path, &question, from_elsewhere(created_by), created_at);
            ItemCopy::Pin(Box::new(pin))
        }
        ItemCopy::GapQuestion(GapQuestion { gap_id, turn, part, asked }) => {
            ItemCopy::GapQuestion(GapQuestion { gap_id, turn, part, asked: masked(asked) })
        }
        ItemCopy::Gap(mut gap) => {
            gap.query = gap.query.take().map(masked);
            ItemCopy::Gap(gap)
        }
        ItemCopy::Turn(mut turn) => {
            match &mut turn.turn.body {
                TurnBody::Agent(by) => by.agent = by.agent.clone().imported(),
                TurnBody::System(by) => by.agent = by.agent.take().map(AgentRef::imported),
                TurnBody::Customer(_) | TurnBody::Ai(_) => {}
            }
            ItemCopy::Turn(turn)
        }
        ItemCopy::Escalation(mut escalation) => {
            escalation.claimed_by = escalation.claimed_by.take().map(AgentRef::imported);
            escalation.former_agent = escalation.former_agent.take().map(AgentRef::imported);
            ItemCopy::Escalation(escalation)
        }
        other @ (ItemCopy::Webhook(_)
        | ItemCopy::SavedReply(_)
        | ItemCopy::IngestText(_)
        | ItemCopy::Statistics(_)
        | ItemCopy::Session(_)) => other,
    }
}

fn written_elsewhere(entry: WikiEntry) -> WikiEntry {
    WikiEntry { created_by: from_elsewhere(entry.created_by), updated_by: from_elsewhere(entry.updated_by), ..entry }
}

fn masked(said: GapExample) -> GapExample {
    GapExample { text: masked_question(&said.text), ..said }
}
