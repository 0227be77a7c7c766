//! Why a start was refused, each as a message for the person at the terminal.

use std::io;
use std::path::PathBuf;

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another process holds the data folder.
    #[error("{} is in use by another process of this service. Stop that one, or choose another folder with --data.", path.display())]
    DataInUse {
        /// The folder.
        path: PathBuf,
    },
    /// The data folder, or a file of this service in it, cannot be used.
    #[error("the data folder {} cannot be used: {source}", path.display())]
    DataDir {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another version of the service wrote the data folder.
    #[error("the data folder {} was written by another version of this service (format {found}; this version reads format {expected}). Start with --reset to delete its data, or choose another folder with --data.", path.display())]
    DataFormat {
        /// The folder.
        path: PathBuf,
        /// The format that the folder names; `none` where it names none.
        found: String,
        /// The format that this version reads and writes.
        expected: u32,
    },
    /// A key file in the data folder holds no key.
    #[error("the key file {} is empty or damaged: it must hold {expected}. Restore it from a backup. Without one, delete it: the next start makes a new key, and {consequence}.", path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// What it must hold.
        expected: &'static str,
        /// What no longer works without the old key.
        consequence: &'static str,
    },
    /// The port is in use.
    #[error("port {port} of 127.0.0.1 is in use. Choose another with {option}, or any free one with {option} 0.")]
    PortInUse {
        /// The port asked for.
        port: u16,
        /// The option of the command line that asks for it.
        option: &'static str,
    },
    /// The port cannot be listened on for another reason.
    #[error("cannot listen on port {port} of 127.0.0.1: {source}")]
    Listen {
        /// The port asked for.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// The embedded database does not open.
    #[error("the database {} does not open: {reason}", path.display())]
    Database {
        /// Its file.
        path: PathBuf,
        /// What it says.
        reason: String,
    },
    /// The environment holds a value that cannot be used.
    #[error("{0}")]
    Config(String),
    /// Something of the service itself failed while it was being set up.
    #[error("{doing}: {source}")]
    Service {
        /// What was being done.
        doing: &'static str,
        /// What went wrong.
        source: domain::Error,
    },
}

impl StartError {
    /// Names what was being done when `source` happened.
    pub(crate) fn while_doing(doing: &'static str) -> impl FnOnce(domain::Error) -> Self {
        move |source| Self::Service { doing, source }
    }
}
