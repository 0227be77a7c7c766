//! Leaves out what is no text: of a page everything is kept that a browser shows of its main part, and what unfolds at a
//! click.
//!
//! Left out on purpose, each with its reason:
//! - scripts, styles, templates, frames, media, fields: nothing in them is text of the page;
//! - content that is hidden, unless it unfolds (accordions, tabs, what is right behind a button): no reader sees it;
//! - text for screen readers alone: it repeats or names what is shown;
//! - dialogs and notices of consent: they are about the site and not about the page's subject;
//! - `nav`, `search`, menus, toolbars: they lead elsewhere; the names in a row of tabs: each stands at its panel;
//! - header, footer and sidebar around the text, forms without headings: they are the same on every page;
//! - containers called by a place or an offer (breadcrumbs, share links, related articles, votes, comments) that are
//!   mostly links or controls, or beside the main text: they are the site's and not the text's;
//! - the author and the date of a page next to its heading: they are about the text;
//! - the contents of a page as links to its own headings, with their label: they repeat the headings;
//! - links to the top or past the navigation: they move the reader;
//! - buttons that only work the page ("Copy", "Yes" and "No" under a question): nothing happens at them in an entry;
//! - the copyright at the end of a page: it is the site's;
//! - the last question of a page that only leads to a contact form: the desk itself is where to ask;
//! - line numbers next to code: they are not code.

use super::buttons::Buttons;
use super::content_filter::ContentFilter;
use super::frame::Frame;
use super::tree::Tree;
use super::{consent, hidden, page_links};

/// The nodes that are kept, to which this many bytes may be added (see [`ContentFilter::within_budget`]). Only a page has
/// a frame around its text; of Markdown just what is hidden is left out.
pub(super) fn filter(tree: &Tree, additions: usize, is_page: bool) -> ContentFilter<'_> {
    let mut kept = ContentFilter::new(tree, additions);
    let unfolding = hidden::expands(tree);
    let (page, buttons, frame) = (kept.facts(Tree::ROOT), Buttons::of(&kept), Frame::of(&kept));
    kept.drop_where(|kept, id, tag| {
        hidden::is_hidden(kept, id, tag, &unfolding, page, || buttons.answers(kept, id, tag))
            || (is_page && consent::is_consent(&frame, kept, id, tag))
    });
    if !is_page {
        return kept;
    }
    let frame = Frame::of(&kept);
    kept.drop_where(|kept, id, tag| frame.is_around(kept, id, tag));
    let (openers, controls) = buttons.sorted(&kept);
    kept.openers = openers;
    let links = page_links::found(&kept);
    kept.drop_where(|_, id, _| controls.contains(&id) || links.contains(&id));
    kept
}
