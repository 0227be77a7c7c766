//! The client of the one OpenID provider that the operator configures: discovery, keys, and the redemption of a code
//! for a verified identity (OpenID Connect Core 1.0, code flow with PKCE).
//!
//! [`OpenIdProvider`] is what a function holds. [`discovery`] and [`keys`] read what the provider publishes, and
//! [`cache`] remembers it. [`token_endpoint`] redeems the code. [`id_token`] judges the ID token. Nothing that the
//! provider answers is trusted: every address is checked like one that a tenant wrote, every answer has a limit of bytes
//! and seconds, and no redirect is followed.

mod cache;
mod discovery;
mod error;
mod id_token;
mod keys;
mod provider;
mod settings;
mod token_endpoint;

pub use self::discovery::ProviderMetadata;
pub use self::error::SignInError;
pub use self::id_token::{MAX_CLAIM_BYTES, VerifiedIdentity, nonce_of};
pub use self::provider::OpenIdProvider;
pub use self::settings::{AuthTimeRule, OpenIdSettings};
