//! The marks of a session's items: the e-mail address by which it is found, and the mark of a preview of the chat.

use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table::{Item, boolean, key_only_item};
use crate::store::transaction::Write;
use domain::models::{Scope, Session};

/// The attribute of what belongs to the chat of somebody who tries it.
pub(in crate::store) const PREVIEW: &str = "preview";

/// The e-mail address by which a session is found, in lower case.
pub(super) fn email(session: &Session) -> Option<String> {
    session.user.as_ref()?.email.as_ref().map(|email| email.to_ascii_lowercase())
}

/// Lets a session be found by its e-mail address, and no longer by its former one.
pub(super) fn email_writes(scope: &Scope, after: &Session, former: Option<&str>, is_other: bool) -> Vec<Write> {
    let key = |email: &str| keys::email_session(scope, email, &after.session_id);
    let former = former.map(|email| Write::Delete { key: key(email), condition: None });
    let now = email(after).filter(|_| is_other);
    let now =
        now.map(|email| Write::Put { item: key_only_item(&key(&email), ItemKind::EmailSession), condition: None });
    former.into_iter().chain(now).collect()
}

/// Marks what belongs to the chat of somebody who tries it: nothing follows from it in the stream.
pub(super) fn mark_preview(item: &mut Item, session: &Session) {
    if session.is_preview() {
        item.insert(PREVIEW.into(), boolean(true));
    }
}
