//! Outgoing requests to addresses that tenants or an identity provider wrote. All of them go through this crate.
//!
//! [`OutboundUrl`] is an address that was checked as text. [`resolver`] checks every IP address behind a name at the
//! moment it is dialled, so that a name cannot change in between. [`Outbound`] is the one client, without redirects,
//! proxies, cookies, connection reuse or retries. [`Outbound::post`] posts a webhook. [`Outbound::fetch_page`] fetches
//! a page: it follows a few redirects, each checked like the first address, and decodes up to a limit.
//! [`Outbound::exchange`] reads a whole answer, such as an identity provider's. [`SendError`] tells a tenant the same about an address that is blocked, closed or filtered.

mod address;
mod charset;
mod client;
mod decode;
mod exchange;
mod fetch;
mod page;
mod resolver;
mod send_error;
#[cfg(test)]
mod tests;
mod url;

pub use self::address::OutboundPolicy;
pub use self::client::{Outbound, OutboundSettings, WebhookResponse};
pub use self::exchange::{ExchangeLimits, WholeResponse};
pub use self::page::{MAX_PAGE_BYTES, Page, PageError, PageKind};
pub use self::resolver::{Resolver, SystemResolver};
pub use self::send_error::SendError;
pub use self::url::{OutboundUrl, UrlError};
