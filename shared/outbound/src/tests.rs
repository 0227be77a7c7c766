//! Tests of the guard: URLs one by one and in families, then real connections over loopback.

mod addresses;
mod decoding;
mod pages;
mod receiver;
mod sending;
mod urls;
