//! Reads an export into a tenant. Its items are made as the API would have made them here: by the constructors that
//! requests pass, and by authors who are members of another tenant. They are written by the repositories' own code.
//!
//! An import can be interrupted and repeated. It writes each item once, sends no event and counts nothing: the figures
//! are part of the export. An export does not say when something is due: that is computed, as when it was stored. What
//! was due becomes due at the end, and the service then indexes the wiki anew.

use std::collections::{BTreeMap, BTreeSet};

use domain::clock::Runtime;
use domain::error::Code;
use domain::gaps::masked_question;
use domain::models::{
    AgentRef, AuditAction, AuditEntry, GapExample, Mode, Pin, Scope, SensitiveSetting, Settings, TenantId, Timestamp,
    TurnBody, WikiEntry, from_elsewhere,
};
use domain::{Error, Result};
use futures::{StreamExt, TryStreamExt};

use crate::sessions::conversation::lifecycle::next_due_at;
use crate::table::Store;
use crate::transfer::Line;
use crate::transfer::check::{Checked, Rules, Summary};
use crate::transfer::table::{DeletedPath, GapQuestion, ItemCopy, TenantImport};
use crate::wiki::table::DeletedEntry;
use crate::wiki::{indexing, revisions};

/// Items that are in memory at a time, and after which the progress is recorded.
const ITEMS_AT_ONCE: usize = 64;
/// Items that are written at a time.
const CONCURRENCY: usize = 16;

/// The outcome of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The items of the export.
    pub items: u64,
    /// How many of them this call wrote. The others were there.
    pub written: u64,
}

/// The summary of the lines of an export. Changes nothing.
///
/// # Errors
/// 400 with the number of the first line that breaks a rule, or for an export that is not complete.
pub fn preview<L: Iterator<Item = Result<(u64, Line)>>>(rules: Rules, lines: L) -> Result<Summary> {
    let mut checked = Checked::new(rules, lines);
    for line in checked.by_ref() {
        line?;
    }
    checked.summary()
}

/// The settings of a mode after an import into a tenant that has `target`: those of the export, but for the operator's
/// own, and the sensitive ones that stay unless they are among `taken`.
///
/// # Errors
/// As those of [`Summary::settings`].
pub fn settings_after(
    found: &Summary,
    mode: Mode,
    target: &Settings,
    taken: &BTreeSet<SensitiveSetting>,
) -> Result<Settings> {
    Ok(merged(found.settings(mode)?, target, taken))
}

fn merged(imported: &Settings, target: &Settings, taken: &BTreeSet<SensitiveSetting>) -> Settings {
    let imported = Settings { widget_requests_per_minute: target.widget_requests_per_minute, ..imported.clone() };
    let staying = SensitiveSetting::ALL.iter().filter(|setting| setting.stays_in_imports() && !taken.contains(setting));
    staying.fold(imported, |settings, staying| staying.taken_from(target, settings))
}

/// Imports the export that [`preview`] found into a tenant, with the settings of [`settings_after`]. `open` reads its
/// lines from the beginning; it is called twice, and each time every line is checked. `progress` gets the number of items
/// that were written or made due so far, and of all that will be.
///
/// # Errors
/// 400 for lines that the API would not take. 409 for a tenant that has data of its own or of another export, for an
/// import that began with other `taken`, or if the lines are not those that were found. 503 if the table does not
/// answer: a repetition continues.
pub async fn import<L: Iterator<Item = Result<(u64, Line)>>>(
    store: &Store,
    runtime: &Runtime,
    rules: Rules,
    tenant: &TenantId,
    (found, taken): (&Summary, &BTreeSet<SensitiveSetting>),
    open: impl Fn() -> Result<L>,
    progress: impl Fn(u64, u64),
) -> Result<Imported> {
    let mut import = begin(store, runtime, tenant, (found, taken)).await?;
    if import.done {
        return Ok(Imported { items: found.items, written: 0 });
    }
    if import.items == 0 {
        put_settings(store, tenant, found, taken).await?;
    }
    let target = Target { store, tenant, found, settings: settings_of(store, tenant).await? };
    let steps = found.items.saturating_mul(2);
    let mut lines = Checked::new(rules, open()?);
    let written = target.put_items(&mut import, items(&mut lines), |done| progress(done, steps)).await?;
    target.require_same(&import, lines).await?;
    let mut lines = Checked::new(rules, open()?);
    let has_entries = target.make_due(items(&mut lines), |done| progress(found.items.saturating_add(done), steps));
    let has_entries = has_entries.await?;
    target.require_same(&import, lines).await?;
    for mode in has_entries {
        indexing::order(store, runtime, &target.scope(mode), &found.digest).await?;
    }
    store.tenant_items().put_import(tenant, &TenantImport { done: true, ..import }).await?;
    Ok(Imported { items: found.items, written })
}

fn items<L: Iterator<Item = Result<(u64, Line)>>>(
    lines: &mut Checked<L>,
) -> impl Iterator<Item = Result<(Mode, ItemCopy)>> {
    lines.filter_map(|line| match line {
        Ok(Line::Item { mode, item }) => Some(Ok((mode, constructed(item)))),
        Ok(Line::Export { .. } | Line::Settings { .. } | Line::End { .. }) => None,
        Err(error) => Some(Err(error)),
    })
}

/// The import that is to be continued, or a new one.
async fn begin(
    store: &Store,
    runtime: &Runtime,
    tenant: &TenantId,
    (found, taken): (&Summary, &BTreeSet<SensitiveSetting>),
) -> Result<TenantImport> {
    match store.tenant_items().get_import(tenant).await? {
        Some(import) if import.export_id == found.digest && import.taken != *taken => {
            let began = import.taken.iter().map(|setting| format!(" --take {setting}")).collect::<String>();
            let began = if began.is_empty() { " no --take".to_owned() } else { began };
            let message = format!("The import began with{began}: repeat it so, and change the settings afterwards.");
            return Err(Error::new(Code::Conflict, message));
        }
        Some(import) if import.export_id == found.digest => return Ok(import),
        Some(_) => return Err(Error::new(Code::Conflict, "Another export was imported into the tenant.")),
        None => {}
    }
    let mut next = None;
    loop {
        let page = store.tenant_items().page(tenant, next).await?;
        if page.items.iter().any(crate::transfer::table::items::TenantItem::is_data) {
            return Err(Error::new(Code::Conflict, "The tenant has data; import into a new one."));
        }
        match page.next {
            Some(position) => next = Some(position),
            None => break,
        }
    }
    let audit = AuditEntry::by_operator(AuditAction::TenantImported, tenant.as_str(), runtime.now());
    store.audit().add(tenant, &audit).await?;
    let import = TenantImport { export_id: found.digest.clone(), items: 0, done: false, taken: taken.clone() };
    store.tenant_items().put_import(tenant, &import).await?;
    Ok(import)
}

async fn put_settings(
    store: &Store,
    tenant: &TenantId,
    found: &Summary,
    taken: &BTreeSet<SensitiveSetting>,
) -> Result<()> {
    for scope in scopes(tenant) {
        let imported = found.settings(scope.mode)?;
        store.settings().update(&scope, |old| merged(imported, &old, taken)).await?;
    }
    Ok(())
}

/// The settings of a tenant, by which what is imported is due.
async fn settings_of(store: &Store, tenant: &TenantId) -> Result<BTreeMap<Mode, Settings>> {
    let mut settings = BTreeMap::new();
    for scope in scopes(tenant) {
        settings.insert(scope.mode, store.settings().get(&scope).await?);
    }
    Ok(settings)
}

fn scopes(tenant: &TenantId) -> impl Iterator<Item = Scope> {
    Mode::ALL.iter().map(|mode| Scope { tenant: tenant.clone(), mode: *mode })
}

/// Where an import writes.
struct Target<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
    found: &'a Summary,
    settings: BTreeMap<Mode, Settings>,
}

impl Target<'_> {
    fn scope(&self, mode: Mode) -> Scope {
        Scope { tenant: self.tenant.clone(), mode }
    }

    fn due_at(&self, mode: Mode, item: &ItemCopy) -> Option<Timestamp> {
        self.settings.get(&mode).and_then(|settings| due_at(item, settings))
    }

    /// Writes the items that are not written yet, and returns how many it wrote.
    async fn put_items(
        &self,
        import: &mut TenantImport,
        items: impl Iterator<Item = Result<(Mode, ItemCopy)>>,
        progress: impl Fn(u64),
    ) -> Result<u64> {
        // Items that are already written are checked again.
        let (done, mut position) = (import.items, 0);
        let mut items = items.filter(|item| {
            position += u64::from(item.is_ok());
            item.is_err() || position > done
        });
        let mut written = 0;
        loop {
            let some = items.by_ref().take(ITEMS_AT_ONCE).collect::<Result<Vec<_>>>()?;
            if some.is_empty() {
                return Ok(written);
            }
            let puts = some.iter().map(|(mode, item)| self.put_item(*mode, item));
            let results: Vec<bool> = futures::stream::iter(puts).buffer_unordered(CONCURRENCY).try_collect().await?;
            written += results.iter().filter(|is_new| **is_new).count() as u64;
            import.items += some.len() as u64;
            self.store.tenant_items().put_import(self.tenant, import).await?;
            progress(import.items);
        }
    }

    /// Makes due what was written, and returns the modes that have entries.
    async fn make_due(
        &self,
        mut items: impl Iterator<Item = Result<(Mode, ItemCopy)>>,
        progress: impl Fn(u64),
    ) -> Result<BTreeSet<Mode>> {
        let (mut done, mut has_entries) = (0, BTreeSet::new());
        loop {
            let some = items.by_ref().take(ITEMS_AT_ONCE).collect::<Result<Vec<_>>>()?;
            if some.is_empty() {
                return Ok(has_entries);
            }
            let puts = some.iter().map(|(mode, item)| self.make_item_due(*mode, item));
            futures::stream::iter(puts).buffer_unordered(CONCURRENCY).try_collect::<()>().await?;
            let entries = some.iter().filter(|(_, item)| matches!(item, ItemCopy::Entry(_)));
            has_entries.extend(entries.map(|(mode, _)| *mode));
            done += some.len() as u64;
            progress(done);
        }
    }

    async fn make_item_due(&self, mode: Mode, item: &ItemCopy) -> Result<()> {
        match self.due_at(mode, item) {
            Some(due) => {
                self.store.tenant_items().make_copy_due(&self.scope(mode), item, due, &self.found.digest).await
            }
            None => Ok(()),
        }
    }

    /// Refuses lines, read to their end, that are not those that were found at first. Nothing continues the import then:
    /// some of what is written is of another file.
    async fn require_same<L: Iterator<Item = Result<(u64, Line)>>>(
        &self,
        import: &TenantImport,
        lines: Checked<L>,
    ) -> Result<()> {
        if lines.summary()?.digest == self.found.digest {
            return Ok(());
        }
        let ended = TenantImport { export_id: String::new(), ..import.clone() };
        self.store.tenant_items().put_import(self.tenant, &ended).await?;
        let message = "The file changed while it was imported. Delete the tenant, and import into a new one.";
        Err(Error::new(Code::Conflict, message))
    }

    async fn put_item(&self, mode: Mode, item: &ItemCopy) -> Result<bool> {
        let due = self.due_at(mode, item);
        self.store.tenant_items().put_copy(&self.scope(mode), item, due, &self.found.digest).await
    }
}

/// The item as the API would have stored it.
fn constructed(item: ItemCopy) -> ItemCopy {
    match item {
        ItemCopy::Entry(entry) => ItemCopy::Entry(Box::new(written_elsewhere(*entry))),
        ItemCopy::Revision(entry) => ItemCopy::Revision(Box::new(written_elsewhere(*entry))),
        ItemCopy::DeletedEntry(path) => ItemCopy::DeletedEntry(deleted_elsewhere(path)),
        ItemCopy::RevisionsEnd(path) => ItemCopy::RevisionsEnd(deleted_elsewhere(path)),
        ItemCopy::Draft(mut draft) => {
            draft.created_by = from_elsewhere(draft.created_by);
            ItemCopy::Draft(draft)
        }
        ItemCopy::IngestJob(mut job) => {
            job.created_by = from_elsewhere(job.created_by);
            ItemCopy::IngestJob(job)
        }
        ItemCopy::Pin(pin) => {
            let Pin { pin_id, path, question, created_by, created_at } = *pin;
            let pin = Pin::new(pin_id, path, &question, from_elsewhere(created_by), created_at);
            ItemCopy::Pin(Box::new(pin))
        }
        ItemCopy::GapQuestion(GapQuestion { gap_id, turn, part, asked }) => {
            ItemCopy::GapQuestion(GapQuestion { gap_id, turn, part, asked: masked(asked) })
        }
        ItemCopy::Gap(mut gap) => {
            gap.query = gap.query.take().map(masked);
            ItemCopy::Gap(gap)
        }
        ItemCopy::Turn(mut turn) => {
            match &mut turn.turn.body {
                TurnBody::Agent(by) => by.agent = by.agent.clone().imported(),
                TurnBody::System(by) => by.agent = by.agent.take().map(AgentRef::imported),
                TurnBody::Customer(_) | TurnBody::Ai(_) => {}
            }
            ItemCopy::Turn(turn)
        }
        ItemCopy::Escalation(mut escalation) => {
            escalation.claimed_by = escalation.claimed_by.take().map(AgentRef::imported);
            escalation.former_agent = escalation.former_agent.take().map(AgentRef::imported);
            (escalation.claim_token, escalation.claimed_generation) = (None, None);
            ItemCopy::Escalation(escalation)
        }
        other @ (ItemCopy::Webhook(_)
        | ItemCopy::SavedReply(_)
        | ItemCopy::IngestText(_)
        | ItemCopy::Statistics(_)
        | ItemCopy::Session(_)) => other,
    }
}

fn written_elsewhere(entry: WikiEntry) -> WikiEntry {
    WikiEntry { created_by: from_elsewhere(entry.created_by), updated_by: from_elsewhere(entry.updated_by), ..entry }
}

fn deleted_elsewhere(DeletedPath { path, deleted }: DeletedPath) -> DeletedPath {
    DeletedPath { path, deleted: DeletedEntry { by: deleted.by.map(from_elsewhere), ..deleted } }
}

fn masked(said: GapExample) -> GapExample {
    GapExample { text: masked_question(&said.text), ..said }
}

/// When something is due under the settings of its mode; none if it never is.
pub(crate) fn due_at(copy: &ItemCopy, settings: &Settings) -> Option<Timestamp> {
    match copy {
        ItemCopy::Session(session) => next_due_at(session, settings),
        ItemCopy::Escalation(escalation) => escalation.due_at(),
        ItemCopy::IngestJob(job) => job.due_at(),
        ItemCopy::RevisionsEnd(end) => Some(revisions::erase_at(end.deleted.at, settings)),
        ItemCopy::Entry(_)
        | ItemCopy::DeletedEntry(_)
        | ItemCopy::Revision(_)
        | ItemCopy::SavedReply(_)
        | ItemCopy::Draft(_)
        | ItemCopy::Pin(_)
        | ItemCopy::Webhook(_)
        | ItemCopy::IngestText(_)
        | ItemCopy::Statistics(_)
        | ItemCopy::Turn(_)
        | ItemCopy::GapQuestion(_)
        | ItemCopy::Gap(_) => None,
    }
}
