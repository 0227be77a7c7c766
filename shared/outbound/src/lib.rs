//! The way out: every request to an address that somebody else wrote goes through here.
//!
//! The cast: [`OutboundUrl`] is an address that may be called, judged by its text alone; [`resolver`] judges every
//! address behind a name at the moment it is dialled, so that a name cannot change its mind in between; [`Outbound`]
//! is the one client, without redirects, proxies, cookies, kept connections or repeated sends. A webhook is posted by
//! [`Outbound::post`]; a page is fetched by [`Outbound::page`], which follows a few redirects itself, each judged like
//! the first address, and decodes no more than a limit. What goes wrong is a
//! [`SendError`], which tells a tenant the same about an address that is blocked, closed or filtered.

mod address;
mod charset;
mod client;
mod decode;
mod fetch;
mod page;
mod policy;
mod resolver;
mod send_error;
#[cfg(test)]
mod tests;
mod url;

pub use self::client::{Answer, Outbound, OutboundSettings};
pub use self::page::{MAX_PAGE_BYTES, Page, PageError, PageKind};
pub use self::policy::OutboundPolicy;
pub use self::resolver::{Resolver, SystemResolver};
pub use self::send_error::SendError;
pub use self::url::{OutboundUrl, UrlRefused};
