//! The person behind a session in a body: the same fields and limits in every endpoint.

use super::Fields;
use domain::models::Visitor;

impl Fields {
    /// `externalUserId`: one line of 1-200 characters, as the tenant names its visitor (a limit of ours).
    #[must_use]
    pub fn external_user_id(&self) -> Option<String> {
        self.line("externalUserId", 1, 200)
    }

    /// `user`: `name` of at most 100 and `email` of at most 254 characters; none where it says neither.
    #[must_use]
    pub fn visitor(&self) -> Option<Visitor> {
        let user = self.object("user")?;
        let visitor = Visitor { name: user.line("name", 1, 100), email: user.line("email", 1, 254) };
        (visitor != Visitor::default()).then_some(visitor)
    }
}
