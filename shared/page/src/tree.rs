//! A page as a tree in one vector: parents before children, built and dropped without recursion. The elements and
//! attributes that matter for reading a page are enums: two bytes a node instead of a string.
//!
//! A tree is never deeper than [`MAX_DEPTH`] or larger than [`MAX_NODES`], so code that walks it may recurse, and it fits a
//! small machine.

/// The deepest element: browsers stop nesting at 512, and no page written for readers comes near this.
pub(super) const MAX_DEPTH: usize = 200;
/// The most elements and texts that are read; a page with more is not for readers.
const MAX_NODES: usize = 400_000;

/// A place in [`Tree`].
pub(super) type Id = u32;

/// An element or a text.
#[derive(Debug)]
struct Node {
    pub(super) parent: Option<Id>,
    first: Option<Id>,
    last: Option<Id>,
    prev: Option<Id>,
    next: Option<Id>,
    pub(super) content: Content,
}

/// The kind of a node.
#[derive(Debug)]
pub(super) enum Content {
    Element(Tag, Box<[(Attr, Box<str>)]>),
    Text(Box<str>),
}

/// The tree. Node 0 is the document.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![Node::new(None, Content::Element(Tag::Html, Box::default()))] }
    }
}

impl Tree {
    pub(super) const ROOT: Id = 0;

    /// Adds the last child of `parent`; nothing when the tree is full.
    pub(super) fn append(&mut self, parent: Id, content: Content) -> Option<Id> {
        let id = Id::try_from(self.nodes.len()).ok().filter(|_| self.nodes.len() < MAX_NODES)?;
        self.nodes.push(Node::new(Some(parent), content));
        let last = {
            let parent = self.nodes.get_mut(parent as usize)?;
            if parent.first.is_none() {
                parent.first = Some(id);
            }
            parent.last.replace(id)
        };
        if let Some(last) = last.and_then(|last| self.nodes.get_mut(last as usize)) {
            last.next = Some(id);
        }
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.prev = last;
        }
        Some(id)
    }

    /// Every place, parents before children, in the order of the page.
    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = Id> + use<> {
        0..Id::try_from(self.nodes.len()).unwrap_or(Id::MAX)
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        self.nodes.get(id as usize)?.parent
    }

    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let first = self.nodes.get(id as usize).and_then(|node| node.first);
        std::iter::successors(first, |child| self.nodes.get(*child as usize)?.next)
    }

    /// The siblings before, nearest first.
    pub(super) fn before(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let prev = |id: &Id| self.nodes.get(*id as usize)?.prev;
        std::iter::successors(prev(&id), prev)
    }

    /// The siblings after, nearest first.
    pub(super) fn after(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let next = |id: &Id| self.nodes.get(*id as usize)?.next;
        std::iter::successors(next(&id), next)
    }

    /// The elements above, nearest first.
    pub(super) fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.parent(id), |above| self.parent(*above))
    }

    /// The element's name; nothing for a text.
    pub(super) fn tag(&self, id: Id) -> Option<Tag> {
        match &self.nodes.get(id as usize)?.content {
            Content::Element(tag, _) => Some(*tag),
            Content::Text(_) => None,
        }
    }

    pub(super) fn text(&self, id: Id) -> Option<&str> {
        match &self.nodes.get(id as usize)?.content {
            Content::Text(text) => Some(text),
            Content::Element(..) => None,
        }
    }

    pub(super) fn attr(&self, id: Id, name: Attr) -> Option<&str> {
        match &self.nodes.get(id as usize)?.content {
            Content::Element(_, attrs) => attrs.iter().find(|(attr, _)| *attr == name).map(|(_, value)| &**value),
            Content::Text(_) => None,
        }
    }

    /// Whether it is hidden by an attribute or its own style.
    pub(super) fn is_hidden(&self, id: Id) -> bool {
        self.attr(id, Attr::Hidden).is_some_and(|value| value != "until-found")
            || self.attr(id, Attr::AriaHidden) == Some("true")
            || self.attr(id, Attr::Style).is_some_and(hides)
    }

    /// Whether it is `h1` to `h6`.
    pub(super) fn is_heading(&self, id: Id) -> bool {
        self.tag(id).is_some_and(|tag| tag.heading_level().is_some())
    }

    /// All text under a node, as written.
    pub(super) fn whole_text(&self, id: Id) -> String {
        self.text_up_to(id, usize::MAX)
    }

    /// The text under a node, as written; what comes after `max_bytes` may be left out.
    pub(super) fn text_up_to(&self, id: Id, max_bytes: usize) -> String {
        let mut out = String::new();
        self.add_text(id, max_bytes, &mut out);
        out
    }

    fn add_text(&self, id: Id, max_bytes: usize, out: &mut String) {
        if let Some(text) = self.text(id) {
            out.push_str(text);
        }
        for child in self.children(id) {
            if out.len() > max_bytes {
                return;
            }
            self.add_text(child, max_bytes, out);
        }
    }

    /// Whether the text under a node ends with white space.
    pub(super) fn ends_with_space(&self, id: Id) -> bool {
        let last = |at: &Id| self.nodes.get(*at as usize).and_then(|node| node.last);
        let end = std::iter::successors(Some(id), last).last();
        end.and_then(|end| self.text(end)).is_some_and(|text| text.ends_with(char::is_whitespace))
    }
}

/// Whether a style hides its element.
fn hides(style: &str) -> bool {
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    style.split(';').any(|rule| {
        matches!(
            rule.trim_end_matches("!important"),
            "display:none" | "visibility:hidden" | "opacity:0" | "font-size:0" | "font-size:0px"
        )
    })
}

impl Node {
    const fn new(parent: Option<Id>, content: Content) -> Self {
        Self { parent, first: None, last: None, prev: None, next: None, content }
    }
}

macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($variant:ident => $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) enum $name { $($variant),+ }

        impl $name {
            /// Reads a lower-case name.
            pub(super) fn known(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

names! {
    /// An element's name; whatever is not here is [`Tag::Other`], which behaves like a `div` or a `span` by what it
    /// holds.
    Tag {
        A => "a", Abbr => "abbr", Address => "address", Area => "area", Article => "article", Aside => "aside",
        Audio => "audio", B => "b", Base => "base", Blockquote => "blockquote", Body => "body", Br => "br",
        Button => "button", Canvas => "canvas", Caption => "caption", Center => "center", Cite => "cite",
        Code => "code", Col => "col", Colgroup => "colgroup", Datalist => "datalist", Dd => "dd", Del => "del",
        Details => "details", Dfn => "dfn", Dialog => "dialog", Dir => "dir", Div => "div", Dl => "dl", Dt => "dt",
        Em => "em", Embed => "embed", Fieldset => "fieldset", Figcaption => "figcaption", Figure => "figure",
        Font => "font", Footer => "footer", Form => "form", H1 => "h1", H2 => "h2", H3 => "h3", H4 => "h4",
        H5 => "h5", H6 => "h6", Head => "head", Header => "header", Hgroup => "hgroup", Hr => "hr", Html => "html",
        I => "i", Iframe => "iframe", Img => "img", Input => "input", Ins => "ins", Kbd => "kbd", Label => "label",
        Legend => "legend", Li => "li", Link => "link", Main => "main", Map => "map", Mark => "mark",
        Menu => "menu", Meta => "meta", Meter => "meter", Nav => "nav", Noscript => "noscript", Object => "object",
        Ol => "ol", Optgroup => "optgroup", Option => "option", Output => "output", P => "p", Param => "param",
        Picture => "picture", Pre => "pre", Progress => "progress", Q => "q", Rp => "rp", Rt => "rt",
        Ruby => "ruby", S => "s", Samp => "samp", Script => "script", Search => "search", Section => "section",
        Select => "select", Slot => "slot", Small => "small", Source => "source", Span => "span",
        Strike => "strike", Strong => "strong", Style => "style", Sub => "sub", Summary => "summary", Sup => "sup",
        Svg => "svg", Table => "table", Tbody => "tbody", Td => "td", Template => "template",
        Textarea => "textarea", Tfoot => "tfoot", Th => "th", Thead => "thead", Time => "time", Title => "title",
        Tr => "tr", Track => "track", Tt => "tt", U => "u", Ul => "ul", Var => "var", Video => "video",
        Wbr => "wbr", Other => "(other)",
    }
}

names! {
    /// An attribute that says what an element is for; the others are not kept.
    Attr {
        AriaControls => "aria-controls", AriaExpanded => "aria-expanded", AriaHaspopup => "aria-haspopup",
        AriaHidden => "aria-hidden", AriaLabel => "aria-label",
        AriaLabelledby => "aria-labelledby", AriaLevel => "aria-level", Alt => "alt", Class => "class",
        Colspan => "colspan", Content => "content", DataBsTarget => "data-bs-target", DataCfemail => "data-cfemail", DataHidden => "data-hidden",
        DataLazySrc => "data-lazy-src", DataOriginal => "data-original", DataSrc => "data-src", DataSrcset => "data-srcset",
        DataTarget => "data-target", Height => "height",
        Hidden => "hidden", Href => "href", Id => "id", Itemprop => "itemprop", Itemtype => "itemtype",
        Property => "property", Reversed => "reversed", Role => "role", Rowspan => "rowspan", Scope => "scope",
        ShadowRootMode => "shadowrootmode", Src => "src", Srcset => "srcset", Start => "start", Style => "style",
        Value => "value", Width => "width",
    }
}

/// Sets of elements.
macro_rules! sets {
    ($(#[$about:meta] $set:ident: $($name:ident)+;)+) => {
        impl Tag {
            $(#[$about] pub(super) const fn $set(self) -> bool { matches!(self, $(Self::$name)|+) })+
        }
    };
}

sets! {
    /// Never has content (HTML, section 13.1.2, void elements).
    is_void: Area Base Br Col Embed Hr Img Input Link Meta Param Source Track Wbr;
    /// Part of a line of text.
    is_inline: A Abbr B Br Button Cite Code Del Dfn Em Font I Img Ins Kbd Label Mark Q Rp Rt Ruby S Samp Small Span
        Strike Strong Sub Sup Time Tt U Var Wbr;
    /// Begins and ends a paragraph of its own. [`Tag::Other`] is neither inline nor a block by name.
    is_block: Address Article Aside Blockquote Body Caption Center Dd Details Dialog Dir Div Dl Dt Fieldset
        Figcaption Figure Footer Form H1 H2 H3 H4 H5 H6 Header Hgroup Hr Html Legend Li Main Menu Nav Ol P Pre
        Search Section Summary Table Tbody Td Tfoot Th Thead Tr Ul;
    /// Nothing in it is text of the page.
    is_non_content_element: Audio Canvas Datalist Dialog Embed Head Iframe Input Map Noscript Object Rp Rt Script
        Select Style Template Textarea Video;
    /// Not even looked into.
    is_skipped: Iframe Noscript Script Select Style Svg Template Textarea Datalist;
    /// A start tag that ends an unclosed drawing (HTML, 13.2.6.5); text in drawings uses other tags.
    ends_a_drawing: Body Main Article H1 H2 H3 H4 H5 H6 Ul Ol Dl Table Pre;
    /// May be in the head of a page.
    belongs_in_head: Base Link Meta Noscript Script Style Template Title;
    /// An element that keeps its words together, and one around everything; headings do, too.
    holds_text: Li Td Th Dt Dd Summary Figcaption Main Article Body Html;
    /// Holds blocks and is none itself.
    is_container: Div Section Aside Ul Ol Menu Dir Form Fieldset Footer Header Figure Center;
}

impl Tag {
    /// The element of a lower-case name.
    pub(super) fn of(name: &str) -> Self {
        Self::known(name).unwrap_or(Self::Other)
    }

    /// 1 to 6, of a heading.
    pub(super) const fn heading_level(self) -> Option<u8> {
        match self {
            Self::H1 | Self::H2 | Self::H3 | Self::H4 | Self::H5 | Self::H6 => Some(self as u8 - Self::H1 as u8 + 1),
            _ => None,
        }
    }
}

/// No element's name is longer.
const MAX_NAME_BYTES: usize = 16;

/// The element whose start or end tag `source` begins with.
pub(super) fn tag(source: &str) -> Tag {
    let Some(name) = source.strip_prefix('<') else { return Tag::Other };
    let name = name.strip_prefix('/').unwrap_or(name);
    let end = name.bytes().take(MAX_NAME_BYTES).take_while(u8::is_ascii_alphanumeric).count();
    Tag::of(&name.get(..end).unwrap_or_default().to_ascii_lowercase())
}
