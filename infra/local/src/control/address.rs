//! Where the control socket is: `control.sock` in the data folder. The address of a Unix socket is limited to about a
//! hundred bytes; for a longer path it is in a folder of its own under the temporary directory, which `control.path` in
//! the data folder names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::data_dir::{private_dir_builder, write_private};

/// The longest address in bytes, without the zero at its end: 104 bytes in all on macOS, 108 on Linux.
const MAX_ADDRESS_BYTES: usize = 103;

const SOCKET: &str = "control.sock";
const NAMED: &str = "control.path";

/// Where the socket of a new service belongs; removes what a service that crashed left there. `name` is the name of a
/// folder under the temporary directory, used if the path is too long.
pub(super) fn prepare(data: &Path, name: &str) -> io::Result<PathBuf> {
    remove(data)?;
    let socket = data.join(SOCKET);
    if socket.as_os_str().len() <= MAX_ADDRESS_BYTES {
        return Ok(socket);
    }
    let folder = std::env::temp_dir().join(name);
    // Not recursive: a folder that exists already may belong to somebody else.
    private_dir_builder().recursive(false).create(&folder)?;
    let path = folder.join(SOCKET);
    write_private(&data.join(NAMED), path.to_string_lossy().as_bytes())?;
    Ok(path)
}

/// Where the socket of the service is that uses the folder; there may be none.
pub(super) fn find(data: &Path) -> PathBuf {
    fs::read_to_string(data.join(NAMED)).map_or_else(|_| data.join(SOCKET), |path| PathBuf::from(path.trim()))
}

/// Removes the socket of a service that has ended, with its folder.
pub(super) fn remove(data: &Path) -> io::Result<()> {
    let socket = find(data);
    ignore_missing(fs::remove_file(&socket))?;
    if data.join(NAMED).exists() {
        // A folder that is not empty is not ours alone.
        if let Some(folder) = socket.parent() {
            fs::remove_dir(folder).ok();
        }
        ignore_missing(fs::remove_file(data.join(NAMED)))?;
    }
    Ok(())
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
