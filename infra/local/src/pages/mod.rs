//! The pages beside the API: the chat widget's files under `/widget/VERSION/`, the OpenAPI document at `/docs`, and, with
//! the demo tenant, a shop at `/` that has the chat in its corner.
//!
//! [`desk_port`] has those of the next port, and [`desk`] the committed files of `web/desk/dist` there. [`api_docs`]
//! serves the viewer of `web/api-docs`. [`documents`] has the project's documents. [`widget`] serves the committed files of
//! `web/widget/dist`. [`shop`] is the demo page, with a token route of its own.
//!
//! Files are compressed for whoever takes it; what the API answers is sent as it is.

mod api_docs;
mod desk;
mod desk_port;
mod documents;
mod shop;
mod widget;

use axum::Router;
use tower_http::compression::CompressionLayer;

pub(crate) use desk_port::DeskPages;
pub(crate) use shop::Shop;

/// `api` with the pages beside it.
pub(crate) fn beside(api: Router, shop: Option<Shop>) -> Router {
    let pages = widget::router().merge(api_docs::router()).merge(documents::router()).layer(CompressionLayer::new());
    let pages = match shop {
        Some(shop) => pages.merge(shop.router(api.clone())),
        None => pages,
    };
    pages.fallback_service(api)
}
