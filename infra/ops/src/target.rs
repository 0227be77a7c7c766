//! What a command works on.

use local::DataFolder;

use crate::cli::Global;
use crate::failure::Failure;

/// Opens the data folder that the options name.
pub(crate) async fn open(global: &Global) -> Result<DataFolder, Failure> {
    match &global.data {
        Some(path) => Ok(DataFolder::attach(path).await?),
        None => Err(Failure::usage("name the service: --data DIR")),
    }
}
