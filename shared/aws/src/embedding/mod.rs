//! Embedding models: [`bedrock`] by InvokeModel and [`openai`] by any compatible endpoint.

pub mod bedrock;
mod configured;
pub mod openai;

pub use configured::configured_embedder;
