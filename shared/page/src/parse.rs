//! Parses HTML into a [`Tree`], in time and memory linear in the page.
//!
//! `html5gum` separates tags from text as the HTML standard does. The browsers' error recovery is left out if it
//! costs quadratic time on hostile nesting (html5ever: a megabyte of `<div>` takes minutes). Here an end tag closes the
//! nearest element of its name, an element that may be left unclosed is closed by what follows it, and elements deeper
//! than [`MAX_DEPTH`] become siblings instead of children.

use std::convert::Infallible;

use html5gum::Tokenizer;
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};

use super::tree::{Attr, Content, Id, MAX_DEPTH, Tag, Tree};

/// So much of an attribute is read, in bytes.
const MAX_VALUE_BYTES: usize = 2_048;
/// So many attributes of one element are kept.
const MAX_ATTRS: usize = 16;

/// Reads a page; [`ReadError::TooLarge`] when it has more elements than a page for readers has.
pub(super) fn parse(html: &str) -> Result<Tree, ReadError> {
    let mut builder = Builder::default();
    let mut emitter = CallbackEmitter::<_, Infallible>::new(&mut builder);
    emitter.naively_switch_states(true);
    // Reading from memory cannot fail, and the builder emits nothing.
    let _ = Tokenizer::new_with_emitter(html, emitter).finish();
    if builder.full { Err(ReadError::TooLarge) } else { Ok(builder.tree) }
}

#[derive(Default)]
struct Builder {
    tree: Tree,
    open: Open,
    /// The element whose start tag is being read.
    starting: Option<Tag>,
    attrs: Vec<(Attr, Box<str>)>,
    /// The attribute whose value comes next.
    attr: Option<Attr>,
    /// An element nothing of which is kept, and how often it is open.
    skipped: Option<(Tag, usize)>,
    full: bool,
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
        match &mut self.skipped {
            Some((skipped, depth)) if *skipped == tag => return *depth += usize::from(!self_closing),
            Some((Tag::Svg, _)) if tag.ends_a_drawing() => self.skipped = None,
            Some(_) => return,
            None => {}
        }
        self.open.close_before(tag);
        let attrs = std::mem::take(&mut self.attrs);
        let shadow = attrs.iter().any(|(name, _)| *name == Attr::ShadowRootMode);
        let Some(id) = self.append(Content::Element(tag, attrs.into())) else { return };
        if tag.is_skipped() && !shadow {
            self.skipped = (!self_closing || tag != Tag::Svg).then_some((tag, 1));
        } else if !(tag.is_void() || self_closing && tag == Tag::Other) {
            self.open.push(tag, id, MAX_DEPTH);
        }
    }

    fn end(&mut self, tag: Tag) {
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth -= usize::from(*skipped == tag);
            self.skipped.take_if(|(_, depth)| *depth == 0);
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

/// How many kinds of elements there are, at most.
const ELEMENT_KINDS: usize = 256;

/// The stack of open elements. The document itself is always open.
#[derive(Debug)]
struct Open {
    stack: Vec<(Tag, Id)>,
    /// How often each kind is on the stack, so that most searches end before they begin.
    counts: [u16; ELEMENT_KINDS],
    /// How many of each kind were too deep to be opened: their end tags close nothing.
    unopened: [u32; ELEMENT_KINDS],
}

/// How far up an end tag may look for what it closes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Up to the table that contains the tag.
    Cell,
    /// Past inline elements only.
    Line,
    /// Up to a list of its own.
    List,
    /// Up to a table of its own.
    Table,
}

impl Default for Open {
    fn default() -> Self {
        Self { stack: Vec::new(), counts: [0; ELEMENT_KINDS], unopened: [0; ELEMENT_KINDS] }
    }
}

impl Open {
    fn current(&self) -> Id {
        self.stack.last().map_or(Tree::ROOT, |(_, id)| *id)
    }

    /// Opens an element, unless `max` are open already.
    fn push(&mut self, tag: Tag, id: Id, max: usize) {
        if self.stack.len() >= max {
            if let Some(count) = self.unopened.get_mut(tag as usize) {
                *count += 1;
            }
            return;
        }
        self.stack.push((tag, id));
        if let Some(count) = self.counts.get_mut(tag as usize) {
            *count += 1;
        }
    }

    /// Closes what the start tag of `tag` closes (HTML, 13.1.2.4, optional tags).
    fn close_before(&mut self, tag: Tag) {
        use Tag as T;
        if self.counts.get(T::Head as usize).is_some_and(|open| *open > 0) && !tag.belongs_in_head() {
            self.close(T::Head);
        }
        match tag {
            T::Li => self.close_nearest(&[T::Li], Scope::List),
            T::Dt | T::Dd => self.close_nearest(&[T::Dt, T::Dd], Scope::List),
            T::Td | T::Th => self.close_nearest(&[T::Td, T::Th, T::Caption], Scope::Table),
            T::Tr => self.close_nearest(&[T::Tr, T::Caption], Scope::Table),
            T::Tbody | T::Thead | T::Tfoot => {
                // A row outside a group is in one that is not written.
                self.close_nearest(&[T::Tr], Scope::Table);
                self.close_nearest(&[T::Tbody, T::Thead, T::Tfoot, T::Caption], Scope::Table);
            }
            T::A => self.close_nearest(&[T::A], Scope::Cell),
            _ => {}
        }
        if tag.is_block() && tag != T::Br {
            self.close_nearest(&[T::P], Scope::Cell);
        }
        if tag.heading_level().is_some() && self.stack.last().is_some_and(|(top, _)| top.heading_level().is_some()) {
            self.pop();
        }
    }

    /// Closes what the end tag of `tag` closes: the nearest of its kind, or nothing.
    fn close(&mut self, tag: Tag) {
        use Tag as T;
        if let Some(count) = self.unopened.get_mut(tag as usize).filter(|count| **count > 0) {
            *count -= 1;
            return;
        }
        const HEADINGS: [Tag; 6] = [T::H1, T::H2, T::H3, T::H4, T::H5, T::H6];
        match tag {
            _ if tag.heading_level().is_some() => self.close_nearest(&HEADINGS, Scope::Cell),
            T::Td | T::Th | T::Tr | T::Tbody | T::Thead | T::Tfoot | T::Caption => {
                self.close_nearest(&[tag], Scope::Table);
            }
            T::Table => self.close_nearest(&[tag], Scope::Table),
            T::Li => self.close_nearest(&[tag], Scope::List),
            T::A => self.close_nearest(&[tag], Scope::Cell),
            _ if tag.is_inline() => self.close_nearest(&[tag], Scope::Line),
            // The page ends when the text ends, because some pages continue after `</html>`.
            T::Body | T::Html => {}
            _ => self.close_nearest(&[tag], Scope::Cell),
        }
    }

    fn close_nearest(&mut self, kinds: &[Tag], reach: Scope) {
        if kinds.iter().all(|kind| self.counts.get(*kind as usize).is_none_or(|open| *open == 0)) {
            return;
        }
        let mut depth = self.stack.len();
        for (tag, _) in self.stack.iter().rev() {
            if kinds.contains(tag) {
                while self.stack.len() >= depth {
                    self.pop();
                }
                return;
            }
            if reach.is_scope_boundary(*tag) {
                return;
            }
            depth -= 1;
        }
    }

    fn pop(&mut self) {
        if let Some((tag, _)) = self.stack.pop()
            && let Some(count) = self.counts.get_mut(tag as usize)
        {
            *count -= 1;
        }
    }
}

impl Scope {
    const fn is_scope_boundary(self, tag: Tag) -> bool {
        let cell = matches!(tag, Tag::Td | Tag::Th | Tag::Caption);
        match self {
            Self::Cell => cell,
            Self::Line => cell || tag.is_block() || matches!(tag, Tag::Other),
            Self::List => cell || matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir | Tag::Dl),
            Self::Table => matches!(tag, Tag::Table),
        }
    }
}

/// Why a page has no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// There is no text on it, or no main text.
    Empty,
    /// It is records of data, JSON or CSV: which of them say something to a reader cannot be known.
    Data,
    /// It has more elements than a page for readers has.
    TooLarge,
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
