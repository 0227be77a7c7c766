//! The index of one test service on a real OpenSearch, deleted after the test: a node has a limit of open indexes.

use std::io::{Read, Write};
use std::net::TcpStream;

use local::Options;

/// Deletes the versions of an index when it is dropped.
#[derive(Debug)]
pub(crate) struct RealIndex {
    address: String,
    name: String,
}

impl RealIndex {
    /// The index of a service with these options, unless it is the embedded one.
    pub(crate) fn of(options: &Options) -> Option<Self> {
        let address = options.opensearch_url.as_deref()?.strip_prefix("http://")?.trim_end_matches('/').to_owned();
        Some(Self { address, name: options.search_index.clone()? })
    }
}

impl Drop for RealIndex {
    fn drop(&mut self) {
        let (address, name) = (self.address.clone(), self.name.clone());
        // On a thread of its own, because the server may be a stand-in that this thread runs. What is gone already, or
        // cannot be reached, needs no deletion.
        std::thread::spawn(move || delete(&address, &name).ok());
    }
}

fn delete(address: &str, name: &str) -> std::io::Result<()> {
    let mut connection = TcpStream::connect(address)?;
    let path = format!("{name}-v1,{name}-v2?ignore_unavailable=true");
    write!(connection, "DELETE /{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    connection.read_to_end(&mut Vec::new()).map(drop)
}
