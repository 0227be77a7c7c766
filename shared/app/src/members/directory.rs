//! Effects of members on the sign-in provider's directory: how often it mails whom they name, and who leaves it.
//!
//! The directory mails a first password to whatever address an admin names, and all tenants share what it may send. So its
//! mails are counted by address, over all tenants, and by tenant.

use aws::store::Store;
use aws::user_directory::UserDirectory;
use domain::models::{Mode, Scope, TenantId};
use domain::rate_limit::{Draw, Quota};
use domain::{Result, sha256_hex};

use crate::allowance::refused;

const DAY_SECONDS: u32 = 86_400;
const MAILS_TO_ADDRESS: Quota = Quota { name: "invitation-mails-to-address", limit: 3, window_seconds: DAY_SECONDS };
const MAILS_OF_TENANT: Quota = Quota { name: "invitation-mails", limit: 20, window_seconds: DAY_SECONDS };

#[derive(Debug)]
#[must_use = "a mail that is not sent is given back"]
pub(super) struct CountedMail<'a> {
    store: &'a Store,
    scope: Scope,
    address: String,
}

impl<'a> CountedMail<'a> {
    /// Counts a mail to `email` before it is sent.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED` after three mails of a day to the address, by whatever tenants, or twenty of the tenant.
    pub(super) async fn count(store: &'a Store, tenant: &TenantId, email: &str) -> Result<Self> {
        // A tenant has one number of mails, whatever the mode of its caller.
        let scope = Scope { tenant: tenant.clone(), mode: Mode::Live };
        let mail = Self { store, scope, address: sha256_hex(format!("mail {email}").as_bytes()) };
        let buckets = store.rate_buckets();
        buckets.take(&mail.scope, &[draw(MAILS_OF_TENANT)]).await.map_err(|exhausted| refused(&exhausted))?;
        match buckets.take_of_address(&mail.address, &draw(MAILS_TO_ADDRESS)).await {
            Ok(_) => Ok(mail),
            Err(exhausted) => {
                buckets.give_back(&mail.scope, &[draw(MAILS_OF_TENANT)]).await;
                Err(refused(&exhausted))
            }
        }
    }

    /// Gives back a mail that was not sent.
    pub(super) async fn give_back(self) {
        let buckets = self.store.rate_buckets();
        buckets.give_back(&self.scope, &[draw(MAILS_OF_TENANT)]).await;
        buckets.give_back_of_address(&self.address, &draw(MAILS_TO_ADDRESS)).await;
    }
}

fn draw(quota: Quota) -> Draw {
    Draw { quota, subject: "all".to_owned(), tokens: 1, is_reported: false }
}

/// Removes the user of a former member from the directory, unless a tenant has a member with that address. If that fails,
/// the user stays, and is nobody's member.
pub async fn remove_user(store: &Store, directory: Option<&dyn UserDirectory>, email: &str) {
    let Some(directory) = directory else { return };
    let removed = async {
        match store.members().is_somewhere(email).await? {
            true => Ok(()),
            false => directory.remove(email).await,
        }
    };
    if let Err(error) = removed.await {
        tracing::warn!(error = %error, "a former member stays a user of the sign-in provider, and cannot use the desk");
    }
}
