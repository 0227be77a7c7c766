//! HTML in an answer: elements are taken out, and nothing that is left can begin one.

/// The elements of HTML, SVG and MathML that a page might render; other words in angle brackets are placeholders.
const ELEMENTS: &str = " a abbr acronym address animate applet area article aside audio b base bdi bdo big blink \
    blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog div \
    dl dt em embed fieldset figcaption figure font footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head \
    header hgroup hr html i iframe img image input ins kbd label legend li link main map mark marquee math menu meta \
    meter nav noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress \
    q rp rt ruby s samp script search section select slot small source span strike strong style sub summary sup svg \
    table tbody td template textarea tfoot th thead time title tr track tt u ul use var video wbr xmp xss ";

/// Takes out comments and the tags of known elements; the text between tags stays.
pub(super) fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        match tag_len(tag) {
            Some(len) => rest = tag.get(len..).unwrap_or_default(),
            None => {
                out.push('<');
                rest = tag;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The bytes of a tag after its `<`, with its `>`.
fn tag_len(tag: &str) -> Option<usize> {
    if tag.starts_with("!--") {
        return Some(tag.find("-->").map_or(tag.len(), |end| end + 3));
    }
    let name_start = usize::from(tag.starts_with('/'));
    let name: String = tag.chars().skip(name_start).take_while(char::is_ascii_alphanumeric).collect();
    let known = !name.is_empty() && ELEMENTS.contains(&format!(" {} ", name.to_ascii_lowercase()));
    known.then(|| end_of_tag(tag)).flatten()
}

/// The first `>` that no quotes hide.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    tag.find('>').map(|at| at + 1)
}

/// Puts a space after every `<` that could begin a tag, a comment or a declaration, so that none does.
pub(super) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        let begins_tag = |next: &char| next.is_alphabetic() || matches!(next, '/' | '!' | '?');
        if c == '<' && chars.peek().is_some_and(begins_tag) {
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{inert, without_tags};

    #[test]
    fn no_element_survives() {
        for (text, expected) in [
            ("<b>bold</b> text", "bold text"),
            ("<script>alert(1)</script>", "alert(1)"),
            ("<img src=x onerror=alert(1)>done", "done"),
            ("<a title=\">\" href='x'>y</a>", "y"),
            ("a<!-- hidden -->b", "ab"),
            ("a<!-- open", "a"),
            ("<scr<b>ipt>x", "< script>x"),
            ("<svg/onload=alert(1)>", ""),
            ("<img src=x onerror=alert(1)", "< img src=x onerror=alert(1)"),
            ("</DIV>x", "x"),
        ] {
            assert_eq!(inert(&without_tags(text)), expected, "{text}");
        }
    }

    #[test]
    fn comparisons_and_placeholders_stay_readable() {
        for (text, expected) in [
            ("if 3 < 5 and a <= b", "if 3 < 5 and a <= b"),
            ("run login <username>", "run login < username>"),
            ("x <- y", "x <- y"),
        ] {
            assert_eq!(inert(&without_tags(text)), expected, "{text}");
        }
    }
}
