//! The elements and attributes that matter for reading a page, as enums: two bytes a node instead of a string.

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

impl Tag {
    /// The element of a lower-case name.
    pub(super) fn of(name: &str) -> Self {
        Self::known(name).unwrap_or(Self::Other)
    }

    /// Never has content (HTML, section 13.1.2, void elements).
    pub(super) const fn is_void(self) -> bool {
        matches!(
            self,
            Self::Area
                | Self::Base
                | Self::Br
                | Self::Col
                | Self::Embed
                | Self::Hr
                | Self::Img
                | Self::Input
                | Self::Link
                | Self::Meta
                | Self::Param
                | Self::Source
                | Self::Track
                | Self::Wbr
        )
    }

    /// Part of a line of text.
    pub(super) const fn is_inline(self) -> bool {
        matches!(
            self,
            Self::A
                | Self::Abbr
                | Self::B
                | Self::Br
                | Self::Button
                | Self::Cite
                | Self::Code
                | Self::Del
                | Self::Dfn
                | Self::Em
                | Self::Font
                | Self::I
                | Self::Img
                | Self::Ins
                | Self::Kbd
                | Self::Label
                | Self::Mark
                | Self::Q
                | Self::Rp
                | Self::Rt
                | Self::Ruby
                | Self::S
                | Self::Samp
                | Self::Small
                | Self::Span
                | Self::Strike
                | Self::Strong
                | Self::Sub
                | Self::Sup
                | Self::Time
                | Self::Tt
                | Self::U
                | Self::Var
                | Self::Wbr
        )
    }

    /// Begins and ends a paragraph of its own. [`Tag::Other`] is neither inline nor a block by name.
    pub(super) const fn is_block(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Article
                | Self::Aside
                | Self::Blockquote
                | Self::Body
                | Self::Caption
                | Self::Center
                | Self::Dd
                | Self::Details
                | Self::Dialog
                | Self::Dir
                | Self::Div
                | Self::Dl
                | Self::Dt
                | Self::Fieldset
                | Self::Figcaption
                | Self::Figure
                | Self::Footer
                | Self::Form
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::Header
                | Self::Hgroup
                | Self::Hr
                | Self::Html
                | Self::Legend
                | Self::Li
                | Self::Main
                | Self::Menu
                | Self::Nav
                | Self::Ol
                | Self::P
                | Self::Pre
                | Self::Search
                | Self::Section
                | Self::Summary
                | Self::Table
                | Self::Tbody
                | Self::Td
                | Self::Tfoot
                | Self::Th
                | Self::Thead
                | Self::Tr
                | Self::Ul
        )
    }

    /// 1 to 6, of a heading.
    pub(super) const fn heading_level(self) -> Option<u8> {
        match self {
            Self::H1 => Some(1),
            Self::H2 => Some(2),
            Self::H3 => Some(3),
            Self::H4 => Some(4),
            Self::H5 => Some(5),
            Self::H6 => Some(6),
            _ => None,
        }
    }

    /// Nothing in it is text of the page.
    pub(super) const fn is_non_content_element(self) -> bool {
        matches!(
            self,
            Self::Audio
                | Self::Canvas
                | Self::Datalist
                | Self::Dialog
                | Self::Embed
                | Self::Head
                | Self::Iframe
                | Self::Input
                | Self::Map
                | Self::Noscript
                | Self::Object
                | Self::Rp
                | Self::Rt
                | Self::Script
                | Self::Select
                | Self::Style
                | Self::Template
                | Self::Textarea
                | Self::Video
        )
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
