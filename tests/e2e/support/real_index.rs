//! The index of one test service on a real OpenSearch, deleted after the test: a node has a limit of open indexes.

use std::io::{Read, Write};
use std::net::TcpStream;

use local::Options;

/// Deletes an index when it is dropped.
#[derive(Debug)]
pub(crate) struct RealIndex {
    address: String,
    name: String,
}

impl RealIndex {
    /// The index of a service with these options, unless it is the embedded one.
    pub(crate) fn of(options: &Options) -> Option<Self> {
        let address = options.opensearch_url.as_deref()?.strip_prefix("http://")?.trim_end_matches('/').to_owned();
        Some(Self { address, name: format!("{}-v1", options.search_index.as_deref()?) })
    }

    fn delete(&self) -> std::io::Result<()> {
        let mut connection = TcpStream::connect(&self.address)?;
        write!(connection, "DELETE /{} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.name, self.address)?;
        connection.read_to_end(&mut Vec::new()).map(drop)
    }
}

impl Drop for RealIndex {
    fn drop(&mut self) {
        // A test may have stopped the node or used a stand-in; then there is nothing to delete.
        self.delete().ok();
    }
}
