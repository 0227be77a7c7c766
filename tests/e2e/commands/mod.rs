//! The operator's command line, as a binary, against a running local service, and against its data folder when none runs.

mod aws_stub;
mod dead_letters;
mod erasure;
mod folder;
mod import_attacks;
mod listen;
mod members;
mod repairs;
mod sign_in;
mod stack;
mod support;
mod tenants;
mod transfer;
mod widget_keys;
mod wiki;
mod wiki_import;
