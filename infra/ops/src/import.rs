//! `wiki import`: the articles of another help desk's export as the files of a folder, which `wiki push` sends.
//!
//! - Zendesk: what `GET /api/v2/help_center/articles.json?include=sections,categories` answers, page after page.
//! - Intercom: what `GET /articles` and `GET /help_center/collections` answer, page after page.
//! - Notion: the archive of an export as Markdown & CSV.
//! - An archive of Markdown files, with front matter or without.
//!
//! An archive is somebody else's: nothing is unpacked to a place that it names, and what it may hold is bounded.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::Path;

use domain::limits::ENTRY_CONTENT_BYTES;
use domain::models::WikiPath;
use page::{Kind, Page};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::{Value, json};
use text::{TITLE_SEPARATOR, slug};

use crate::cli::{ExportFormat, ImportOptions, WikiOptions};
use crate::output::{Failure, Report};
use crate::wiki::{Bases, Changed, Entries, Entry, FrontMatter, Step, file_of, local, report, write};

const MAX_FILES: usize = 100_000;
/// The most bytes of an export, and of all texts of an archive.
const MAX_BYTES: u64 = 512 * 1024 * 1024;
/// More than the largest entry.
const MAX_TEXT_BYTES: u64 = 1024 * 1024;
const MAX_TITLE_CHARS: usize = 200;
/// The most bytes of a segment of a path.
const SEGMENT_BYTES: usize = 80;
const MAX_SEGMENTS: usize = 8;

/// An article of an export.
struct Article {
    /// The name of its file in an archive, by which others link to it; or its id.
    name: String,
    /// The folders that it is in, outermost first.
    folders: Vec<String>,
    entry: Entry,
}

/// The articles, and what of an export is none, with the reason.
#[derive(Default)]
struct Export {
    articles: Vec<Article>,
    left_out: Vec<(String, String)>,
}

impl Export {
    fn leave_out(&mut self, name: impl Into<String>, reason: impl Into<String>) {
        self.left_out.push((name.into(), reason.into()));
    }
}

/// Writes the articles of an export into the folder.
pub(crate) fn import(options: &ImportOptions, yes: bool) -> Result<Report, Failure> {
    let failed = |error| Failure::file(&options.file, &error);
    let file = File::open(&options.file).map_err(failed)?;
    let mut export = Export::default();
    match options.format {
        ExportFormat::Zendesk => zendesk(&values(file).map_err(failed)?, options, &mut export),
        ExportFormat::Intercom => intercom(&values(file).map_err(failed)?, options, &mut export),
        ExportFormat::Notion | ExportFormat::MarkdownZip => {
            let (mut texts, mut left) = (BTreeMap::new(), MAX_BYTES);
            unpack(file, &mut texts, &mut left, true, &mut export)
                .map_err(|e| Failure::refused(format!("{}: {e}", options.file.display())))?;
            texts.into_iter().for_each(|(name, text)| export.of_markdown(name, &text, options));
        }
    }
    if export.articles.is_empty() && export.left_out.is_empty() {
        return Err(Failure::refused(format!("{} has no articles of this form", options.file.display())));
    }
    let ImportOptions { dir, prefix, overwrite, .. } = options;
    let entries = export.entries(prefix);
    let mine = if dir.exists() { local(dir, prefix)? } else { Entries::new() };
    let folder = WikiOptions { dir: dir.clone(), prefix: prefix.clone(), delete: false, overwrite: *overwrite };
    // Both never had the same, so that neither has changed.
    let mut steps = folder.plan(&entries, &mine, &Bases::new(), Changed { from: &|_, _| true, mine: &|_, _| true });
    for (path, step) in steps.iter().filter(|(_, step)| yes && matches!(step, Step::Create | Step::Update)) {
        let file = file_of(dir, path);
        match entries.get(path).map(Entry::file).transpose() {
            _ if *step == Step::Create && file.exists() => export.leave_out(path, "another file has this name"),
            Err(failure) => export.leave_out(path, failure.message()),
            Ok(text) => text.map_or(Ok(()), |text| write(&file, &text))?,
        }
    }
    let names: BTreeSet<&str> = export.left_out.iter().map(|(name, _)| name.as_str()).collect();
    steps.retain(|path, _| !names.contains(path.as_str()));
    let done = report(&steps, &entries, &mine);
    let left: Vec<_> = export.left_out.iter().map(|(name, reason)| format!("  {name}: left out: {reason}\n")).collect();
    let left_out: Vec<_> =
        export.left_out.iter().map(|(name, reason)| json!({"name": name, "reason": reason})).collect();
    let done = done.behind(&left.concat(), "leftOut", left_out);
    Ok(if yes { done } else { done.of_dry_run() })
}

/// The JSON values of a file, one behind the other: pages of a list.
fn values(file: File) -> std::io::Result<Vec<Value>> {
    let mut text = String::new();
    file.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(std::io::Error::other("is too large"));
    }
    let text = text.trim_start_matches('\u{feff}');
    let values = serde_json::Deserializer::from_str(text).into_iter().collect::<Result<Vec<_>, _>>();
    values.map_err(std::io::Error::from)
}

/// The members of a list of each page, each by itself.
fn members<'v>(pages: &'v [Value], list: &str) -> impl Iterator<Item = &'v Value> {
    pages.iter().filter_map(move |page| page.get(list)?.as_array()).flatten()
}

/// A category, a section or a collection.
#[derive(Deserialize)]
struct Folder {
    id: Value,
    name: String,
    #[serde(alias = "parent_section_id")]
    parent_id: Option<Value>,
    category_id: Option<Value>,
}

type Folders = HashMap<String, Folder>;

fn folders<'v>(values: impl Iterator<Item = &'v Value>) -> Folders {
    let read = values.filter_map(|value| Folder::deserialize(value).ok());
    read.map(|folder| (id(&folder.id), folder)).collect()
}

/// An id as text: both services have written them as numbers and as strings.
fn id(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The names of a folder and of those that it is in, outermost first.
fn trail(of: Option<&Value>, folders: &Folders, categories: &Folders) -> Vec<String> {
    let (mut names, mut next, mut category) = (Vec::new(), of.map(id), None);
    let mut seen = BTreeSet::new();
    // Two folders may be in each other, and no path has room for a long way up.
    let mut is_new = |id: &String| seen.len() < 8 * MAX_SEGMENTS && seen.insert(id.clone());
    while let Some(folder) = next.filter(&mut is_new).and_then(|id| folders.get(&id)) {
        names.push(folder.name.clone());
        category = folder.category_id.as_ref().or(category);
        next = folder.parent_id.as_ref().map(id);
    }
    names.extend(category.and_then(|category| categories.get(&id(category))).map(|category| category.name.clone()));
    names.reverse();
    names
}

fn zendesk(pages: &[Value], options: &ImportOptions, export: &mut Export) {
    #[derive(Deserialize)]
    struct ZendeskArticle {
        id: Value,
        title: String,
        body: Option<String>,
        #[serde(default)]
        draft: bool,
        section_id: Option<Value>,
        html_url: Option<String>,
        locale: Option<String>,
        label_names: Option<Vec<String>>,
        user_segment_id: Option<Value>,
    }
    let (sections, categories) = (folders(members(pages, "sections")), folders(members(pages, "categories")));
    let locale = |article: &Value| article.get("locale").and_then(Value::as_str).map(str::to_owned);
    let locales: BTreeSet<_> = members(pages, "articles").filter_map(locale).collect();
    for value in members(pages, "articles") {
        let name = value.get("id").map(id).unwrap_or_default();
        let article = match ZendeskArticle::deserialize(value) {
            Ok(article) => article,
            Err(error) => {
                export.leave_out(format!("article {name}"), error.to_string());
                continue;
            }
        };
        if article.draft {
            export.leave_out(article.title, "a draft");
            continue;
        }
        let mut folders = trail(article.section_id.as_ref(), &sections, &categories);
        folders.splice(0..0, article.locale.filter(|_| locales.len() > 1));
        // Whoever is in a segment of users reads it, and nobody else.
        let visibility = if article.user_segment_id.is_some() { "internal" } else { options.visibility.as_str() };
        let (title, body) = (&article.title, article.body.unwrap_or_default());
        export.of_html(
            id(&article.id),
            folders,
            (title, &body, article.html_url),
            visibility,
            article.label_names.unwrap_or_default(),
        );
    }
}

fn intercom(pages: &[Value], options: &ImportOptions, export: &mut Export) {
    #[derive(Deserialize)]
    struct IntercomArticle {
        id: Value,
        title: String,
        body: Option<String>,
        state: Option<String>,
        parent_id: Option<Value>,
        url: Option<String>,
    }
    let collections = folders(members(pages, "data"));
    let is_article = |value: &&Value| value.get("type").and_then(Value::as_str) == Some("article");
    for value in members(pages, "data").filter(is_article) {
        let name = value.get("id").map(id).unwrap_or_default();
        match IntercomArticle::deserialize(value) {
            Err(error) => export.leave_out(format!("article {name}"), error.to_string()),
            Ok(article) if article.state.as_deref() != Some("published") => export.leave_out(article.title, "a draft"),
            Ok(IntercomArticle { id, title, body, parent_id, url, .. }) => {
                let folders = trail(parent_id.as_ref(), &collections, &Folders::new());
                let content = (title.as_str(), body.as_deref().unwrap_or_default(), url);
                export.of_html(self::id(&id), folders, content, options.visibility.as_str(), Vec::new());
            }
        }
    }
}

/// Reads the Markdown files of an archive, and of those in it, by name.
fn unpack(
    archive: impl Read + Seek,
    texts: &mut BTreeMap<String, String>,
    left: &mut u64,
    is_outermost: bool,
    export: &mut Export,
) -> Result<(), String> {
    let mut archive = zip::ZipArchive::new(archive).map_err(|e| format!("is no archive that can be read: {e}"))?;
    if archive.len() > MAX_FILES {
        return Err(format!("has more than {MAX_FILES} files"));
    }
    for at in 0..archive.len() {
        let member = archive.by_index(at);
        let named = member.and_then(|member| Ok((member.name()?.into_owned(), member)));
        let (name, mut member) = match named {
            Ok(named) => named,
            Err(error) => {
                export.leave_out(format!("file {at}"), error.to_string());
                continue;
            }
        };
        let extension = Path::new(&name).extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase);
        let is_hidden = |part: &str| part == "__MACOSX" || (part.starts_with('.') && part != "." && part != "..");
        let is_hidden = name.split('/').any(is_hidden);
        let limit = match extension.as_deref() {
            Some("md" | "markdown") if member.is_file() && !is_hidden => MAX_TEXT_BYTES.min(*left),
            // Notion divides a large export into archives in an archive.
            Some("zip") if is_outermost && !is_hidden => *left,
            _ => continue,
        };
        let mut bytes = Vec::new();
        // The size that an archive tells may be a lie.
        let read = member.by_ref().take(limit + 1).read_to_end(&mut bytes);
        *left = left.saturating_sub(bytes.len() as u64);
        if *left == 0 {
            return Err(format!("has more than {MAX_BYTES} bytes of texts"));
        }
        let text = match read {
            Err(error) => Err(error.to_string()),
            Ok(_) if bytes.len() as u64 > limit => Err("too large for an entry".to_owned()),
            Ok(_) if extension.as_deref() == Some("zip") => {
                if let Err(reason) = unpack(Cursor::new(bytes), texts, left, false, export) {
                    export.leave_out(name, reason);
                }
                continue;
            }
            Ok(_) => String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned()),
        };
        match text {
            Ok(_) if texts.contains_key(&name) => export.leave_out(name, "it is there twice"),
            Ok(text) => drop(texts.insert(name, text)),
            Err(reason) => export.leave_out(name, reason),
        }
    }
    Ok(())
}

/// The front matter of any writer.
#[derive(Default, Deserialize)]
struct AnyFrontMatter {
    title: Option<String>,
    visibility: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

impl Export {
    fn of_markdown(&mut self, name: String, text: &str, options: &ImportOptions) {
        let is_notion = options.format == ExportFormat::Notion;
        let (front, body) = match Entry::split(text) {
            Ok((front, body)) => match serde_norway::from_str(&front) {
                Ok(front) => (front, body),
                Err(error) => return self.leave_out(name, format!("front matter that is not valid: {error}")),
            },
            Err(_) => (AnyFrontMatter::default(), text.trim_start_matches('\u{feff}').to_owned()),
        };
        let mut parts: Vec<String> = name.split('/').map(|part| own_name(part, is_notion)).collect();
        let own = parts.pop().unwrap_or_default();
        let heading = body.trim_start().strip_prefix("# ").map(|rest| rest.split_once('\n').unwrap_or((rest, "")));
        let (title, content) = match (front.title, heading) {
            (Some(title), _) => (title, body.as_str()),
            (None, Some((title, rest))) => (title.trim().to_owned(), rest),
            (None, None) => (own, body.as_str()),
        };
        let visibility = front.visibility.unwrap_or_else(|| options.visibility.as_str().to_owned());
        self.push(name, parts, FrontMatter { title, visibility, tags: front.tags }, content);
    }

    fn of_html(
        &mut self,
        name: String,
        folders: Vec<String>,
        (title, body, url): (&str, &str, Option<String>),
        visibility: &str,
        tags: Vec<String>,
    ) {
        let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
        let html = format!("<h1>{escaped}</h1>{body}");
        let url = url.and_then(|url| url::Url::parse(&url).ok());
        let page = Page { text: &html, kind: Some(Kind::Html), url: url.as_ref(), name: title };
        let sections = match page::drafts(&page) {
            Ok(sections) => sections,
            Err(_) => return self.leave_out(title, "it has no text"),
        };
        let mut content = String::new();
        for section in sections {
            if let Some((_, headings)) = section.title.split_once(TITLE_SEPARATOR) {
                let level = 1 + headings.matches(TITLE_SEPARATOR).count().min(4) + 1;
                let heading = headings.rsplit(TITLE_SEPARATOR).next().unwrap_or(headings);
                content.push_str(&format!("{} {heading}\n\n", "#".repeat(level)));
            }
            content.push_str(&section.content);
            content.push_str("\n\n");
        }
        let front = FrontMatter { title: title.to_owned(), visibility: visibility.to_owned(), tags };
        self.push(name, folders, front, &content);
    }

    fn push(&mut self, name: String, folders: Vec<String>, front: FrontMatter, content: &str) {
        let title = front.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title: String = title.chars().take(MAX_TITLE_CHARS).collect();
        let content = content.trim().to_owned();
        if content.is_empty() || title.is_empty() || content == title {
            return self.leave_out(if title.is_empty() { name } else { title }, "it has no text");
        }
        if content.len() > ENTRY_CONTENT_BYTES {
            return self.leave_out(title, "it is too large for an entry: divide it");
        }
        let front = FrontMatter { title, ..front };
        self.articles.push(Article { name, folders, entry: Entry { front, content, version: 0 } });
    }

    /// The articles as entries below `prefix`, with the links between the files of an archive as they are then.
    fn entries(&mut self, prefix: &str) -> Entries {
        let (mut entries, mut paths, mut taken) = (Vec::new(), HashMap::new(), HashMap::new());
        for article in std::mem::take(&mut self.articles) {
            let Some(path) = path_of(&article, prefix, &mut taken) else {
                self.leave_out(article.name, "it has no path: give a --prefix");
                continue;
            };
            let Article { name, entry, .. } = article;
            paths.insert(name.clone(), path.to_string());
            entries.push((name, path.to_string(), entry));
        }
        let entries = entries.into_iter().map(|(name, path, mut entry)| {
            entry.content = relinked(&entry.content, &name, &path, &paths);
            (path, entry)
        });
        entries.collect()
    }
}

/// The name of a file or folder of an archive without its end, and without the id that Notion adds.
fn own_name(part: &str, is_notion: bool) -> String {
    let name = part.rsplit_once('.').filter(|(_, end)| ["md", "markdown"].contains(end)).map_or(part, |(name, _)| name);
    let bare = name.rsplit_once(' ').filter(|(_, id)| id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()));
    bare.filter(|_| is_notion).map_or(name, |(name, _)| name).to_owned()
}

/// The first free path that an article's folders and title make. `taken` has of each path that is not free the number
/// that may be, so that a thousand articles of one title do not try all those before them.
fn path_of(article: &Article, prefix: &str, taken: &mut HashMap<String, u32>) -> Option<WikiPath> {
    let Article { name, folders, entry } = article;
    let mut segments: Vec<String> = prefix.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    segments.extend(folders.iter().map(|name| slug(name, SEGMENT_BYTES)).filter(|part| !part.is_empty()));
    segments.truncate(MAX_SEGMENTS - 1);
    // A title may be in signs that no address has.
    let own =
        [&entry.front.title, name].map(|name| slug(name, SEGMENT_BYTES)).into_iter().find(|own| !own.is_empty())?;
    let numbered = |number: u32| {
        let own = if number == 1 { own.clone() } else { format!("{own}-{number}") };
        let path = WikiPath::parse(&[segments.as_slice(), &[own]].concat().join("/")).ok()?;
        Some((path.as_str().to_lowercase(), path, number))
    };
    let (first, ..) = numbered(1)?;
    let begin = taken.get(&first).copied().unwrap_or(1);
    let (key, path, number) = (begin..).map_while(numbered).find(|(key, ..)| !taken.contains_key(key))?;
    taken.insert(key, 2);
    taken.insert(first, number + 1);
    Some(path)
}

/// The content with its links to other files of the archive as links to their files in the folder.
fn relinked(content: &str, name: &str, path: &str, paths: &HashMap<String, String>) -> String {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut linked = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = rest.split_once("](") {
        linked.push_str(before);
        linked.push_str("](");
        let end = after.find([')', '\n']).unwrap_or(after.len());
        let (target, behind) = after.split_at(end);
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let there = paths.get(&resolved(folder, &percent_decode_str(file).decode_utf8_lossy()));
        match there {
            Some(there) if !file.is_empty() => {
                linked.push_str(&"../".repeat(path.matches('/').count()));
                linked.push_str(&format!("{there}.md{}{anchor}", if anchor.is_empty() { "" } else { "#" }));
            }
            _ => linked.push_str(target),
        }
        rest = behind;
    }
    linked.push_str(rest);
    linked
}

/// The name of a file that a file of `folder` calls `file`.
fn resolved(folder: &str, file: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
