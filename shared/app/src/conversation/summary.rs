//! A conversation in a few lines, for the agent who takes it over and for the AI that gets it back. It consists of
//! quotations, and no model is called.

use domain::models::{AiTurn, Disposition, Turn, TurnRole};

/// The longest quotation, in characters.
const QUOTE_CHARS: usize = 240;

/// The conversation so far, in short: how it began, the latest message, and the AI's reply. `turns` oldest first; none
/// if the customer has not written.
pub(super) fn summary(turns: &[Turn]) -> Option<String> {
    let customers = asked(turns);
    let (first, last) = (customers.first()?, customers.last()?);
    let mut lines = vec![format!("The customer wrote: {}", quote(&first.content))];
    if last.number != first.number {
        let between = customers.len().saturating_sub(2);
        let more = if between > 0 { format!(" ({between} more in between)") } else { String::new() };
        lines.push(format!("And last{more}: {}", quote(&last.content)));
    }
    lines.extend(of_answers(turns));
    lines.extend(of_people(turns));
    Some(lines.join("\n"))
}

/// The summary if the customer has written nothing: the reason for the request.
pub(super) fn of_reason(reason: &str) -> String {
    format!("The customer asked for a person: {}", quote(reason))
}

/// The summary of a case to which the customer comes back, with what the AI was told about the earlier one.
pub(super) fn with_earlier_part(summary: Option<String>, note: Option<&str>) -> Option<String> {
    let lines: Vec<String> = summary.into_iter().chain(note.map(str::to_owned)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The customer's turns, without small talk if there is anything else.
fn asked(turns: &[Turn]) -> Vec<&Turn> {
    let customers = || turns.iter().filter(|turn| turn.role() == TurnRole::Customer);
    let is_small_talk = |asked: &&Turn| {
        let reply = turns.iter().find(|turn| turn.number > asked.number && !turn.is_internal());
        reply.is_some_and(|turn| turn.disposition() == Some(Disposition::SmallTalk))
    };
    let questions: Vec<&Turn> = customers().filter(|turn| !is_small_talk(turn)).collect();
    if questions.is_empty() { customers().collect() } else { questions }
}

fn of_answers(turns: &[Turn]) -> Option<String> {
    let answers: Vec<&AiTurn> = turns.iter().filter_map(Turn::ai).collect();
    let last = answers.last()?;
    let gaps = answers.iter().filter(|answer| answer.unanswered).count();
    let found = match last.sources.first() {
        Some(source) if last.disposition == Disposition::Answered => {
            format!("the last from “{}”", source.title)
        }
        Some(source) => format!("the last was no answer; nearest was “{}”", source.title),
        None => "the last without a source".to_owned(),
    };
    Some(format!("The AI replied {}, {gaps} without an answer in the wiki, {found}.", times(answers.len())))
}

fn of_people(turns: &[Turn]) -> Option<String> {
    let last = turns.iter().rev().find(|turn| turn.role() == TurnRole::Agent && !turn.is_internal())?;
    Some(format!("The team wrote last: {}", quote(&last.content)))
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// The beginning of a text on one line, in quotation marks.
fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTE_CHARS) {
        Some((end, _)) => format!("“{}…”", line.get(..end).unwrap_or_default().trim_end()),
        None => format!("“{line}”"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::models::{AgentRef, AgentTurn, CustomerTurn, MessageId, Timestamp, TurnBody};

    fn turn(number: u32, content: &str, body: TurnBody) -> Turn {
        let at = Timestamp::default();
        let message_id = MessageId::from_parts(at, u128::from(number));
        Turn { message_id, number, content: content.to_owned(), created_at: at, body }
    }

    fn asked(number: u32, content: &str) -> Turn {
        turn(number, content, TurnBody::Customer(CustomerTurn::default()))
    }

    fn answer(content: &str, answer: AiTurn) -> Turn {
        turn(2, content, TurnBody::Ai(Box::new(answer)))
    }

    #[test]
    fn a_summary_says_how_it_began_what_came_last_and_what_the_ai_made_of_it() {
        let gap = AiTurn { unanswered: true, ..AiTurn::new(Disposition::NoAnswer, 1) };
        let turns =
            [asked(1, "My  order\nis late."), answer("No idea.", gap), asked(3, "Really?"), asked(4, &"x".repeat(500))];
        let text = summary(&turns).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "The customer wrote: “My order is late.”");
        assert_eq!(lines[1], format!("And last (1 more in between): “{}…”", "x".repeat(QUOTE_CHARS)));
        assert_eq!(lines[2], "The AI replied once, 1 without an answer in the wiki, the last without a source.");
    }

    #[test]
    fn a_greeting_is_no_matter_unless_it_is_all_that_was_said() {
        let hello = answer("Hello!", AiTurn::new(Disposition::SmallTalk, 1));
        let turns = [asked(1, "hi"), hello, asked(3, "Where is my order?")];
        assert!(summary(&turns).unwrap().starts_with("The customer wrote: “Where is my order?”"));
        assert!(summary(&turns[..2]).unwrap().starts_with("The customer wrote: “hi”"));
        assert_eq!(of_reason("My parcel"), "The customer asked for a person: “My parcel”");
    }

    #[test]
    fn nothing_is_said_of_a_conversation_without_a_customer_and_notes_are_left_out() {
        assert_eq!(summary(&[answer("hello", AiTurn::new(Disposition::Answered, 1))]), None);
        let agent = AgentRef { id: "bob".into(), name: None };
        let note = turn(2, "a secret", TurnBody::Agent(AgentTurn { agent, internal: true }));
        let text = summary(&[asked(1, "Hi"), note]).unwrap();
        assert_eq!(text, "The customer wrote: “Hi”");
    }
}
