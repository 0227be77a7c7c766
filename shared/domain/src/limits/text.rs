//! How long a text may be, and which characters it may have.

use text::{is_bidi, is_blank};

use crate::error::DetailCode;

/// The characters that a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// Anything but U+0000: what people write.
    Prose,
    /// One line: no control and no bidirectional-formatting characters.
    Line,
}

/// The limits of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLimit {
    /// The fewest characters.
    pub min: usize,
    /// The most characters.
    pub max: usize,
    /// The characters that it may hold.
    pub kind: TextKind,
}

impl TextLimit {
    /// A text of `min` to `max` characters; if `min` is not 0, white space and invisible characters alone are none.
    #[must_use]
    pub const fn prose(min: usize, max: usize) -> Self {
        Self { min, max, kind: TextKind::Prose }
    }

    /// A text of one line, for titles and names: no control and no bidirectional-formatting characters.
    #[must_use]
    pub const fn line(min: usize, max: usize) -> Self {
        Self { min, max, kind: TextKind::Line }
    }

    /// Validates a text.
    ///
    /// # Errors
    /// The problem's code and message.
    pub fn validate(self, text: &str) -> Result<(), (DetailCode, String)> {
        let Self { min, max, kind } = self;
        let length = text.chars().count();
        if text.contains('\0') {
            return Err((DetailCode::InvalidCharacter, "must not contain U+0000".to_owned()));
        }
        if kind == TextKind::Line && text.chars().any(|c| c.is_control() || is_bidi(c)) {
            let message = "must not contain control or bidirectional-formatting characters";
            return Err((DetailCode::InvalidCharacter, message.to_owned()));
        }
        if length < min {
            return Err((DetailCode::TooShort, format!("must have at least {min} characters")));
        }
        if length > max {
            return Err((DetailCode::TooLong, format!("must have at most {max} characters")));
        }
        if min > 0 && is_blank(text) {
            return Err((DetailCode::Blank, "must contain a visible character".to_owned()));
        }
        Ok(())
    }
}
