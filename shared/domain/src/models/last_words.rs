//! The last words of a conversation in short, for the lists in which people choose one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use text::images;

use super::{AgentTurn, Disposition, Turn, TurnBody, TurnRole};

/// The newest message of a conversation that is no internal note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastWords {
    /// The writer's role. After `customer` the tenant owes an answer.
    pub role: TurnRole,
    /// Its first 160 characters, in one line.
    pub text: String,
    /// Of the AI's: the same of the customer's message before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Of the AI's: what became of that message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disposition: Option<Disposition>,
}

impl LastWords {
    /// Characters of an excerpt.
    pub const MAX_CHARS: usize = 160;

    /// The last words after `turn`, which leaves `before` as they were if it is a note or an event.
    #[must_use]
    pub fn after(turn: &Turn, before: Option<Self>) -> Option<Self> {
        let role = turn.role();
        // An answer shows images of entries, a line has words alone.
        let text =
            excerpt(&if role == TurnRole::Ai { images::without(&turn.content) } else { turn.content.as_str().into() });
        match &turn.body {
            TurnBody::Customer(_) | TurnBody::Agent(AgentTurn { internal: false, .. }) => {
                Some(Self { role, text, question: None, disposition: None })
            }
            TurnBody::Ai(answer) => {
                let question =
                    before.and_then(|it| if it.role == TurnRole::Customer { Some(it.text) } else { it.question });
                Some(Self { role, text, question, disposition: Some(answer.disposition) })
            }
            TurnBody::Agent(_) | TurnBody::System(_) => before,
        }
    }
}

/// The beginning of a text in one line.
fn excerpt(text: &str) -> String {
    // No word before the cut is looked at twice, and none after it at all.
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(LastWords::MAX_CHARS) {
            line.truncate(end);
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_line_of_whole_characters() {
        assert_eq!(excerpt("  Hello\n\n  there\tyou "), "Hello there you");
        assert_eq!(excerpt(&"ä".repeat(9_000)), "ä".repeat(LastWords::MAX_CHARS));
        assert_eq!(excerpt(&"ab ".repeat(9_000)).chars().count(), LastWords::MAX_CHARS);
    }
}
