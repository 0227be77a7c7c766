//! Export of a tenant as JSON Lines, and its import into an empty one.
//!
//! An export has the settings and the data of both modes: no API key, no secret, no delivery. An import can be
//! interrupted and repeated. It writes each item once, sends no event and counts nothing: the figures are part of the
//! export. What was due becomes due at the end, and the service then indexes the wiki anew.

use aws::store::{ItemCopy, Store, TenantImport};
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{Mode, Scope, Settings, Tenant, TenantId, Timestamp};
use domain::{Error, Result};
use futures::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

use crate::jobs::indexing::reindex;

/// The format of the lines.
const FORMAT: u32 = 1;
/// Items that are in memory at a time, and after which the progress is recorded.
const ITEMS_AT_ONCE: usize = 64;
/// Items that are written at a time.
const CONCURRENCY: usize = 16;

/// One line of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Line {
    /// The first line.
    Export {
        /// The version of this format.
        format: u32,
        /// A random name.
        export_id: String,
        /// When it began.
        exported_at: Timestamp,
        /// The tenant's name.
        tenant_name: String,
    },
    /// The settings of a mode.
    Settings {
        /// The mode.
        mode: Mode,
        /// The settings.
        settings: Box<Settings>,
    },
    /// Everything else.
    Item {
        /// An item of the table.
        item: Box<ItemCopy>,
    },
    /// The last line: an export without it is not complete.
    End {
        /// The number of items.
        items: u64,
    },
}

/// The outcome of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The items of the export.
    pub items: u64,
    /// How many of them this call wrote. The others were there.
    pub written: u64,
}

/// Exports a tenant line by line; `progress` gets the number of items so far. Returns the number of items.
///
/// # Errors
/// 503 where the table does not answer, what `write` fails with, and an internal error for an item that this version
/// does not know.
pub async fn export(
    store: &Store,
    runtime: &Runtime,
    tenant: &Tenant,
    mut write: impl FnMut(&Line) -> Result<()>,
    progress: impl Fn(u64),
) -> Result<u64> {
    let (export_id, exported_at) = (runtime.token()?, runtime.now());
    write(&Line::Export { format: FORMAT, export_id, exported_at, tenant_name: tenant.name.clone() })?;
    for mode in Mode::ALL {
        let scope = Scope { tenant: tenant.tenant_id.clone(), mode: *mode };
        write(&Line::Settings { mode: *mode, settings: Box::new(store.settings().get(&scope).await?) })?;
    }
    let (mut items, mut next) = (0, None);
    loop {
        let page = store.tenant_items().page(&tenant.tenant_id, next).await?;
        for found in &page.items {
            let Some(item) = found.copy(&tenant.tenant_id)? else { continue };
            write(&Line::Item { item: Box::new(item) })?;
            items += 1;
        }
        progress(items);
        match page.next {
            Some(position) => next = Some(position),
            None => break,
        }
    }
    write(&Line::End { items })?;
    Ok(items)
}

/// Imports an export into a tenant. `open` reads the lines from the beginning; it is called three times. `progress` gets
/// the number of items so far, and of all.
///
/// # Errors
/// 400 for lines that are no complete export: then nothing was changed. 409 for a tenant that has data of its own or of
/// another export. 503 where the table does not answer: a repetition continues.
pub async fn import<L: Iterator<Item = Result<Line>>>(
    store: &Store,
    runtime: &Runtime,
    tenant: &TenantId,
    open: impl Fn() -> Result<L>,
    progress: impl Fn(u64, u64),
) -> Result<Imported> {
    let (export_id, items) = check(open()?)?;
    let mut import = begin(store, tenant, &export_id).await?;
    if import.done {
        return Ok(Imported { items, written: 0 });
    }
    if import.items == 0 {
        put_settings(store, tenant, open()?).await?;
    }
    let written = put_items(store, tenant, &mut import, open()?, |done| progress(done, items)).await?;
    let mut has_entries = Vec::new();
    for line in open()? {
        let Line::Item { item } = line? else { continue };
        store.tenant_items().make_copy_due(tenant, &item, &export_id).await?;
        if let Some(mode) = Mode::ALL.iter().find(|mode| item.is_entry_of(**mode))
            && !has_entries.contains(mode)
        {
            has_entries.push(*mode);
        }
    }
    for mode in has_entries {
        reindex::order(store, runtime, &Scope { tenant: tenant.clone(), mode }, &export_id).await?;
    }
    store.tenant_items().put_import(tenant, &TenantImport { done: true, ..import }).await?;
    Ok(Imported { items, written })
}

/// The name of the export and the number of its items.
fn check(lines: impl Iterator<Item = Result<Line>>) -> Result<(String, u64)> {
    let (mut name, mut items, mut is_complete) = (None, 0, false);
    for line in lines {
        let line = line?;
        if is_complete || matches!(line, Line::Export { .. }) != name.is_none() {
            return Err(no_export("its lines are not in the order of an export"));
        }
        match line {
            Line::Export { format, .. } if format != FORMAT => {
                return Err(no_export("another version of the service wrote it"));
            }
            Line::Export { export_id, .. } => name = Some(export_id),
            Line::Settings { .. } => {}
            Line::Item { .. } => items += 1,
            Line::End { items: all } if all == items => is_complete = true,
            Line::End { .. } => return Err(no_export("lines are missing")),
        }
    }
    name.filter(|_| is_complete).map(|name| (name, items)).ok_or_else(|| no_export("its end is missing"))
}

fn no_export(why: &str) -> Error {
    Error::new(Code::ValidationError, format!("The file is not a complete export: {why}."))
}

/// The import that is to be continued, or a new one.
async fn begin(store: &Store, tenant: &TenantId, export_id: &str) -> Result<TenantImport> {
    match store.tenant_items().get_import(tenant).await? {
        Some(import) if import.export_id == export_id => return Ok(import),
        Some(_) => return Err(Error::new(Code::Conflict, "Another export was imported into the tenant.")),
        None => {}
    }
    let mut next = None;
    loop {
        let page = store.tenant_items().page(tenant, next).await?;
        for item in &page.items {
            if item.copy(tenant)?.is_some() {
                return Err(Error::new(Code::Conflict, "The tenant has data; import into a new one."));
            }
        }
        match page.next {
            Some(position) => next = Some(position),
            None => break,
        }
    }
    let import = TenantImport { export_id: export_id.to_owned(), items: 0, done: false };
    store.tenant_items().put_import(tenant, &import).await?;
    Ok(import)
}

async fn put_settings(store: &Store, tenant: &TenantId, lines: impl Iterator<Item = Result<Line>>) -> Result<()> {
    for line in lines {
        match line? {
            Line::Settings { mode, settings } => {
                store.settings().put(&Scope { tenant: tenant.clone(), mode }, &settings).await?;
            }
            Line::Item { .. } => break,
            _ => {}
        }
    }
    Ok(())
}

/// Writes the items that are not written yet, and returns how many it wrote.
async fn put_items(
    store: &Store,
    tenant: &TenantId,
    import: &mut TenantImport,
    lines: impl Iterator<Item = Result<Line>>,
    progress: impl Fn(u64),
) -> Result<u64> {
    let items = lines.filter_map(|line| match line {
        Ok(Line::Item { item }) => Some(Ok(item)),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    });
    let mut items = items.skip(usize::try_from(import.items).unwrap_or(usize::MAX));
    let mut written = 0;
    loop {
        let some = items.by_ref().take(ITEMS_AT_ONCE).collect::<Result<Vec<_>>>()?;
        if some.is_empty() {
            return Ok(written);
        }
        let (copies, export_id) = (store.tenant_items(), import.export_id.as_str());
        let puts = some.iter().map(|item| copies.put_copy(tenant, item, export_id));
        let results: Vec<bool> = futures::stream::iter(puts).buffer_unordered(CONCURRENCY).try_collect().await?;
        written += results.iter().filter(|is_new| **is_new).count() as u64;
        import.items += some.len() as u64;
        copies.put_import(tenant, import).await?;
        progress(import.items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin_line() -> Result<Line> {
        let exported_at = Timestamp::from_millis(1);
        Ok(Line::Export { format: FORMAT, export_id: "e".into(), exported_at, tenant_name: "Shop".into() })
    }

    #[test]
    fn only_a_whole_export_is_taken() {
        let end = |items| Ok(Line::End { items });
        assert_eq!(check([begin_line(), end(0)].into_iter()).unwrap(), ("e".to_owned(), 0));
        let other = Line::Export {
            format: FORMAT + 1,
            export_id: "e".into(),
            exported_at: Timestamp::from_millis(1),
            tenant_name: String::new(),
        };
        let broken: [Vec<Result<Line>>; 6] = [
            vec![],
            vec![begin_line()],
            vec![end(0)],
            vec![begin_line(), end(1)],
            vec![begin_line(), end(0), end(0)],
            vec![Ok(other), end(0)],
        ];
        for lines in broken {
            assert_eq!(check(lines.into_iter()).unwrap_err().code(), Code::ValidationError);
        }
    }
}
