//! Why a start was refused, each as a message for the person at the terminal.

use std::io;
use std::path::PathBuf;

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another process has locked the data folder.
    #[error("{} is in use by another process of this service. Stop that one, or choose another folder with --data.", path.display())]
    DataInUse {
        /// The folder.
        path: PathBuf,
    },
    /// There is no data folder of this service.
    #[error("{} is no data folder of this service. Name the folder that `local` was started with.", path.display())]
    NoData {
        /// The folder.
        path: PathBuf,
    },
    /// The data folder, or one of its files, cannot be used.
    #[error("the data folder {} cannot be used: {source}", path.display())]
    DataDir {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another version of the service wrote the data folder.
    #[error("the data folder {} was written by another version of this service (format {found}; this version reads format {expected}). Start with --reset to delete its data, or choose another folder with --data.", path.display())]
    DataFormat {
        /// The folder.
        path: PathBuf,
        /// The format that the folder names; `none` if it names none.
        found: String,
        /// The format that this version reads and writes.
        expected: u32,
    },
    /// A key file in the data folder has no valid key.
    #[error("the key file {} is empty or damaged: it must hold {expected}. Restore it from a backup. Without one, delete it: the next start makes a new key, and {consequence}.", path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// The content that it must have.
        expected: &'static str,
        /// The consequence of a start without the old key.
        consequence: &'static str,
    },
    /// Another process listens on the port.
    #[error("port {port} of 127.0.0.1 is in use. Choose another with {option}, or any free one with {option} 0.")]
    PortInUse {
        /// The port.
        port: u16,
        /// The command-line option of the port.
        option: &'static str,
    },
    /// The port cannot be listened on for another reason.
    #[error("cannot listen on port {port} of 127.0.0.1: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// The error of the system.
        source: io::Error,
    },
    /// The embedded database cannot be opened.
    #[error("the database {} does not open: {reason}", path.display())]
    Database {
        /// Its file.
        path: PathBuf,
        /// The error of the database.
        reason: String,
    },
    /// A variable of the environment has an invalid value.
    #[error("{0}")]
    Config(String),
    /// A part of the service failed during startup.
    #[error("{doing}: {source}")]
    Service {
        /// The step that failed.
        doing: &'static str,
        /// The error.
        source: domain::Error,
    },
}

impl StartError {
    /// Maps an error of the step `doing`.
    pub(crate) fn while_doing(doing: &'static str) -> impl FnOnce(domain::Error) -> Self {
        move |source| Self::Service { doing, source }
    }
}
