//! What an export holds becomes what the API would have made of it here: by the constructors that requests pass.

use aws::store::{GapQuestion, ItemCopy};
use domain::gaps::masked_question;
use domain::models::{AgentRef, GapExample, Pin, TurnBody};

/// The item as the API would have stored it.
pub(super) fn constructed(item: ItemCopy) -> ItemCopy {
    match item {
        ItemCopy::Pin(pin) => {
            let Pin { pin_id, path, question, created_by, created_at } = *pin;
            ItemCopy::Pin(Box::new(Pin::new(pin_id, path, &question, created_by, created_at)))
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
            ItemCopy::Escalation(escalation)
        }
        other => other,
    }
}

fn masked(said: GapExample) -> GapExample {
    GapExample { text: masked_question(&said.text), ..said }
}
