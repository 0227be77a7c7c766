//! The request bodies. Each type parses itself and reports every problem at once.

use aws::store::NewEntry;
use domain::models::{EntrySource, SourceType, Visibility, WikiEntry, WikiPath};
use edge::{Fields, FromFields, FromQuery, Query};

const TITLE_CHARS: usize = 200;
const CONTENT_CHARS: usize = 200_000;
/// Leaves room for the rest of an item, of which DynamoDB takes 400 KB.
const CONTENT_BYTES: usize = 300 * 1024;
/// The specification does not limit tags: enough for any classification, small enough for lists.
const TAGS: usize = 20;
const TAG_CHARS: usize = 50;
const QUERY_CHARS: usize = 500;
const PATH_CHARS: usize = 512;
const VISIBILITIES: [&str; 2] = ["internal", "public"];

/// `POST /wiki`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewEntryIn {
    pub(crate) path: WikiPath,
    pub(crate) title: String,
    pub(crate) content: String,
    pub(crate) visibility: Visibility,
    pub(crate) tags: Vec<String>,
}

impl FromFields for NewEntryIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        fields.require("path");
        fields.require("content");
        let path = fields.parsed("path", |text| WikiPath::parse(text).map_err(|e| e.0));
        let title = fields.required_line("title", 1, TITLE_CHARS);
        let content = content(fields);
        let visibility = visibility(fields);
        let tags = tags(fields);
        Some(Self {
            path: path?,
            title: title?,
            content: content?,
            visibility: visibility.unwrap_or(Visibility::Internal),
            tags: tags.unwrap_or_default(),
        })
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
            source: EntrySource { source_type: SourceType::Manual, ingest_id: None, url: None },
        }
    }
}

/// `PATCH /wiki/:path`: what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EntryPatchIn {
    pub(crate) title: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) tags: Option<Vec<String>>,
}

impl FromFields for EntryPatchIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self {
            title: fields.line("title", 1, TITLE_CHARS),
            content: content(fields),
            visibility: visibility(fields),
            tags: tags(fields),
        })
    }
}

impl EntryPatchIn {
    /// Whether the body named nothing that an entry has.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// `entry` as `author` wants it; `None` where it is so already.
    pub(crate) fn applied_to(&self, entry: &WikiEntry, author: &str) -> Option<WikiEntry> {
        let mut changed = entry.clone();
        changed.title = self.title.clone().unwrap_or(changed.title);
        changed.content = self.content.clone().unwrap_or(changed.content);
        changed.visibility = self.visibility.unwrap_or(changed.visibility);
        changed.tags = self.tags.clone().unwrap_or(changed.tags);
        if changed == *entry {
            return None;
        }
        author.clone_into(&mut changed.updated_by);
        Some(changed)
    }
}

fn content(fields: &Fields) -> Option<String> {
    let content = fields.text("content", 1, CONTENT_CHARS)?;
    if content.len() > CONTENT_BYTES {
        fields.problem("content", "TOO_LARGE", format!("must be at most {CONTENT_BYTES} bytes of UTF-8"));
        return None;
    }
    Some(content)
}

fn visibility(fields: &Fields) -> Option<Visibility> {
    fields.choice("visibility", Visibility::parse, &VISIBILITIES)
}

/// Tags in the order given, each once.
fn tags(fields: &Fields) -> Option<Vec<String>> {
    let mut tags = Vec::new();
    for tag in fields.text_list("tags", TAGS, 1, TAG_CHARS)? {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    Some(tags)
}

/// `GET /wiki`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListWikiQuery {
    pub(crate) q: Option<String>,
    pub(crate) page: usize,
    pub(crate) limit: usize,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) tag: Option<String>,
    pub(crate) path_prefix: Option<String>,
}

impl FromQuery for ListWikiQuery {
    fn from_query(query: &mut Query) -> Option<Self> {
        let (page, limit) = query.page_and_limit();
        Some(Self {
            page,
            limit,
            q: query.text("q", 1, QUERY_CHARS),
            visibility: query.choice("visibility", Visibility::parse, &VISIBILITIES),
            tag: query.text("tag", 1, TAG_CHARS),
            path_prefix: query.parsed("pathPrefix", path_prefix),
        })
    }
}

impl ListWikiQuery {
    /// The number of entries before the page.
    pub(crate) const fn offset(&self) -> usize {
        self.page.saturating_sub(1).saturating_mul(self.limit)
    }
}

/// The beginning of a path, down to a part of a segment.
fn path_prefix(text: &str) -> Result<String, &'static str> {
    let sound = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/'));
    if text.len() > PATH_CHARS || !sound {
        return Err(
            "must be the beginning of a path: at most 512 letters, digits, dots, underscores, hyphens and slashes",
        );
    }
    Ok(text.to_owned())
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
            source: EntrySource { source_type: SourceType::Manual, ingest_id: None, url: None },
        }
    }

    #[test]
    fn a_patch_changes_only_what_it_names() {
        let patch = EntryPatchIn { tags: Some(Vec::new()), ..EntryPatchIn::default() };
        let expected = WikiEntry { tags: Vec::new(), updated_by: "key_2".into(), ..entry() };
        assert_eq!(patch.applied_to(&entry(), "key_2"), Some(expected));
    }

    #[test]
    fn a_patch_that_says_what_is_so_already_changes_nothing() {
        let patch = EntryPatchIn {
            title: Some("T".into()),
            content: Some("C".into()),
            visibility: Some(Visibility::Internal),
            tags: Some(vec!["x".into()]),
        };
        assert_eq!(patch.applied_to(&entry(), "key_2"), None);
        assert!(EntryPatchIn::default().is_empty() && !patch.is_empty());
    }

    #[test]
    fn a_path_prefix_holds_what_paths_hold() {
        for good in ["a", "a/", "billing/ref", "A.b_c-d", &"a".repeat(512)] {
            assert!(path_prefix(good).is_ok(), "{good}");
        }
        for bad in ["a b", "a#", "é", "%", &"a".repeat(513)] {
            assert!(path_prefix(bad).is_err(), "{bad}");
        }
    }
}
