//! The request bodies of entries, and the query of their list. Each type parses itself and reports every problem at
//! once.

use std::borrow::Cow;

use domain::limits;
use domain::models::{EntrySource, Visibility, WikiEntry, WikiPath};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::edge::input::{
    AtLeastOne, Bounded, Change, Distinct, Text, choice, clearable, distinct, list, or, parsed, replaceable, required,
    within,
};
use crate::edge::{self, query};
use crate::wiki::table::NewEntry;

const QUERY_CHARS: usize = 500;
pub(crate) const TAG_LIST: Distinct<Text> = distinct(list(limits::MAX_TAGS, within(limits::TAG)));
pub(crate) const TITLE: Text = within(limits::ENTRY_TITLE);
pub(crate) const CONTENT: Bounded = within(limits::ENTRY_CONTENT).max_bytes(limits::ENTRY_CONTENT_BYTES);

/// Reads a path, or says what is wrong with it.
pub(crate) fn wiki_path(text: &str) -> Result<WikiPath, &'static str> {
    WikiPath::parse(text).map_err(|error| error.0)
}

edge::body! {
    /// A new wiki entry.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct NewEntryIn as "NewEntry" {
        /// Its name.
        pub(crate) path: WikiPath = "path" => required(parsed(wiki_path)),
        /// Its title.
        pub(crate) title: String = "title" => required(TITLE),
        /// Markdown or plain text.
        pub(crate) content: String = "content" => required(CONTENT),
        /// Who may read it.
        pub(crate) visibility: Visibility = "visibility" => or(choice::<Visibility>(), Visibility::Internal),
        /// Words to find it by; each is kept once.
        pub(crate) tags: Vec<String> = "tags" => or(TAG_LIST, Vec::new()),
    }
}

edge::body! {
    /// What a wiki entry says, whole.
    #[derive(Debug, Clone)]
    pub(crate) struct EntryIn as "EntryReplacement" {
        /// Its title.
        pub(crate) title: String = "title" => required(TITLE),
        /// Markdown or plain text.
        pub(crate) content: String = "content" => required(CONTENT),
        /// Who may read it.
        pub(crate) visibility: Visibility = "visibility" => required(choice::<Visibility>()),
        /// Words to find it by; each is kept once. Without them it has none.
        pub(crate) tags: Vec<String> = "tags" => or(TAG_LIST, Vec::new()),
    }
}

impl EntryIn {
    /// The entry of `path` as `author` wrote it.
    pub(crate) fn at(self, path: WikiPath, author: String) -> NewEntry {
        let Self { title, content, visibility, tags } = self;
        NewEntryIn { path, title, content, visibility, tags }.written_by(author)
    }
}

impl NewEntryIn {
    /// The entry as `author` wrote it.
    pub(crate) fn written_by(self, author: String) -> NewEntry {
        NewEntry {
            path: self.path,
            title: self.title,
            content: self.content,
            visibility: self.visibility,
            tags: self.tags,
            created_by: author,
            source: EntrySource::MANUAL,
        }
    }
}

edge::body! {
    /// A change of a wiki entry: at least one field; what is absent stays, and `null` clears the tags.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub(crate) struct EntryPatchIn as "EntryPatch" {
        /// Its title.
        pub(crate) title: Option<String> = "title" => replaceable(TITLE),
        /// Markdown or plain text.
        pub(crate) content: Option<String> = "content" => replaceable(CONTENT),
        /// Who may read it.
        pub(crate) visibility: Option<Visibility> = "visibility" => replaceable(choice::<Visibility>()),
        /// Words to find it by, in the place of the old ones; each is kept once.
        pub(crate) tags: Change<Vec<String>> = "tags" => clearable(TAG_LIST),
    }
    rules: [AtLeastOne]
}

impl EntryPatchIn {
    /// `entry` as `author` wants it; `None` if it is so already.
    pub(crate) fn apply_to(&self, entry: &WikiEntry, author: &str) -> Option<WikiEntry> {
        let mut changed = entry.clone();
        changed.title = self.title.clone().unwrap_or(changed.title);
        changed.content = self.content.clone().unwrap_or(changed.content);
        changed.visibility = self.visibility.unwrap_or(changed.visibility);
        changed.tags = self.tags.clone().of(Some(changed.tags)).unwrap_or_default();
        if changed == *entry {
            return None;
        }
        author.clone_into(&mut changed.updated_by);
        Some(changed)
    }
}

edge::query! {
    /// The filter of the entries.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct ListWikiQuery {
        /// Full text, best first; without it by last change, newest first.
        pub(crate) q: Option<String> = "q" => query::text(1, QUERY_CHARS),
        /// Only entries that these may read.
        pub(crate) visibility: Option<Visibility> = "visibility" => choice::<Visibility>(),
        /// Only entries with this tag.
        pub(crate) tag: Option<String> = "tag" => query::text(limits::TAG.min, limits::TAG.max),
        /// Only entries whose paths begin so, down to a part of a segment.
        pub(crate) path_prefix: Option<PathBeginning> = "pathPrefix" => query::parsed(PathBeginning::parse),
    }
    pages: page, limit;
}

impl ListWikiQuery {
    /// The number of entries before the page.
    pub(crate) const fn offset(&self) -> usize {
        self.page.saturating_sub(1).saturating_mul(self.limit)
    }
}

/// The beginning of a path, down to a part of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathBeginning(pub(crate) String);

impl PathBeginning {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let sound = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/'));
        if text.len() > WikiPath::MAX_BYTES || !sound {
            return Err(
                "must be the beginning of a path: at most 512 letters, digits, dots, underscores, hyphens and slashes",
            );
        }
        Ok(Self(text.to_owned()))
    }
}

impl JsonSchema for PathBeginning {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PathBeginning".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "minLength": 1, "maxLength": WikiPath::MAX_BYTES, "pattern": "^[A-Za-z0-9._/-]+$",
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::models::Timestamp;

    use super::*;

    fn entry() -> WikiEntry {
        let at = Timestamp::from_millis(1);
        WikiEntry {
            path: WikiPath::parse("a/b").unwrap(),
            title: "T".into(),
            content: "C".into(),
            visibility: Visibility::Internal,
            tags: vec!["x".into()],
            version: 4,
            created_at: at,
            updated_at: at,
            created_by: "key_1".into(),
            updated_by: "key_1".into(),
            source: EntrySource::MANUAL,
            action: None,
        }
    }

    #[test]
    fn a_patch_changes_only_what_it_names() {
        let expected = WikiEntry { tags: Vec::new(), updated_by: "key_2".into(), ..entry() };
        for tags in [Change::Set(Vec::new()), Change::Clear] {
            let patch = EntryPatchIn { tags, ..EntryPatchIn::default() };
            assert_eq!(patch.apply_to(&entry(), "key_2"), Some(expected.clone()));
        }
    }

    #[test]
    fn a_patch_that_says_what_is_so_already_changes_nothing() {
        let patch = EntryPatchIn {
            title: Some("T".into()),
            content: Some("C".into()),
            visibility: Some(Visibility::Internal),
            tags: Change::Set(vec!["x".into()]),
        };
        assert_eq!(patch.apply_to(&entry(), "key_2"), None);
    }

    #[test]
    fn a_path_prefix_holds_what_paths_hold() {
        for good in ["a", "a/", "billing/ref", "A.b_c-d", &"a".repeat(512)] {
            assert!(PathBeginning::parse(good).is_ok(), "{good}");
        }
        for bad in ["a b", "a#", "é", "%", &"a".repeat(513)] {
            assert!(PathBeginning::parse(bad).is_err(), "{bad}");
        }
    }
}
