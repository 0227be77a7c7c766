//! `export` and `import`: the file of JSON Lines. `app::tenant_transfer` says what is in it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use app::ClientProvider;
use app::tenant_transfer::{self, Line};
use app::tenants;
use domain::error::Code;
use domain::{Error, Result};
use serde_json::json;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::report::Report;

/// The longest line, in bytes: an item has at most 400 KB, and a byte of it at most six as JSON.
const MAX_LINE_BYTES: u64 = 4_000_000;

pub(super) async fn export(clients: &impl ClientProvider, tenant: &str, file: &Path) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    let tenant = tenants::find(&store, tenant).await?;
    if file.exists() {
        return Err(Error::new(Code::Conflict, format!("{} exists already.", file.display())).into());
    }
    // Under another name until it is complete.
    let part = PathBuf::from(format!("{}.part", file.display()));
    let failed = |e: io::Error| Failure::file(&part, &e);
    let mut out = BufWriter::new(create_private(&part).map_err(failed)?);
    let progress = Progress::new("items exported");
    let write = |line: &Line| {
        let mut line = serde_json::to_vec(line).map_err(|e| Error::internal(format!("an item as JSON: {e}")))?;
        line.push(b'\n');
        out.write_all(&line).map_err(|e| Error::internal(format!("{}: {e}", part.display())))
    };
    let items = tenant_transfer::export(&store, &runtime, &tenant, write, |count| progress.set(count)).await;
    let items = match items {
        Ok(items) => items,
        Err(error) => {
            std::fs::remove_file(&part).ok();
            return Err(error.into());
        }
    };
    out.into_inner().map_err(|e| e.into_error()).and_then(|file| file.sync_all()).map_err(failed)?;
    std::fs::rename(&part, file).map_err(failed)?;
    let text = format!("exported {} items of {} to {}", items, tenant.name, file.display());
    Ok(Report::new(text, json!({"tenantId": tenant.tenant_id, "file": file, "items": items})))
}

pub(super) async fn import(clients: &impl ClientProvider, tenant: &str, file: &Path) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    let tenant = tenants::find(&store, tenant).await?;
    File::open(file).map_err(|e| Failure::file(file, &e))?;
    let progress = Progress::up_to(0, "items imported");
    let shown = |done, all| progress.set_of(done, all);
    let imported = tenant_transfer::import(&store, &runtime, &tenant.tenant_id, || Lines::open(file), shown).await?;
    let text = format!(
        "imported {} items into {}, {} of them now\nThe service indexes the wiki in the background. Webhooks are disabled: \
         a rotation of the secret enables one.",
        imported.items, tenant.name, imported.written
    );
    let json = json!({"tenantId": tenant.tenant_id, "items": imported.items, "written": imported.written});
    Ok(Report::new(text, json))
}

/// A new file that its owner alone may read; it contains what customers wrote.
fn create_private(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)
}

/// The lines of a file, one in memory at a time.
struct Lines {
    reader: BufReader<File>,
    number: u64,
}

impl Lines {
    fn open(file: &Path) -> Result<Self> {
        let opened = File::open(file).map_err(|e| Error::internal(format!("{}: {e}", file.display())))?;
        Ok(Self { reader: BufReader::new(opened), number: 0 })
    }

    fn read(&mut self) -> Result<Option<Line>> {
        self.number += 1;
        let wrong = |why: &dyn std::fmt::Display| {
            Error::new(Code::ValidationError, format!("Line {} is no line of an export: {why}.", self.number))
        };
        let mut line = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        match read.map_err(|e| wrong(&e))? {
            0 => Ok(None),
            _ => serde_json::from_slice(&line).map(Some).map_err(|e| wrong(&e)),
        }
    }
}

impl Iterator for Lines {
    type Item = Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
