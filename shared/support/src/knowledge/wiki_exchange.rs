//! `/wiki-export` and `/wiki-import`: a wiki out, whole and by path, and entries in, many at once. An item of an import is
//! read, written and reported by itself.

use std::collections::{HashMap, HashSet};

use axum::extract::State;
use domain::error::{Code, Detail, DetailCode};
use domain::models::{
    ChangeAction, Draft, DraftId, DraftStatus, ImportAction, OnConflict, Settings, Timestamp, Visibility, WikiEntry,
    WikiPath,
};
use domain::wire::{EntryOut, Viewer};
use domain::{Error, Result, sha256_hex_of_parts};
use futures::StreamExt;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::edge::allowance::LimitedAction;
use crate::edge::input::{FieldPath, Format, choice, flag, flattened, list_between, or, parsed, required};
use crate::edge::{self, AllowanceIn, ApiResult, App, CursorPageOut, Json, JsonIn, QueryIn, WikiWriter};
use crate::knowledge::drafts::table::DraftFilter;
use crate::requester::Requester;
use crate::table::Store;
use crate::wiki::api::{index_end, index_until};
use crate::wiki::input::{EntryIn, PathBeginning, wiki_path};
use crate::wiki::table::{NewEntry, PutOutcome};

const MAX_ITEMS: usize = 100;
const IMPORT_BYTES: usize = 3 * 1024 * 1024;
/// Items that are written at the same time.
const CONCURRENT_ITEMS: usize = 8;
const DRAFTS_PER_READ: usize = 100;
/// How long an import begins to write items, in milliseconds: the last ones must end before the function does.
const WRITE_MS: i64 = 12_000;

edge::query! {
    /// The part of the wiki.
    #[derive(Debug)]
    pub(crate) struct ExportWikiQuery {
        /// Only entries whose paths begin so, down to a part of a segment.
        path_prefix: Option<PathBeginning> = "pathPrefix" => edge::query::parsed(PathBeginning::parse),
    }
    cursor: from: WikiPath, list = (path_prefix.as_ref().map(|beginning| beginning.0.as_str()));
}

/// A page of whole entries.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "WikiExport")]
pub(crate) struct WikiExportOut {
    #[serde(flatten)]
    page: CursorPageOut<EntryOut>,
}

edge::endpoint! {
    /// Export the wiki.
    ///
    /// Whole entries, by path, as they are now. An answer reads 1 MiB at the most: a page may be short, or empty, with
    /// `hasMore: true`. `POST /wiki-import` takes the items as they are.
    pub(crate) ExportWiki = GET "/api/v1/wiki-export" => export_wiki;
    rate_class: List,
    example_query: {"pathPrefix": "billing/"},
}

async fn export_wiki(
    State(app): State<App>,
    caller: WikiWriter,
    QueryIn(ExportWikiQuery { path_prefix, from, list }): QueryIn<ExportWikiQuery>,
) -> ApiResult<Json<WikiExportOut>> {
    let prefix = path_prefix.map(|beginning| beginning.0).unwrap_or_default();
    let page = app.store.wiki().export(caller.scope(), &prefix, from.as_ref()).await?;
    let page = CursorPageOut::new(page, &list, |entry| EntryOut::new(entry, Viewer::of(&caller)))?;
    Ok(Json(WikiExportOut { page }))
}

edge::body! {
    /// An entry as an export has it; its other fields are not read.
    #[derive(Debug)]
    pub(crate) struct ImportedEntryIn as "ImportedEntry" {
        /// Its name.
        path: WikiPath = "path" => required(parsed(wiki_path)),
        entry: EntryIn = "" => flattened::<EntryIn>(),
    }
}

/// An item that is read by itself: its problems are of no other item, and not of the request.
#[derive(Debug)]
struct ItemFormat;

/// An item, or what is wrong with it and the path that it gives.
type Item = std::result::Result<ImportedEntryIn, (Option<String>, Error)>;

impl Format for ItemFormat {
    type Value = Item;

    fn read(&self, value: &Value, _: &FieldPath<'_>) -> Option<Item> {
        let path = || value.get("path")?.as_str().map(|path| path.chars().take(WikiPath::MAX_BYTES).collect());
        let read = match value {
            Value::Object(map) => edge::from_object(map),
            _ => Err(Error::validation(Vec::new()).with_detail(DetailCode::WrongType, "must be an object")),
        };
        Some(read.map_err(|error| (path(), error)))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<ImportedEntryIn>()
    }
}

edge::body! {
    /// Entries to write.
    #[derive(Debug)]
    pub(crate) struct WikiImportIn as "WikiImport" {
        /// Each of another path.
        items: Vec<Item> = "items" => required(list_between(1, MAX_ITEMS, ItemFormat)),
        /// What is done with an item whose path holds another entry.
        on_conflict: OnConflict = "onConflict" => required(choice::<OnConflict>()),
        /// Nothing is written; each `action` says what would be done.
        dry_run: bool = "dryRun" => or(flag(), false),
    }
    limit_bytes: IMPORT_BYTES
}

/// What became of the items of an import.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "WikiImportResult")]
pub(crate) struct WikiImportOut {
    /// In the order of the request.
    items: Vec<ImportedItemOut>,
}

/// What became of an item.
#[serde_with::skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WikiImportItem")]
struct ImportedItemOut {
    /// As the item gives it, at most 512 characters; absent if it gives none.
    path: Option<String>,
    /// What became of it.
    action: ImportAction,
    /// The draft of one that is `drafted`; absent in a dry run.
    draft_id: Option<DraftId>,
    /// Why it failed.
    error: Option<ItemErrorOut>,
}

/// An error of one item.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "WikiImportError")]
struct ItemErrorOut {
    /// The code of the error.
    #[schemars(with = "Code")]
    error: &'static str,
    /// For a person.
    message: String,
    /// All problems at once.
    details: Vec<Detail>,
}

edge::endpoint! {
    /// Import entries.
    ///
    /// Each item is written by itself: one that fails stops no other. Sent again, what is there is `unchanged`, and an open
    /// draft that proposes the same is `drafted`. An import counts as its items. An `Idempotency-Key` is ignored.
    pub(crate) ImportWiki = POST "/api/v1/wiki-import" => import_wiki;
    example: {
        "items": [{"path": "billing/invoices", "title": "Invoices", "content": "Invoices come on the first.", "visibility": "public"}],
        "onConflict": "skip",
    },
}

async fn import_wiki(
    State(app): State<App>,
    caller: WikiWriter,
    AllowanceIn(allowance): AllowanceIn,
    JsonIn(body): JsonIn<WikiImportIn>,
) -> ApiResult<Json<WikiImportOut>> {
    let more = u32::try_from(body.items.len()).unwrap_or(u32::MAX).saturating_sub(1);
    if more > 0 {
        allowance.trying(LimitedAction::MoreItems { tokens: more }).count().await?;
    }
    let import = Import {
        store: Requester::Caller(&caller).acting(&app.store),
        settings: app.store.settings().get(caller.scope()).await?,
        app: &app,
        caller: &caller,
        on_conflict: body.on_conflict,
        dry_run: body.dry_run,
        drafts: OnceCell::new(),
        index_end: index_end(&app),
        write_end: app.runtime.now().plus_millis(WRITE_MS),
    };
    let done: Vec<_> = futures::stream::iter(once_each(body.items))
        .map(|item| async { import.item(item).await })
        .buffered(CONCURRENT_ITEMS)
        .collect()
        .await;
    Ok(Json(WikiImportOut { items: done.into_iter().collect::<Result<_>>()? }))
}

/// The items; a later one of a path that an earlier one has is a problem.
fn once_each(items: Vec<Item>) -> Vec<Item> {
    let mut paths = HashSet::new();
    let checked = items.into_iter().map(|item| {
        item.and_then(|item| match paths.insert(item.path.clone()) {
            true => Ok(item),
            false => {
                let error = Error::invalid("path", DetailCode::InvalidFormat, "must be of no earlier item");
                Err((Some(item.path.to_string()), error))
            }
        })
    });
    checked.collect()
}

/// An import of a request.
struct Import<'a> {
    app: &'a App,
    caller: &'a WikiWriter,
    store: Store,
    settings: Settings,
    on_conflict: OnConflict,
    dry_run: bool,
    /// The open drafts by what they propose, read once an item needs them.
    drafts: OnceCell<HashMap<String, DraftId>>,
    /// Until when items are written.
    write_end: Timestamp,
    /// Until when all items wait for the index.
    index_end: Timestamp,
}

impl Import<'_> {
    /// # Errors
    /// 401 or 403 if the caller may not write any more: that is of the request.
    async fn item(&self, item: Item) -> Result<ImportedItemOut> {
        let (path, outcome) = match item {
            Err((path, error)) => (path, Err(error)),
            Ok(ImportedEntryIn { path, entry }) => {
                let new = entry.at(path.clone(), self.caller.name());
                (Some(path.to_string()), self.write(&new).await)
            }
        };
        Ok(match outcome {
            Ok((action, draft_id)) => ImportedItemOut { path, action, draft_id, error: None },
            Err(error) if matches!(error.code().status(), 401 | 403) => return Err(error),
            Err(error) => {
                if error.code().status() >= 500 {
                    tracing::warn!(error = %error, "an item of an import failed");
                }
                let (code, message) = (error.code().name(), error.message().to_owned());
                let error = Some(ItemErrorOut { error: code, message, details: error.details().to_vec() });
                ImportedItemOut { path, action: ImportAction::Failed, draft_id: None, error }
            }
        })
    }

    async fn write(&self, new: &NewEntry) -> Result<(ImportAction, Option<DraftId>)> {
        if self.app.runtime.now() >= self.write_end {
            return Err(Error::unavailable("an import took too long for this item"));
        }
        let scope = self.caller.scope();
        let overwrites = self.on_conflict == OnConflict::Overwrite;
        let (wiki, now) = (self.store.wiki(), self.app.runtime.now());
        let outcome = match self.dry_run {
            true => new.clone().outcome(wiki.get(scope, &new.path).await?, 0, now, overwrites),
            false => wiki.put(scope, new, |_| Ok(overwrites)).await?,
        };
        let (action, written) = match outcome {
            PutOutcome::Created(entry) => (ImportAction::Created, entry),
            PutOutcome::Updated(entry) => (ImportAction::Updated, entry),
            PutOutcome::Unchanged(_) => return Ok((ImportAction::Unchanged, None)),
            PutOutcome::Kept(entry) => return self.keep(new, &entry).await,
        };
        if !self.dry_run {
            index_until(self.app, scope, &written, Ok(self.settings.clone()), self.index_end).await;
        }
        Ok((action, None))
    }

    /// What becomes of an item whose path holds another entry that stays.
    async fn keep(&self, new: &NewEntry, entry: &WikiEntry) -> Result<(ImportAction, Option<DraftId>)> {
        match self.on_conflict {
            OnConflict::Skip | OnConflict::Overwrite => return Ok((ImportAction::Skipped, None)),
            OnConflict::Draft if self.dry_run => return Ok((ImportAction::Drafted, None)),
            OnConflict::Draft => {}
        }
        let runtime = &self.app.runtime;
        let draft_id = DraftId::generate(runtime)?;
        let by = self.caller.name();
        let mut draft = Draft::new(draft_id.clone(), new.path.clone(), ChangeAction::Update, by, runtime.now());
        draft.base_version = Some(entry.version);
        draft.title = Some(new.title.clone());
        draft.content = Some(new.content.clone());
        draft.visibility = Some(new.visibility);
        draft.tags.clone_from(&new.tags);
        if let Some(open) = self.open_drafts().await?.get(&proposal(&draft)) {
            return Ok((ImportAction::Drafted, Some(open.clone())));
        }
        self.store.drafts().create(self.caller.scope(), &draft, None).await?;
        Ok((ImportAction::Drafted, Some(draft_id)))
    }

    async fn open_drafts(&self) -> Result<&HashMap<String, DraftId>> {
        let read = async || {
            let (mut all, mut after) = (HashMap::new(), None);
            loop {
                let filter = DraftFilter { status: DraftStatus::Open, path: None };
                let drafts = self.store.drafts();
                let page = drafts.list(self.caller.scope(), &filter, after.as_ref(), DRAFTS_PER_READ).await?;
                all.extend(page.items.into_iter().map(|draft| (proposal(&draft), draft.draft_id)));
                match page.next {
                    Some(next) => after = Some(next),
                    None => return Ok(all),
                }
            }
        };
        self.drafts.get_or_try_init(read).await
    }
}

/// A hash of what a draft proposes: drafts may be long, and there may be many.
fn proposal(draft: &Draft) -> String {
    let [title, content] = [&draft.title, &draft.content].map(|text| text.as_deref().unwrap_or_default());
    let visibility = draft.visibility.map_or("", Visibility::as_str);
    let mut parts = vec![draft.path.as_str(), draft.action.as_str(), title, content, visibility];
    parts.extend(draft.tags.iter().map(String::as_str));
    sha256_hex_of_parts(&parts)
}
