//! From a question to an answer with its sources and an honest confidence.

pub mod model;
pub mod prompt;
pub mod sanitise;
