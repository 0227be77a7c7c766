//! The whole service in one process on embedded services.

pub mod search;
