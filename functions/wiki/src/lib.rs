//! The wiki function.
//!
//! [`input`] parses requests, [`read`] and [`search`] return single entries and lists, [`mod@write`] creates, changes
//! and deletes, [`indexing`] indexes each write before the response, [`highlights`] marks matches, [`visibility`] says
//! which entries a caller may see, and [`output`] is the response.

mod highlights;
mod indexing;
mod input;
mod output;
mod read;
mod search;
mod state;
mod visibility;
mod write;

pub use state::Wiki;

edge::function!("wiki", Wiki: [
    read::ListEntries,
    write::CreateEntry,
    read::GetEntry,
    write::UpdateEntry,
    write::DeleteEntry,
]);
