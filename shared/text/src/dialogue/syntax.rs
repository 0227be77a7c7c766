//! The syntax of phrases: that of the `regex` crate over words. White space separates words, `<name>` is a list of the
//! language, and `agent\w*` is every word that begins with `agent`.

/// How a table writes that a word only has to begin so.
const ANY_ENDING: &str = "\\w*";

/// A piece of a phrase.
pub(crate) enum Piece<'a> {
    /// One word or, in scripts without spaces, several.
    Words {
        /// As written.
        text: &'a str,
        /// Other words that begin so count too.
        any_ending: bool,
    },
    /// The name of a list.
    List(&'a str),
    /// Syntax of `regex`.
    Syntax(&'a str),
}

/// Cuts a phrase into words, names of lists and syntax.
pub(crate) fn pieces(phrase: &str) -> Vec<Piece<'_>> {
    let mut all = Vec::new();
    let mut rest = phrase.trim_start();
    while let Some(first) = rest.chars().next() {
        let closing = match first {
            '<' => Some('>'),
            '{' => Some('}'),
            _ => None,
        };
        let end = match closing {
            Some(closing) => rest.find(closing).map_or(rest.len(), |at| at + 1),
            None if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (piece, then) = rest.split_at(end);
        let any_ending = then.starts_with(ANY_ENDING);
        all.push(match first {
            '<' => Piece::List(piece.trim_matches(['<', '>'])),
            c if is_word(c) => Piece::Words { text: piece, any_ending },
            _ => Piece::Syntax(piece),
        });
        rest = then.strip_prefix(ANY_ENDING).filter(|_| any_ending).unwrap_or(then).trim_start();
    }
    all
}

/// Characters outside the syntax of `regex`.
fn is_word(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')' | '|' | '?' | '*' | '+' | '{' | '}' | '<' | '>' | '\\' | '[' | ']')
}
