//! The parts of a text, whatever its format: headings and blocks of Markdown.

/// A longer text before a list says something by itself, in bytes.
const MAX_LABEL_BYTES: usize = 60;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A heading; `level` is 1 for the outermost.
    Heading {
        /// 1 to 6.
        level: u8,
        /// One line of plain text.
        text: String,
    },
    /// The sections of `level` and below end here, though no heading follows.
    End {
        /// 1 to 6.
        level: u8,
    },
    /// Links to other pages stood here and were left out.
    Links,
    /// Text.
    Block(Block),
}

/// Text that belongs together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// As Markdown.
    pub(super) text: String,
    /// It says nothing but where links lead.
    pub(super) links_only: bool,
}

/// How a block may be parted when it is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// Between sentences.
    Prose,
    /// Between lines.
    Lines,
    /// Between rows; the first two lines are repeated.
    Table,
    /// Between lines; the fences are repeated.
    Code,
    /// Nowhere. It says nothing, so it makes no section.
    Image,
}

/// A fence that code does not contain.
pub(super) fn fence(code: &str) -> String {
    let mut fence = "```".to_owned();
    while code.contains(&fence) && fence.len() < 16 {
        fence.push('`');
    }
    fence
}

impl Block {
    /// A block, or none without text.
    pub(super) fn of(kind: BlockKind, text: impl Into<String>) -> Option<Self> {
        let text: String = text.into();
        let text = text.trim_end().trim_start_matches('\n').to_owned();
        (!text.trim().is_empty()).then_some(Self { kind, text, links_only: false })
    }

    /// Whether it is text.
    pub(super) fn says(&self) -> bool {
        self.kind != BlockKind::Image
    }

    /// Whether it only announces what follows, in a few words.
    pub(super) fn is_label(&self) -> bool {
        self.kind == BlockKind::Prose && self.text.len() <= MAX_LABEL_BYTES && self.text.ends_with([':', '：'])
    }
}
