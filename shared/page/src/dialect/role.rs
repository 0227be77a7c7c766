//! The meaning of a directive, by its name.

use super::arguments::Arguments;
use super::attributes;
use super::tag::{Directive, Form, Syntax};

/// The kinds of hints.
const KINDS: &[&str] = &[
    "note",
    "tip",
    "info",
    "warning",
    "caution",
    "danger",
    "important",
    "success",
    "check",
    "error",
    "question",
    "example",
    "attention",
    "abstract",
    "summary",
    "todo",
    "failure",
    "fail",
    "bug",
    "quote",
    "seealso",
    "faq",
    "help",
    "remark",
    "new",
    "deprecated",
    "prerequisites",
];
/// Hints that say their kind in an argument.
const HINTS: &[&str] = &["admonition", "aside", "callout", "hint", "alert", "notice", "blockquote"];
const PANELS: &[&str] = &["tab", "tabitem", "tabpanel", "tabbeditem", "codetab", "view", "codeblocktab"];
const FOLDS: &[&str] = &[
    "details",
    "accordion",
    "accordionitem",
    "expand",
    "expandable",
    "collapse",
    "collapsible",
    "collapsecode",
    "spoiler",
    "toggle",
    "expansionpanel",
];
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

pub(super) fn of(directive: &Directive<'_>) -> Role {
    let arguments = Arguments::of(directive.arguments);
    let last = directive.name.rsplit('.').next().unwrap_or_default();
    let name: String = last.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let name = name.as_str();
    match name {
        "comment" => Role::Comment,
        "raw" if directive.syntax == Syntax::Liquid => Role::Literal,
        "highlight"
            if directive.form == Form::Open && matches!(directive.syntax, Syntax::Liquid | Syntax::Shortcode) =>
        {
            Role::Code(
                arguments.get(&["lang", "language"]).or_else(|| arguments.word(0)).unwrap_or_default().to_owned(),
            )
        }
        "code" | "codetoggle" if directive.form == Form::Open && directive.syntax == Syntax::Shortcode => {
            Role::Code(arguments.get(&["lang", "language"]).unwrap_or_default().to_owned())
        }
        "ref" | "relref" | "link" | "posturl" | "contentref" | "pageref" if directive.syntax != Syntax::Component => {
            target(name, &arguments)
        }
        "include" if directive.syntax == Syntax::Liquid => include(&arguments),
        "embed" if directive.syntax == Syntax::Liquid => Role::Text(linked(arguments.get(&["url"]))),
        "file" if directive.syntax == Syntax::Liquid => Role::Text(file(&arguments)),
        "if" | "elsif" | "elseif" | "else" | "unless" | "for" | "case" | "when" | "assign" | "capture" | "set"
            if directive.syntax == Syntax::Liquid =>
        {
            Role::Group(String::new())
        }
        _ if PANELS.contains(&name) => panel(directive, &arguments),
        _ if FOLDS.contains(&name) => Role::Fold(title(directive, &arguments).unwrap_or_default()),
        _ if KINDS.contains(&name) || HINTS.contains(&name) => note(directive, name, &arguments),
        _ if directive.form == Form::Void || directive.syntax == Syntax::Shortcode => void(directive, name, &arguments),
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
    Role::Note(title.unwrap_or_else(|| attributes::capitalised(kind.unwrap_or(if own { "note" } else { name }))))
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
    Role::Text(
        kind.map_or_else(|| content.to_owned(), |kind| format!("**{}** {content}", attributes::capitalised(kind))),
    )
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
        None => format!("**{}**", attributes::plain(title)),
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
