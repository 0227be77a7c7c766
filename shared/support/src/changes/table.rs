//! The meaning of a stream record: the tenant, the thing, and its state before and after.
//!
//! Images are read only here, because items are written only here. A record of a kind without consumers, and one whose
//! images differ in keys and bookkeeping only, is a [`Change`] too: the consumers decide, and equal models have no
//! effect.

use domain::change::{Change, EntryState, Subject};
use domain::models::WikiPath;
use domain::{Error, Result};
use serde::de::DeserializeOwned;

use crate::sessions::table::changes::PREVIEW;
use crate::table::item::ItemKind;
use crate::table::keys;
use crate::table::stream::{Item, Record, text};
use crate::tenants::table::settings::{SettingsRecord, scope_of_settings};
use crate::transfer::table::IMPORTED;
use crate::wiki::table::EntryRecord;

/// Reads a record; none if nothing follows from its kind, or if an import made the item: what follows from it
/// followed where it comes from; and for what belongs to the chat of somebody who tries it.
///
/// # Errors
/// An internal error if the images are not what this version of the service writes: the record is at fault, not the
/// moment.
pub fn read_change(record: &Record) -> Result<Option<Change>> {
    let has = |name: &str| record.new.as_ref().is_some_and(|item| item.get(name).is_some());
    if (record.old.is_none() && has(IMPORTED)) || has(PREVIEW) {
        return Ok(None);
    }
    let Some(subject) = subject(record)? else { return Ok(None) };
    let scope = match subject {
        Subject::Settings { .. } => scope_of_settings(key(record, "pk")?, key(record, "sk")?),
        _ => keys::scope_of(key(record, "pk")?),
    };
    let scope = scope.ok_or_else(|| Error::internal("a followed item outside every tenant"))?;
    Ok(Some(Change { record_id: record.event_id.clone(), at: record.at, scope, subject }))
}

fn subject(record: &Record) -> Result<Option<Subject>> {
    let (old, new) = (record.old.as_ref(), record.new.as_ref());
    let Some(kind) = record.item_kind() else { return Ok(None) };
    Ok(Some(match kind {
        ItemKind::Session => Subject::Session { old: parse_image(old)?, new: parse_image(new)? },
        ItemKind::Turn => Subject::Turn {
            session_id: keys::session_of_turn(key(record, "pk")?)
                .ok_or_else(|| Error::internal("a turn outside every session"))?,
            old: parse_image(old)?,
            new: parse_image(new)?,
        },
        ItemKind::Escalation => Subject::Escalation { old: parse_image(old)?, new: parse_image(new)? },
        ItemKind::Entry => Subject::Entry {
            path: WikiPath::parse(key(record, "sk")?).map_err(|e| Error::internal(e.0))?,
            old: entry_state(old)?,
            new: entry_state(new)?,
        },
        ItemKind::Webhook => Subject::Webhook { old: parse_image(old)?, new: parse_image(new)? },
        ItemKind::IngestJob => Subject::IngestJob { old: parse_image(old)?, new: parse_image(new)? },
        ItemKind::Settings => Subject::Settings {
            old: parse_image::<SettingsRecord>(old)?.unwrap_or_default().settings,
            new: parse_image::<SettingsRecord>(new)?.unwrap_or_default().settings,
        },
        // No consumer follows any other kind: see `CONSUMED_KINDS`.
        _ => return Ok(None),
    }))
}

fn key<'a>(record: &'a Record, name: &str) -> Result<&'a str> {
    text(&record.keys, name).ok_or_else(|| Error::internal("a stream record without its item's key"))
}

/// The record of an image; none without an image, and for a tombstone, whose `deleted` is true.
fn parse_image<R: DeserializeOwned>(image: Option<&Item>) -> Result<Option<R>> {
    let living = image.filter(|image| image.get("deleted") != Some(&serde_dynamo::AttributeValue::Bool(true)));
    living.map(|image| read(image)).transpose()
}

/// The version of a tombstone matters here.
fn entry_state(image: Option<&Item>) -> Result<EntryState> {
    let Some(image) = image else { return Ok(EntryState::default()) };
    let record: EntryRecord = read(image)?;
    let (version, deleted_at, deleted_by) = (record.version, record.deleted_at, record.deleted_by.clone());
    Ok(EntryState { entry: record.into_entry(), version, deleted_at, deleted_by })
}

/// A parse error may quote the image, so only its kind is reported; the image itself is in the dead letter.
fn read<R: DeserializeOwned>(image: &Item) -> Result<R> {
    serde_dynamo::from_item(image.clone())
        .map_err(|_| Error::internal(format!("an image does not read as {}", std::any::type_name::<R>())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::item;
    use crate::table::keys;
    use crate::table::keys::Key;
    use crate::tenants::table::settings::settings_key;
    use crate::wiki::table::entry_key;
    use domain::models::{Language, Mode, Scope, Settings, TenantId, Timestamp};

    fn scope() -> Scope {
        Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Test }
    }

    fn record(key: &Key, old: Option<item::Item>, new: Option<item::Item>) -> Record {
        let keys = item::Item::from([("pk".into(), item::text(&key.pk)), ("sk".into(), item::text(&key.sk))]);
        Record {
            event_id: "e".into(),
            sequence: "1".into(),
            at: Timestamp::from_millis(5),
            keys: keys.into(),
            old: old.map(Item::from),
            new: new.map(Item::from),
        }
    }

    #[test]
    fn settings_are_read_with_their_tenant_and_what_was_never_set_is_the_default() {
        let key = settings_key(&scope());
        let german = Settings { language: Language::German, ..Settings::default() };
        let stored =
            item::item(&key, ItemKind::Settings, &SettingsRecord { settings: german.clone(), version: 1 }).unwrap();
        let change = read_change(&record(&key, None, Some(stored))).unwrap().unwrap();
        assert_eq!(change.scope, scope());
        assert_eq!(change.subject, Subject::Settings { old: Settings::default(), new: german });
    }

    #[test]
    fn a_tombstone_of_an_entry_has_a_version_and_no_entry() {
        let path = WikiPath::parse("a/b").unwrap();
        let key = entry_key(&scope(), &path);
        let image = |version: u64, deleted: bool| {
            let fields = serde_json::json!({
                "path": "a/b", "version": version, "deleted": deleted, "createToken": "c", "writeToken": "w",
                "deletedAt": deleted.then_some("2026-01-02T03:04:05.678Z"),
            });
            item::item(&key, ItemKind::Entry, &fields).unwrap()
        };
        let change = read_change(&record(&key, None, Some(image(3, true)))).unwrap().unwrap();
        let Subject::Entry { path: read, old, new } = change.subject else { panic!() };
        assert_eq!((read, old), (path, EntryState::default()));
        assert_eq!((new.entry, new.version), (None, 3));
        assert_eq!(new.deleted_at.unwrap().to_string(), "2026-01-02T03:04:05.678Z");
    }

    #[test]
    fn a_change_without_consequences_is_none_and_an_unreadable_one_is_refused_without_quoting_it() {
        let key = Key { pk: format!("{}#SES#{}", keys::scope(&scope()), "x"), sk: "SENT#1".into() };
        let sent = item::item(&key, ItemKind::GapQuestion, &serde_json::json!({"turn": 1})).unwrap();
        assert_eq!(read_change(&record(&key, None, Some(sent))).unwrap(), None);
        let broken = item::item(&key, ItemKind::Session, &serde_json::json!({"ownership": "secret"})).unwrap();
        let error = read_change(&record(&key, None, Some(broken))).unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }

    #[test]
    fn a_session_that_became_a_tombstone_reads_as_gone() {
        let key = Key { pk: format!("{}#SES#x", keys::scope(&scope())), sk: keys::SESSION.into() };
        let tombstone = item::item(&key, ItemKind::Session, &serde_json::json!({"deleted": true})).unwrap();
        let change = read_change(&record(&key, None, Some(tombstone))).unwrap().unwrap();
        assert_eq!(change.subject, Subject::Session { old: None, new: None });
    }
}
