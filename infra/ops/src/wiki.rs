//! `wiki pull` and `wiki push`: a wiki as a folder of Markdown files with front matter, one for each entry.
//!
//! A file is named by its entry's path and `.md`. Front matter has title, visibility and tags; what follows is the content,
//! and one line feed. The folder also holds the version of each entry that was pulled or pushed last: so an entry that
//! changed on both sides is a conflict, which is named and left alone.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use domain::models::WikiPath;
use domain::sha256_hex;
use futures::StreamExt;
use reqwest::{Method, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::json;
use similar::TextDiff;

use crate::api::{Api, Page};
use crate::cli::WikiOptions;
use crate::output::{Failure, Progress, Report, with};

/// What the folder was when it was last pulled or pushed.
const STATE: &str = ".support-wiki.json";
const MAX_FILES: usize = 100_000;
/// More than the largest entry.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
const FRONT_MATTER_BYTES: usize = 64 * 1024;
const CONCURRENT_CALLS: usize = 8;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrontMatter {
    pub(crate) title: String,
    pub(crate) visibility: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
}

/// An entry of one side.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) front: FrontMatter,
    pub(crate) content: String,
    /// 0 of a file.
    pub(crate) version: u64,
}

/// An entry as both sides last had it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Base {
    version: u64,
    /// Of the file.
    hash: String,
}

pub(crate) type Entries = BTreeMap<String, Entry>;
pub(crate) type Bases = BTreeMap<String, Base>;

/// What the folder and a service last had both.
#[derive(Default, Serialize, Deserialize)]
struct State {
    /// Of which address and key: a folder that goes to another tenant begins anew there.
    of: String,
    entries: Bases,
}

/// What is to be done with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "action", content = "reason", rename_all = "lowercase")]
pub(crate) enum Step {
    Create,
    Update,
    Delete,
    /// The other side is to take it.
    Keep(&'static str),
    Conflict(&'static str),
}

impl Entry {
    fn says_the_same_as(&self, other: &Self) -> bool {
        self.front == other.front && self.content == other.content
    }

    /// Its file, from which it can be read again.
    pub(crate) fn file(&self) -> Result<String, Failure> {
        let title = &self.front.title;
        let front = serde_norway::to_string(&self.front).map_err(|e| Failure::refused(format!("{title}: {e}")))?;
        let text = format!("---\n{front}---\n{}\n", self.content);
        match Self::of_file(&text) {
            Ok(read) if read.says_the_same_as(self) => Ok(text),
            _ => Err(Failure::refused(format!("{title}: no file can hold this entry"))),
        }
    }

    fn base(&self, version: u64) -> Result<Base, Failure> {
        Ok(Base { version, hash: sha256_hex(self.file()?.as_bytes()) })
    }

    /// The front matter of a file, and what follows it.
    pub(crate) fn split(text: &str) -> Result<(String, String), String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // An editor or version control may have changed the line ends of the whole file.
        let text = if text.starts_with("---\r\n") { text.replace("\r\n", "\n") } else { text.to_owned() };
        let (first, rest) = text.split_once('\n').unwrap_or_default();
        if first.trim_end() != "---" {
            return Err("must begin with front matter: a line ---, title and visibility, and a line ---".to_owned());
        }
        let front = rest.split_inclusive('\n').take_while(|line| line.trim_end() != "---");
        let at = front.map(str::len).sum();
        let (front, rest) = rest.split_at_checked(at).unwrap_or_default();
        if rest.is_empty() || front.len() > FRONT_MATTER_BYTES {
            return Err("has front matter without an end".to_owned());
        }
        let content = rest.split_once('\n').unwrap_or_default().1;
        Ok((front.to_owned(), content.strip_suffix('\n').unwrap_or(content).to_owned()))
    }

    fn of_file(text: &str) -> Result<Self, String> {
        let (front, content) = Self::split(text)?;
        let front = serde_norway::from_str(&front).map_err(|e| format!("has front matter that is not valid: {e}"))?;
        Ok(Self { front, content, version: 0 })
    }
}

/// An entry as the API has it.
#[derive(Deserialize)]
struct Item {
    /// It becomes the name of a file.
    path: WikiPath,
    title: String,
    visibility: String,
    tags: Vec<String>,
    content: String,
    version: u64,
}

impl From<Item> for Entry {
    fn from(Item { title, visibility, tags, content, version, .. }: Item) -> Self {
        Self { front: FrontMatter { title, visibility, tags }, content, version }
    }
}

/// The file of an entry.
pub(crate) fn file_of(dir: &Path, path: &str) -> PathBuf {
    dir.join(format!("{path}.md"))
}

/// The entries of the service.
async fn remote(api: &Api, prefix: &str) -> Result<Entries, Failure> {
    let (mut all, mut cursor) = (Entries::new(), String::new());
    let encoded: String = url::form_urlencoded::byte_serialize(prefix.as_bytes()).collect();
    let filter = if prefix.is_empty() { String::new() } else { format!("&pathPrefix={encoded}") };
    loop {
        // What answers 404 to an export is no API: its wiki is not empty.
        let page: Page<Item> =
            api.call((Method::GET, &format!("/wiki-export?cursor={cursor}{filter}")), None, None).await?.read()?;
        all.extend(page.items.into_iter().map(|item| (item.path.to_string(), item.into())));
        match page.next_cursor {
            Some(next) => cursor = next,
            None => return Ok(all),
        }
    }
}

/// The entries of the folder. All files that cannot be read are named at once.
pub(crate) fn local(dir: &Path, prefix: &str) -> Result<Entries, Failure> {
    let (mut all, mut problems, mut seen, mut folders) = (Entries::new(), Vec::new(), 0, vec![dir.to_owned()]);
    while let Some(folder) = folders.pop() {
        for found in fs::read_dir(&folder).map_err(|e| Failure::file(&folder, &e))? {
            let found = found.map_err(|e| Failure::file(&folder, &e))?;
            let (file, kind) = (found.path(), found.file_type().map_err(|e| Failure::file(&folder, &e))?);
            if found.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if kind.is_dir() {
                folders.push(file);
                continue;
            }
            if kind.is_symlink() {
                // If it was left out, its entries would count as deleted.
                problems.push(format!("{} is a link", file.display()));
                continue;
            }
            let name = file.strip_prefix(dir).ok().and_then(|name| name.to_str()?.strip_suffix(".md"));
            let Some(name) = name.filter(|_| kind.is_file()) else { continue };
            seen += 1;
            if seen > MAX_FILES {
                return Err(Failure::refused(format!("{} has more than {MAX_FILES} files", dir.display())));
            }
            let size = found.metadata().map_err(|e| Failure::file(&file, &e))?.len();
            let read = match WikiPath::parse(name) {
                Err(error) => Err(format!("has no name of an entry: {}", error.0)),
                Ok(_) if size > MAX_FILE_BYTES => Err("is too large for an entry".to_owned()),
                Ok(_) if !name.starts_with(prefix) => continue,
                Ok(path) => fs::read_to_string(&file)
                    .map_err(|e| e.to_string())
                    .and_then(|text| Entry::of_file(&text))
                    .map(|entry| (path.to_string(), entry)),
            };
            match read {
                Ok(entry) => all.extend([entry]),
                Err(problem) => problems.push(format!("{} {problem}", file.display())),
            }
        }
    }
    if problems.is_empty() { Ok(all) } else { Err(Failure::refused(problems.join("\n"))) }
}

/// What the folder and the API's tenant last had both.
fn bases(dir: &Path, api: &Api) -> Result<Bases, Failure> {
    let file = dir.join(STATE);
    let state: State = match fs::read_to_string(&file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => State::default(),
        Err(e) => return Err(Failure::file(&file, &e)),
        Ok(text) => serde_json::from_str(&text).map_err(|e| Failure::file(&file, &e.into()))?,
    };
    Ok(if state.of == api.identity() { state.entries } else { Bases::new() })
}

/// Keeps it, and tells of the entries that failed.
fn finish(dir: &Path, api: &Api, entries: Bases, failures: &[String], report: Report) -> Result<Report, Failure> {
    let state = State { of: api.identity(), entries };
    write(&dir.join(STATE), &json!(state).to_string())?;
    if failures.is_empty() {
        return Ok(report);
    }
    Err(Failure::refused(format!("these entries were not written, the others were:\n{}", failures.join("\n"))))
}

/// Replaces a file by a whole one.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let part = file.with_extension("part");
    let folder = file.parent().unwrap_or(file);
    let done = fs::create_dir_all(folder).and_then(|()| fs::write(&part, text)).and_then(|()| fs::rename(&part, file));
    done.map_err(|e| Failure::file(file, &e))
}

impl WikiOptions {
    /// What a side that takes entries from `from` does with each path: `mine` are its own, `base` what both had.
    pub(crate) fn plan(
        &self,
        from: &Entries,
        mine: &Entries,
        base: &Bases,
        changed: Changed<'_>,
    ) -> BTreeMap<String, Step> {
        let conflict = |reason| if self.overwrite { Step::Update } else { Step::Conflict(reason) };
        let mut steps = BTreeMap::new();
        for (path, entry) in from {
            let known = base.get(path);
            let step = match (mine.get(path), known) {
                (Some(there), _) if there.says_the_same_as(entry) => continue,
                (None, None) => Step::Create,
                // The other side deleted it.
                (None, Some(base)) if (changed.from)(entry, base) && !self.overwrite => {
                    Step::Conflict("changed here, and deleted there")
                }
                (None, Some(_)) if self.overwrite => Step::Create,
                (None, Some(_)) => Step::Keep("deleted there"),
                (Some(_), None) => conflict("another entry is there already"),
                (Some(there), Some(base)) => match ((changed.from)(entry, base), (changed.mine)(there, base)) {
                    (true, true) => conflict("changed on both sides"),
                    (false, true) => Step::Keep("changed there alone"),
                    _ => Step::Update,
                },
            };
            steps.insert(path.clone(), step);
        }
        for (path, there) in mine.iter().filter(|(path, _)| !from.contains_key(*path)) {
            let Some(base) = base.get(path) else { continue };
            let step = match (changed.mine)(there, base) {
                true => Step::Conflict("deleted here, and changed there"),
                false if self.delete => Step::Delete,
                false => Step::Keep("deleted here: --delete deletes it there"),
            };
            steps.insert(path.clone(), step);
        }
        steps
    }
}

/// Whether an entry of a side is another one than both had.
pub(crate) struct Changed<'a> {
    pub(crate) from: &'a dyn Fn(&Entry, &Base) -> bool,
    pub(crate) mine: &'a dyn Fn(&Entry, &Base) -> bool,
}

fn is_edited(file: &Entry, base: &Base) -> bool {
    file.base(base.version).map_or(true, |own| own != *base)
}

fn is_newer(entry: &Entry, base: &Base) -> bool {
    entry.version != base.version
}

/// Writes the service's entries into the folder.
pub(crate) async fn pull(api: &Api, options: &WikiOptions, yes: bool) -> Result<Report, Failure> {
    let dir = &options.dir;
    fs::create_dir_all(dir).map_err(|e| Failure::file(dir, &e))?;
    let (there, here, mut bases) =
        (remote(api, &options.prefix).await?, local(dir, &options.prefix)?, bases(dir, api)?);
    // A file that was deleted here comes back: a pull takes what is there.
    bases.retain(|path, _| here.contains_key(path) || !there.contains_key(path));
    let steps = options.plan(&there, &here, &bases, Changed { from: &is_newer, mine: &is_edited });
    let report = report(&steps, &there, &here);
    if !yes {
        return Ok(report.of_dry_run());
    }
    let mut failures = Vec::new();
    for (path, entry) in &there {
        let done = match steps.get(path) {
            Some(Step::Keep(_) | Step::Conflict(_)) => continue,
            // Of two paths that differ in case alone, some systems have one file.
            Some(Step::Create) if file_of(dir, path).exists() => Err(Failure::refused("another file has this name")),
            Some(_) => entry.file().and_then(|text| write(&file_of(dir, path), &text)),
            None => Ok(()),
        };
        match done.and_then(|()| entry.base(entry.version)) {
            Ok(base) => drop(bases.insert(path.clone(), base)),
            Err(failure) => failures.push(format!("{path}: {}", failure.message())),
        }
    }
    for path in steps.iter().filter(|(_, step)| **step == Step::Delete).map(|(path, _)| path) {
        match fs::remove_file(file_of(dir, path)) {
            Ok(()) => drop(bases.remove(path)),
            Err(error) => failures.push(format!("{path}: {error}")),
        }
    }
    finish(dir, api, bases, &failures, report)
}

/// Writes the folder's entries into the service.
pub(crate) async fn push(api: &Api, options: &WikiOptions, yes: bool) -> Result<Report, Failure> {
    let dir = &options.dir;
    let (here, there, mut bases) =
        (local(dir, &options.prefix)?, remote(api, &options.prefix).await?, bases(dir, api)?);
    let mut steps = options.plan(&here, &there, &bases, Changed { from: &is_edited, mine: &is_newer });
    if !yes {
        return Ok(report(&steps, &here, &there).of_dry_run());
    }
    let progress = Progress::up_to(u64::try_from(steps.len()).unwrap_or(u64::MAX), "entries");
    let calls = steps.iter().map(|(path, step)| async {
        let entry = here.get(path);
        (path.clone(), sent(api, path, *step, entry, there.get(path).map(|entry| entry.version)).await)
    });
    let mut calls = futures::stream::iter(calls).buffer_unordered(CONCURRENT_CALLS);
    let mut done = Vec::new();
    while let Some(outcome) = calls.next().await {
        done.push(outcome);
        progress.set(u64::try_from(done.len()).unwrap_or(u64::MAX));
    }
    drop(calls);
    for (path, entry) in &here {
        if let Some(same) = there.get(path).filter(|there| there.says_the_same_as(entry)) {
            bases.insert(path.clone(), entry.base(same.version)?);
        }
    }
    let mut failures = Vec::new();
    for (path, outcome) in done {
        match (outcome, here.get(&path)) {
            (Ok(Sent::Version(version)), Some(entry)) => drop(bases.insert(path, entry.base(version)?)),
            (Ok(Sent::Gone), _) => drop(bases.remove(&path)),
            (Ok(Sent::Conflict), _) => drop(steps.insert(path, Step::Conflict("changed there meanwhile"))),
            (Ok(_), _) => {}
            (Err(failure), _) => failures.push(format!("{path}: {}", failure.message())),
        }
    }
    finish(dir, api, bases, &failures, report(&steps, &here, &there))
}

/// What became of a step.
enum Sent {
    Version(u64),
    Gone,
    Conflict,
    Nothing,
}

async fn sent(api: &Api, path: &str, step: Step, entry: Option<&Entry>, version: Option<u64>) -> Result<Sent, Failure> {
    let resource = format!("/wiki/{path}");
    let tag = version.map(|version| format!("\"{version}\""));
    let condition = tag.as_ref().map_or(("if-none-match", "*"), |tag| ("if-match", tag));
    let answer = match (step, entry) {
        (Step::Create | Step::Update, Some(Entry { front, content, .. })) => {
            let FrontMatter { title, visibility, tags } = front;
            let body = json!({"title": title, "content": content, "visibility": visibility, "tags": tags});
            api.call((Method::PUT, &resource), Some(condition), Some(&body)).await?
        }
        (Step::Delete, _) => api.call((Method::DELETE, &resource), Some(condition), None).await?,
        _ => return Ok(Sent::Nothing),
    };
    if step != Step::Delete && answer.status.is_success() {
        return answer.read::<Item>().map(|item| Sent::Version(item.version));
    }
    if step == Step::Delete && matches!(answer.status, StatusCode::NO_CONTENT | StatusCode::NOT_FOUND) {
        return Ok(Sent::Gone);
    }
    // A call whose reply was lost, and another push of the same folder, wrote just this.
    let there = api.call((Method::GET, &resource), None, None).await?.read::<Item>().ok().map(Entry::from);
    let same = there.filter(|there| entry.is_some_and(|entry| there.says_the_same_as(entry)));
    Ok(same.map_or(Sent::Conflict, |there| Sent::Version(there.version)))
}

pub(crate) fn report(steps: &BTreeMap<String, Step>, from: &Entries, mine: &Entries) -> Report {
    let items: Vec<_> = steps.iter().map(|(path, step)| with(json!(step), "path", path.as_str())).collect();
    let has_conflict = steps.values().any(|step| matches!(step, Step::Conflict(_)));
    Report::new(shown(steps, from, mine), json!({"items": items})).found(has_conflict)
}

/// The steps, with the differences of what changes.
fn shown(steps: &BTreeMap<String, Step>, from: &Entries, mine: &Entries) -> String {
    if steps.is_empty() {
        return "both sides are the same".to_owned();
    }
    let line = |(path, step): (&String, &Step)| match step {
        Step::Create => format!("+ {path}"),
        Step::Delete => format!("- {path}"),
        Step::Keep(reason) => format!("  {path}: {reason}"),
        Step::Conflict(reason) => format!("! {path}: conflict: {reason}"),
        Step::Update => {
            let text = |entries: &Entries| entries.get(path).and_then(|entry| entry.file().ok()).unwrap_or_default();
            let (old, new) = (text(mine), text(from));
            let diff = TextDiff::from_lines(&old, &new);
            format!("~ {path}\n{}", diff.unified_diff().context_radius(1).to_string().trim_end())
        }
    };
    let count = |step: Step| steps.values().filter(|other| **other == step).count();
    let [created, updated, deleted] = [Step::Create, Step::Update, Step::Delete].map(count);
    let lines: Vec<_> = steps.iter().map(line).collect();
    format!("{}\ncreated: {created}, updated: {updated}, deleted: {deleted}", lines.join("\n"))
}
