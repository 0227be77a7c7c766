//! Emoji and emoticons, which are the same in every language.

use super::{Kind, Kinds};

/// Emoticons with letters or digits.
const EMOTICONS: &[&str] = &[
    ":D", ":-D", ";D", ";-D", "=D", ":P", ":-P", ":p", ":-p", ";P", ";p", ";-)", "<3", "</3", ":o", ":O", ":-O", ":S",
    ":s", "XD",
];

/// The kinds of the emoji of a text.
pub(in crate::dialogue) fn signs(text: &str) -> Kinds {
    text.chars().filter_map(emoticon_kind).fold(Kinds::default(), |all, kind| all.and(Kinds::of(kind)))
}

const fn emoticon_kind(c: char) -> Option<Kind> {
    match c {
        '👋' => Some(Kind::Greeting),
        '🙏' | '💐' => Some(Kind::Thanks),
        '👍' | '👌' | '🆗' | '✅' | '✔' | '🤝' => Some(Kind::Okay),
        '👎' | '❌' => Some(Kind::Unhelped),
        '😡' | '😠' | '🤬' | '🖕' | '😤' | '💩' | '🙄' => Some(Kind::Anger),
        '\u{1F300}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' | '\u{2B50}' => Some(Kind::Acknowledgement),
        _ => None,
    }
}

/// A text with blanks in place of its emoticons, as long as before.
pub(in crate::dialogue) fn without_emoticons(text: &str) -> String {
    let blank =
        |piece: &str| if EMOTICONS.contains(&piece.trim_end()) { " ".repeat(piece.len()) } else { piece.to_owned() };
    text.split_inclusive(char::is_whitespace).map(blank).collect()
}
