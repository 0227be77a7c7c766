//! Splits a text into the tokens of the model: words without apostrophes and drawn-out letters, runs of Chinese and
//! Japanese characters, question marks and emoji.

use unicode_normalization::char::decompose_compatible;

use crate::dialogue::words::{continues_word, is_character_word, normalized_spelling};

/// The token of every question mark.
pub(crate) const QUESTION_MARK: &str = "?";

/// The tokens of a text, none empty.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut reader = Reader::default();
    for c in text.chars() {
        decompose_compatible(c, |part| part.to_lowercase().for_each(|letter| reader.read(letter)));
    }
    reader.end();
    reader.tokens
}

/// Whether a token is a run of Chinese or Japanese characters, which has no spaces between its words.
pub(crate) fn is_run(token: &str) -> bool {
    token.starts_with(is_character_word)
}

#[derive(Default)]
struct Reader {
    tokens: Vec<String>,
    token: String,
    last: Option<char>,
    /// The last letter is the same as the one before.
    doubled: bool,
}

impl Reader {
    fn read(&mut self, letter: char) {
        let Some(letter) = spelling(letter) else { return };
        if !continues_word(letter) {
            self.end();
            match letter {
                '?' | '؟' => self.tokens.push(QUESTION_MARK.to_owned()),
                '\u{1F300}'.. => self.tokens.push(letter.to_string()),
                _ => {}
            }
            return;
        }
        if self.last.is_some_and(|last| is_character_word(last) != is_character_word(letter)) {
            self.end();
        }
        let same = self.last == Some(letter);
        if same && self.doubled {
            return;
        }
        self.doubled = same;
        self.last = Some(letter);
        match letter {
            'ß' => self.token.push_str("ss"),
            letter => self.token.push(letter),
        }
    }

    fn end(&mut self) {
        (self.last, self.doubled) = (None, false);
        if !self.token.is_empty() {
            self.tokens.push(std::mem::take(&mut self.token));
        }
    }
}

/// One letter for those that look or sound alike; none for marks, apostrophes and the voicing of kana, which are often
/// left out or mistaken.
fn spelling(letter: char) -> Option<char> {
    match letter {
        '\'' | '’' | '`' | '´' | '\u{3099}' | '\u{309A}' => None,
        'ς' => Some('σ'),
        'ı' => Some('i'),
        letter => normalized_spelling(letter),
    }
}
