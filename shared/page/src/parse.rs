//! Parses HTML into a [`Tree`], in time and memory linear in the page.
//!
//! `html5gum` separates tags from text as the HTML standard does. The browsers' error recovery is left out if it
//! costs quadratic time on hostile nesting (html5ever: a megabyte of `<div>` takes minutes). Here an end tag closes the
//! nearest element of its name, an element that may be left unclosed is closed by what follows it, and elements deeper
//! than [`MAX_DEPTH`] become siblings instead of children.

use std::convert::Infallible;

use html5gum::Tokenizer;
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};

use super::names::{Attr, Tag};
use super::open_elements::Open;
use super::read_error::ReadError;
use super::tree::{Content, Id, MAX_DEPTH, Tree};

/// So much of an attribute is read, in bytes.
const MAX_VALUE_BYTES: usize = 2_048;
/// So many attributes of one element are kept.
const MAX_ATTRS: usize = 16;

/// Reads a page; [`ReadError::TooLarge`] when it has more elements than a page for readers has.
pub(super) fn parse(html: &str) -> Result<Tree, ReadError> {
    let mut builder = Builder::new();
    let mut emitter = CallbackEmitter::<_, Infallible>::new(&mut builder);
    emitter.naively_switch_states(true);
    // Reading from memory cannot fail, and the builder emits nothing.
    let _ = Tokenizer::new_with_emitter(html, emitter).finish();
    if builder.full { Err(ReadError::TooLarge) } else { Ok(builder.tree) }
}

struct Builder {
    tree: Tree,
    open: Open,
    /// The element whose start tag is being read.
    starting: Option<Tag>,
    attrs: Vec<(Attr, Box<str>)>,
    /// The attribute whose value comes next.
    attr: Option<Attr>,
    skipped: Option<Skipped>,
    full: bool,
}

/// An element nothing of which is kept, and how often it is open.
struct Skipped {
    tag: Tag,
    depth: usize,
}

impl Callback<Infallible, ()> for &mut Builder {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: html5gum::Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.starting = Some(Tag::of(&String::from_utf8_lossy(name)));
                self.attrs.clear();
                self.attr = None;
            }
            CallbackEvent::AttributeName { name } => self.attribute(&String::from_utf8_lossy(name)),
            CallbackEvent::AttributeValue { value } => self.value(value),
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some(tag) = self.starting.take() {
                    self.start(tag, self_closing);
                }
            }
            CallbackEvent::EndTag { name } => self.end(Tag::of(&String::from_utf8_lossy(name))),
            CallbackEvent::String { value } => self.text(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }
}

impl Builder {
    fn new() -> Self {
        Self {
            tree: Tree::new(),
            open: Open::new(),
            starting: None,
            attrs: Vec::new(),
            attr: None,
            skipped: None,
            full: false,
        }
    }

    fn attribute(&mut self, name: &str) {
        let known = Attr::known(name).filter(|_| self.starting.is_some() && self.attrs.len() < MAX_ATTRS);
        self.attr = known.filter(|name| self.attrs.iter().all(|(there, _)| there != name));
        if let Some(name) = self.attr {
            self.attrs.push((name, Box::default()));
        }
    }

    fn value(&mut self, value: &[u8]) {
        let cut = value.get(..MAX_VALUE_BYTES).unwrap_or(value);
        if let (Some(_), Some((_, kept))) = (self.attr.take(), self.attrs.last_mut()) {
            *kept = String::from_utf8_lossy(cut).into();
        }
    }

    fn start(&mut self, tag: Tag, self_closing: bool) {
        if let Some(skipped) = &mut self.skipped {
            if skipped.tag != tag {
                if !(skipped.tag == Tag::Svg && ends_a_drawing(tag)) {
                    return;
                }
                self.skipped = None;
            } else {
                skipped.depth += usize::from(!self_closing);
                return;
            }
        }
        self.open.close_before(tag);
        let attrs = std::mem::take(&mut self.attrs);
        let shadow = attrs.iter().any(|(name, _)| *name == Attr::ShadowRootMode);
        let Some(id) = self.append(Content::Element(tag, attrs.into())) else { return };
        if is_skipped(tag) && !shadow {
            self.skipped = (!self_closing || tag != Tag::Svg).then_some(Skipped { tag, depth: 1 });
        } else if !(tag.is_void() || self_closing && tag == Tag::Other) {
            self.open.push(tag, id, MAX_DEPTH);
        }
    }

    fn end(&mut self, tag: Tag) {
        if let Some(skipped) = &mut self.skipped {
            if skipped.tag == tag {
                skipped.depth -= 1;
                if skipped.depth == 0 {
                    self.skipped = None;
                }
            }
            return;
        }
        if tag == Tag::Br {
            self.append(Content::Element(Tag::Br, Box::default()));
        } else {
            self.open.close(tag);
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped.is_none() && !text.is_empty() {
            self.append(Content::Text(text.replace('\0', "").into()));
        }
    }

    fn append(&mut self, content: Content) -> Option<Id> {
        let id = self.tree.append(self.open.current(), content);
        self.full |= id.is_none();
        id
    }
}

/// Not even looked into.
const fn is_skipped(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Iframe
            | Tag::Noscript
            | Tag::Script
            | Tag::Select
            | Tag::Style
            | Tag::Svg
            | Tag::Template
            | Tag::Textarea
            | Tag::Datalist
    )
}

/// A start tag that ends an unclosed drawing (HTML, 13.2.6.5); text in drawings uses other tags.
const fn ends_a_drawing(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Body
            | Tag::Main
            | Tag::Article
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::Ul
            | Tag::Ol
            | Tag::Dl
            | Tag::Table
            | Tag::Pre
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(html: &str) -> String {
        fn show(tree: &Tree, id: Id, out: &mut String) {
            match tree.tag(id) {
                Some(tag) => {
                    out.push_str(&format!("{tag:?}("));
                    tree.children(id).for_each(|child| show(tree, child, out));
                    out.push(')');
                }
                None => out.push_str(tree.text(id).unwrap()),
            }
        }
        let tree = parse(html).unwrap();
        let mut out = String::new();
        tree.children(Tree::ROOT).for_each(|child| show(&tree, child, &mut out));
        out
    }

    #[test]
    fn an_optional_end_tag_is_implied_by_the_next_tag() {
        assert_eq!(outline("<p>a<p>b<div>c</div>"), "P(a)P(b)Div(c)");
        assert_eq!(outline("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>e"), "Ul(Li(a)Li(bUl(Li(c)))Li(d))e");
        assert_eq!(outline("<dl><dt>a<dd>b<dt>c<dd>d</dl>"), "Dl(Dt(a)Dd(b)Dt(c)Dd(d))");
        assert_eq!(outline("<table><tr><td>a<td>b<tr><td>c</table>d"), "Table(Tr(Td(a)Td(b))Tr(Td(c)))d");
        assert_eq!(outline("<head><title>t</title><p>a"), "Head(Title(t))P(a)");
        assert_eq!(outline("<h2>a<h3>b</h2>c"), "H2(a)H3(b)c");
    }

    #[test]
    fn tags_that_close_nothing_are_ignored() {
        assert_eq!(outline("<div>a</span></p></div></div>b"), "Div(a)b");
        assert_eq!(outline("<b>a<i>b</b>c</i>d"), "B(aI(b))cd");
        assert_eq!(outline("<div><b>a<div>b</b>c</div>d</div>"), "Div(B(aDiv(bc)d))");
        assert_eq!(outline("<div><table><tr><td>a</div>b</td></tr></table>c</div>"), "Div(Table(Tr(Td(ab)))c)");
    }

    #[test]
    fn nothing_of_scripts_and_drawings_is_kept() {
        assert_eq!(outline("a<script>if (a<b) '<p>x</p>'</script>b"), "aScript()b");
        assert_eq!(outline("a<svg><path/><svg><text>x</text></svg>y</svg>b"), "aSvg()b");
        assert_eq!(outline("a<svg><path><h2>b</h2>"), "aSvg()H2(b)");
        assert_eq!(outline("a<noscript><p>turn it on</p></noscript>b<!-- c -->d"), "aNoscript()bd");
        assert_eq!(
            outline("<template>x</template><x-y><template shadowrootmode=open>z</template></x-y>"),
            "Template()Other(Template(z))"
        );
    }
}
