//! The guard, tried: URLs one by one and by families, then real connections over loopback.

mod addresses;
mod decoding;
mod pages;
mod receiver;
mod sending;
mod urls;
