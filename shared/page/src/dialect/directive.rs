//! One directive: finds it (`<Card …>`, `{% tab … %}`, `{{< tab … >}}`), reads its arguments (`title="…"`, `{…}`, words), and
//! says what it means, by its name.

use super::line::{capitalised, head, plain, tail};

/// A longer tag is text, in bytes.
const MAX_TAG_BYTES: usize = 16 * 1024;
/// A longer tag between braces is text, in bytes.
const MAX_BRACES_BYTES: usize = 4_000;
/// The most braces around an expression.
const MAX_BRACES: usize = 20;

/// The way in which a directive is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Syntax {
    /// `<Card>`.
    Component,
    /// `<div>`.
    Element,
    /// `{% tab %}`.
    Liquid,
    /// `{{< tab >}}` and `{{% tab %}}`.
    Shortcode,
    /// `:::note` or `/// note`, with the number of these characters.
    Fence(u8, usize),
    /// `!!! note`: ends with its indentation.
    Indented,
}

/// The place of a tag at its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Open,
    Close,
    Void,
}

/// A directive as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Directive<'t> {
    pub(super) syntax: Syntax,
    pub(super) form: Form,
    pub(super) name: &'t str,
    /// All behind the name.
    pub(super) arguments: &'t str,
    /// In bytes.
    pub(super) len: usize,
}

/// The tag of a component or an element at the start of the text.
pub(super) fn element(text: &str) -> Option<Directive<'_>> {
    let inner = text.strip_prefix('<')?;
    let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let name = head(inner, inner.bytes().take_while(|b| b.is_ascii_alphanumeric() || b".-_".contains(b)).count());
    let first = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let rest = tail(inner, name.len());
    if !rest.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/') {
        return None;
    }
    let arguments = head(rest, tag_end(rest)?);
    let void = arguments.ends_with('/');
    let syntax = if first.is_ascii_uppercase() { Syntax::Component } else { Syntax::Element };
    let form = form(closes, void);
    let len = text.len() - rest.len() + arguments.len() + 1;
    Some(Directive { syntax, form, name, arguments: arguments.trim_end_matches('/').trim(), len })
}

fn form(closes: bool, void: bool) -> Form {
    match (closes, void) {
        (true, _) => Form::Close,
        (false, true) => Form::Void,
        (false, false) => Form::Open,
    }
}

/// Where `>` ends a tag. Quotations and braces may hold one.
fn tag_end(text: &str) -> Option<usize> {
    let text = head(text, MAX_TAG_BYTES);
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += match bytes.get(at)? {
            b'>' => return Some(at),
            b'<' => return None,
            b'\n' if tail(text, at + 1).trim_start_matches([' ', '\t', '\r']).starts_with('\n') => return None,
            b'{' => braces(tail(text, at))?,
            quote @ (b'"' | b'\'') => tail(text, at + 1).find(char::from(*quote))? + 2,
            _ => 1,
        };
    }
}

/// The length of what stands in braces at the start of the text, with them. Strings may hold braces.
pub(super) fn braces(text: &str) -> Option<usize> {
    let bytes = head(text, MAX_TAG_BYTES).as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        match bytes.get(at)? {
            b'{' if depth == MAX_BRACES => return None,
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth -= 1,
            quote @ (b'"' | b'\'' | b'`') => at += string(bytes, at, *quote),
            _ => {}
        }
        at += 1;
    }
}

/// The length of a string without its first quotation mark, or 0: an apostrophe in text opens none.
pub(super) fn string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let inner = bytes.iter().skip(at + 1);
    let mut inner = inner.take_while(|b| quote == b'`' || **b != b'\n');
    inner.position(|b| *b == quote).map_or(0, |length| length + 1)
}

/// `{% name … %}` at the start of the text.
pub(super) fn liquid(text: &str) -> Option<Directive<'_>> {
    let inner = between(text, "{%", "%}")?;
    let len = inner.len() + 4;
    let inner = inner.trim_matches('-').trim();
    let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let (name, arguments) = named(inner)?;
    let end = name.strip_prefix("end").filter(|name| !name.is_empty());
    let form = form(closes || end.is_some(), arguments.ends_with('/'));
    let arguments = arguments.trim_end_matches('/');
    Some(Directive { syntax: Syntax::Liquid, form, name: end.unwrap_or(name), arguments, len })
}

/// `{{< name … >}}` or `{{% name … %}}` at the start of the text.
pub(super) fn shortcode(text: &str) -> Option<Directive<'_>> {
    let inner = between(text, "{{<", ">}}").or_else(|| between(text, "{{%", "%}}"))?;
    let len = inner.len() + 6;
    let inner = inner.trim();
    let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner.trim_start()));
    let (name, arguments) = named(inner)?;
    let form = form(closes, arguments.ends_with('/'));
    Some(Directive { syntax: Syntax::Shortcode, form, name, arguments: arguments.trim_end_matches('/'), len })
}

/// The text between two marks; another opening mark before the end makes it none.
pub(super) fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let inner = head(text.strip_prefix(open)?, MAX_BRACES_BYTES);
    let inner = head(inner, inner.find(open).unwrap_or(inner.len()));
    Some(head(inner, inner.find(close)?))
}

fn named(inner: &str) -> Option<(&str, &str)> {
    let end = inner.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"-_./".contains(b)).count();
    let name = head(inner, end).trim_end_matches('/');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then(|| (name, tail(inner, name.len()).trim()))
}

/// Names with their values, and values without a name.
#[derive(Debug, Default)]
pub(super) struct Arguments<'t>(Vec<(&'t str, String)>);

impl<'t> Arguments<'t> {
    /// Reads what stands behind a directive's name.
    pub(super) fn of(text: &'t str) -> Self {
        let mut all = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let name =
                head(rest, rest.find(|c: char| c.is_whitespace() || "=\"'`{,".contains(c)).unwrap_or(rest.len()));
            let after = tail(rest, name.len());
            let (name, from) = match after.trim_start().strip_prefix('=') {
                Some(value) => (name, value.trim_start()),
                None if name.ends_with(':') => (name.trim_end_matches(':'), after.trim_start()),
                None if name.is_empty() => ("", rest),
                None => {
                    all.push(("", name.to_owned()));
                    ("", after)
                }
            };
            rest = from;
            if from.starts_with(['"', '\'', '`', '{']) || !name.is_empty() {
                let (value, length) = value(from);
                all.push((name, value));
                rest = tail(from, length);
            }
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",=}".contains(c));
        }
        Self(all)
    }

    /// The value of the first of `names` that has one.
    pub(super) fn get(&self, names: &[&str]) -> Option<&str> {
        let of = |name: &&str| self.0.iter().find(|(own, value)| own == name && !value.trim().is_empty());
        names.iter().find_map(of).map(|(_, value)| value.trim())
    }

    /// A value without a name, by its position among those.
    pub(super) fn word(&self, position: usize) -> Option<&str> {
        self.0.iter().filter(|(name, _)| name.is_empty()).nth(position).map(|(_, value)| value.as_str())
    }
}

/// A value, and its length in the text. An expression that is no string has none.
fn value(text: &str) -> (String, usize) {
    match text.chars().next() {
        Some('{') => {
            let length = braces(text).unwrap_or(1);
            let inner = head(text, length).trim_matches(['{', '}']).trim();
            (literal(inner).unwrap_or_default(), length)
        }
        Some(quote @ ('"' | '\'' | '`')) => quoted(text, quote),
        _ => {
            let end = text.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len());
            (head(text, end).to_owned(), end)
        }
    }
}

fn quoted(text: &str, quote: char) -> (String, usize) {
    let mut out = String::new();
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            c if c == quote && !escaped => return (one_line(&out), at + 1),
            '\\' if !escaped => escaped = true,
            c => {
                if escaped && c != quote {
                    out.push('\\');
                }
                escaped = false;
                out.push(c);
            }
        }
    }
    (one_line(&out), text.len())
}

fn one_line(text: &str) -> String {
    if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text.to_owned() }
}

/// The text of a string of JavaScript without insertions.
pub(super) fn literal(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let (value, length) = quoted(text, quote);
    (length == text.len() && length > 1 && !(quote == '`' && value.contains("${"))).then_some(value)
}

/// The kinds of hints.
const KINDS: &[&str] = words![note tip info warning caution danger important success check error question example
    attention abstract summary todo failure fail bug quote seealso faq help remark new deprecated prerequisites];
/// Hints that say their kind in an argument.
const HINTS: &[&str] = &["admonition", "aside", "callout", "hint", "alert", "notice", "blockquote"];
const PANELS: &[&str] = &["tab", "tabitem", "tabpanel", "tabbeditem", "codetab", "view", "codeblocktab"];
const FOLDS: &[&str] = words![details accordion accordionitem expand expandable collapse collapsible collapsecode
    spoiler toggle expansionpanel];
/// Their titles are no text of the page.
const MEDIA: &[&str] = &[
    "image", "img", "video", "youtube", "vimeo", "iframe", "icon", "head", "meta", "seo", "redirect", "tooltip",
    "term", "qr",
];
const FIELDS: &[&str] = &["paramfield", "responsefield", "property", "param", "field"];
const TITLES: &[&str] = &["title", "label", "heading", "header", "summary", "question", "name"];

/// Whether a word names a kind of hint.
pub(super) fn is_kind(word: &str) -> bool {
    KINDS.contains(&word.to_ascii_lowercase().as_str())
}

/// The treatment of a directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// One of several that are shown in turn, with its label.
    Panel(String),
    /// A hint, with its title, which may be empty.
    Note(String),
    /// Hidden until it is opened, with its title, which may be empty.
    Fold(String),
    /// Only what it holds, behind a title, which may be empty.
    Group(String),
    /// Text in a line, or a paragraph of its own if it stands alone.
    Text(String),
    /// The address of a link.
    Target(String),
    /// Code up to its end tag, in a language that may be empty.
    Code(String),
    /// Goes with what it holds.
    Comment,
    /// Its content is no directive.
    Literal,
}

pub(super) fn role(directive: &Directive<'_>) -> Role {
    let arguments = Arguments::of(directive.arguments);
    let last = directive.name.rsplit('.').next().unwrap_or_default();
    let name: String = last.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let name = name.as_str();
    let (is_liquid, is_shortcode) = (directive.syntax == Syntax::Liquid, directive.syntax == Syntax::Shortcode);
    let is_open = directive.form == Form::Open;
    let code =
        |or: Option<&str>| Role::Code(arguments.get(&["lang", "language"]).or(or).unwrap_or_default().to_owned());
    match name {
        "comment" => Role::Comment,
        "raw" if is_liquid => Role::Literal,
        "highlight" if is_open && (is_liquid || is_shortcode) => code(arguments.word(0)),
        "code" | "codetoggle" if is_open && is_shortcode => code(None),
        "ref" | "relref" | "link" | "posturl" | "contentref" | "pageref" if directive.syntax != Syntax::Component => {
            target(name, &arguments)
        }
        "include" if is_liquid => include(&arguments),
        "embed" if is_liquid => Role::Text(linked(arguments.get(&["url"]))),
        "file" if is_liquid => Role::Text(file(&arguments)),
        "if" | "elsif" | "elseif" | "else" | "unless" | "for" | "case" | "when" | "assign" | "capture" | "set"
            if is_liquid =>
        {
            Role::Group(String::new())
        }
        _ if PANELS.contains(&name) => panel(directive, &arguments),
        _ if FOLDS.contains(&name) => Role::Fold(title(directive, &arguments).unwrap_or_default()),
        _ if KINDS.contains(&name) || HINTS.contains(&name) => note(directive, name, &arguments),
        _ if directive.form == Form::Void || is_shortcode => void(directive, name, &arguments),
        _ => group(directive, name, &arguments),
    }
}

fn title(directive: &Directive<'_>, arguments: &Arguments<'_>) -> Option<String> {
    let named = arguments.get(TITLES);
    let word =
        || arguments.word(0).filter(|_| directive.syntax == Syntax::Shortcode && directive.arguments.contains('"'));
    named.or_else(word).map(str::to_owned)
}

fn panel(directive: &Directive<'_>, arguments: &Arguments<'_>) -> Role {
    let label = match directive.syntax {
        Syntax::Component => {
            arguments.get(&["label", "title", "header", "name", "tabName", "value"]).map(str::to_owned)
        }
        _ => title(directive, arguments)
            .or_else(|| arguments.get(&["tabName", "value", "id"]).or_else(|| arguments.word(0)).map(str::to_owned)),
    };
    label.map_or(Role::Group(String::new()), Role::Panel)
}

/// The kind of a hint is its name, or an argument.
fn note(directive: &Directive<'_>, name: &str, arguments: &Arguments<'_>) -> Role {
    let word = |position| arguments.word(position).filter(|_| directive.syntax == Syntax::Shortcode);
    let own = HINTS.contains(&name);
    let named = arguments.get(&["type", "style", "variant", "kind", "severity", "color", "context", "level"]);
    let kind = named.filter(|kind| is_kind(kind)).or_else(|| word(0).filter(|kind| is_kind(kind))).filter(|_| own);
    let titles = arguments.get(&["title", "label", "heading", "header"]);
    let position = usize::from(word(0).is_some_and(is_kind));
    let written = word(position).filter(|_| directive.arguments.contains('"') && named.is_none());
    let title = titles.or(written).map(str::to_owned);
    Role::Note(title.unwrap_or_else(|| capitalised(kind.unwrap_or(if own { "note" } else { name }))))
}

fn target(name: &str, arguments: &Arguments<'_>) -> Role {
    let path = arguments.get(&["path", "page"]).or_else(|| arguments.word(0)).unwrap_or_default().replace(' ', "%20");
    match name {
        "contentref" => Role::Group(String::new()),
        "pageref" => Role::Text(if path.is_empty() { path } else { format!("[{path}]({path})") }),
        _ => Role::Target(path),
    }
}

/// An include may get its text from here: `{% include note.html content="…" %}`.
fn include(arguments: &Arguments<'_>) -> Role {
    let content = arguments.get(&["content", "text", "message", "caption"]).unwrap_or_default();
    let file = arguments.word(0).unwrap_or_default();
    let stem = file.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default();
    let kind = Some(stem).filter(|stem| KINDS.contains(stem) && !content.is_empty());
    Role::Text(kind.map_or_else(|| content.to_owned(), |kind| format!("**{}** {content}", capitalised(kind))))
}

fn file(arguments: &Arguments<'_>) -> String {
    let source = arguments.get(&["src"]).unwrap_or_default();
    let name = source.split(['?', '#']).next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    arguments.get(&["caption"]).unwrap_or(name).to_owned()
}

fn linked(address: Option<&str>) -> String {
    address
        .filter(|address| !address.contains([' ', '<', '>']))
        .map(|address| format!("<{address}>"))
        .unwrap_or_default()
}

/// A directive without content shows its own text.
fn void(directive: &Directive<'_>, name: &str, arguments: &Arguments<'_>) -> Role {
    let caption = arguments.get(&["caption"]);
    if matches!(name, "kbd" | "key") && directive.syntax == Syntax::Shortcode {
        return Role::Text(arguments.word(0).unwrap_or_default().to_owned());
    }
    if MEDIA.contains(&name) || name == "figure" {
        let title = arguments.get(&["title"]).filter(|_| name == "figure");
        let text = arguments.get(&["text"]).filter(|_| matches!(name, "term" | "tooltip"));
        return Role::Text(caption.or(title).or(text).unwrap_or_default().to_owned());
    }
    let text = arguments.get(&["text"]).or_else(|| arguments.get(&["content", "children"])).map(str::to_owned);
    match text.or_else(|| card(arguments)) {
        Some(text) => Role::Text(text),
        None => group(directive, name, arguments),
    }
}

/// A link with a title and a description.
fn card(arguments: &Arguments<'_>) -> Option<String> {
    let title = arguments.get(&["title", "label", "heading"])?;
    let title = match arguments.get(&["href", "link", "to", "url"]) {
        Some(address) => format!("[{title}]({})", address.replace(' ', "%20")),
        None => format!("**{}**", plain(title)),
    };
    Some(arguments.get(&["description"]).map_or_else(|| title.clone(), |more| format!("{title}\n\n{more}")))
}

fn group(directive: &Directive<'_>, name: &str, arguments: &Arguments<'_>) -> Role {
    let Directive { syntax, form, .. } = *directive;
    if MEDIA.contains(&name) {
        return Role::Group(String::new());
    }
    if FIELDS.contains(&name) && syntax == Syntax::Component {
        let field = arguments.get(&["name", "path", "query", "body", "header", "title"]).unwrap_or_default();
        let kind = arguments.get(&["type"]).map(|kind| format!(" ({kind})")).unwrap_or_default();
        return Role::Group(format!("{field}{kind}"));
    }
    let title = arguments.get(&["title", "label", "heading", "header", "caption", "date"]);
    let written = arguments
        .word(0)
        .filter(|_| syntax == Syntax::Shortcode && form == Form::Open && directive.arguments.starts_with('"'));
    Role::Group(
        title.or(written.filter(|_| matches!(name, "card" | "step" | "section"))).unwrap_or_default().to_owned(),
    )
}
