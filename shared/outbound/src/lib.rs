//! Outgoing requests to addresses that tenants or an identity provider wrote. All of them go through this crate.
//!
//! [`OutboundUrl`] is an address that was checked as text; each IP address behind its name is checked at the moment it is
//! dialled, so that a name cannot change in between. [`Outbound`] is the one client, without redirects, proxies, cookies,
//! connection reuse or retries. [`Outbound::post`] posts a webhook. [`Outbound::fetch_page`] fetches a page: it follows a few
//! redirects, each checked like the first address, and decodes up to a limit. [`Outbound::exchange`] reads a whole answer,
//! such as an identity provider's. [`SendError`] tells a tenant the same about an address that is blocked, closed or filtered.

mod address;
mod client;
mod decode;
mod page;
#[cfg(test)]
mod tests;

pub use self::address::{OutboundPolicy, OutboundUrl, Resolver, SystemResolver, UrlError};
pub use self::client::{ExchangeLimits, Outbound, OutboundSettings, SendError, WebhookResponse, WholeResponse};
pub use self::page::{MAX_PAGE_BYTES, Page, PageError, PageKind, Validators};
