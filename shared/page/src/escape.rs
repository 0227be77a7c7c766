//! Writes text of a page as Markdown: what would begin a tag or a character reference is escaped, so that it shows as
//! on the page.

/// The most characters of a character reference between `&` and `;`.
const REFERENCE_CHARS: usize = 32;

/// `text` as Markdown.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push(&mut out, c);
    }
    out
}

/// Adds a displayed character to Markdown text; the end of the text is escaped if `c` would make it markup.
pub(super) fn push(out: &mut String, c: char) {
    if (c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) && out.ends_with('<') {
        out.pop();
        out.push_str("&lt;");
    } else if c == ';' {
        let name =
            out.bytes().rev().take(REFERENCE_CHARS).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
        let start = out.len() - name;
        if name > 1 && out.get(..start).is_some_and(|before| before.ends_with('&')) {
            out.insert_str(start, "amp;");
        }
    }
    out.push(c);
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn shown_markup_stays_text() {
        for (text, expected) in [
            ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"),
            ("</b> <!-- c --> <?x?>", "&lt;/b> &lt;!-- c --> &lt;?x?>"),
            ("3 < 4 && a <= b, <3, R&D, x & y; a&b c;", "3 < 4 && a <= b, <3, R&D, x & y; a&b c;"),
            ("write &lt; or &#60;", "write &amp;lt; or &amp;#60;"),
        ] {
            assert_eq!(escaped(text), expected, "{text}");
        }
    }
}
