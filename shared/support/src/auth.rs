//! The auth function: sign-ins, members, widget tokens, API keys, settings and the audit. Its endpoints are in
//! `members` and `tenants`; this file has their list and the clients that they need.

use aws::desk_keys::DeskSigningKey;
use aws::store::Store;
use aws::user_directory::Users;
use axum::extract::FromRef;
use domain::access::SecretToken;
use domain::clock::Runtime;
use domain::{Error, Result, Secret, hmac_sha256_hex};
use edge::ClientProvider;
use edge::auth::{Authenticator, DeskTokenService, WidgetTokenService};
use openid::OpenIdProvider;
use outbound::OutboundPolicy;

use crate::members;
use crate::members::desk::{Attempts, DeskCookie};
use crate::members::{api, desk};
use crate::tenants::{api_keys, audit, hours, settings, widget_tokens};

edge::function!("auth", Auth: [
    widget_tokens::IssueWidgetToken,
    api_keys::ListApiKeys,
    api_keys::CreateApiKey,
    api_keys::GetApiKey,
    api_keys::DeleteApiKey,
    settings::GetSettings,
    settings::UpdateSettings,
    hours::PreviewHours,
    api::AddMember,
    api::ListMembers,
    api::GetMember,
    api::UpdateMember,
    api::RemoveMember,
    api::InviteMember,
    api::SignOutMember,
    audit::ListAudit,
    desk::GetDesk,
    desk::IssueDeskToken,
    desk::RenewDeskToken,
    desk::SignOut,
]);

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Auth {
    pub(crate) authenticator: Authenticator,
    pub(crate) widget_tokens: WidgetTokenService,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) outbound: OutboundPolicy,
    /// The users of the service's own provider of sign-ins.
    pub(crate) users: Option<Users>,
    pub(crate) desk_url: Option<DeskUrl>,
    pub(crate) desk: Option<Desk>,
    pub(crate) distribution_secret: Option<Secret>,
}

/// Where the desk is.
#[derive(Debug, Clone)]
pub struct DeskUrl {
    /// As the operator wrote it.
    pub(crate) url: String,
    /// As browsers write its origin.
    pub(crate) origin: String,
    /// The cookie of its sign-ins.
    pub(crate) cookie: DeskCookie,
}

/// The clients that sign people in.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) provider: OpenIdProvider,
    pub(crate) tokens: DeskTokenService,
    pub(crate) attempts: Attempts,
    /// Whether an invitation binds a person without an e-mail address.
    pub(crate) invite_without_email: bool,
}

impl Auth {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        let config = provider.config();
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            widget_tokens: WidgetTokenService::new(provider).await?,
            store: provider.store(),
            runtime: provider.runtime(),
            outbound: config.outbound,
            users: provider.user_directory()?,
            desk_url: config.desk_url.clone().zip(config.desk_origin()).and_then(DeskUrl::new),
            desk: Desk::new(provider).await?,
            distribution_secret: provider.distribution_secret().await?,
        })
    }

    /// The clients that sign people in, and the desk's address.
    ///
    /// # Errors
    /// 404 if the operator has configured no provider.
    pub(crate) fn desk(&self) -> Result<(&Desk, &DeskUrl)> {
        self.desk.as_ref().zip(self.desk_url.as_ref()).ok_or_else(|| Error::not_found("sign-in"))
    }

    /// The address that accepts an invitation; none without a desk.
    pub(crate) fn invitation_url(&self, secret: &SecretToken) -> Option<String> {
        self.desk_url.as_ref().map(|desk| members::invitation_url(&desk.url, secret))
    }
}

impl DeskUrl {
    fn new((url, origin): (String, String)) -> Option<Self> {
        let cookie = DeskCookie::of(&origin.parse().ok()?);
        Some(Self { url, origin, cookie })
    }
}

impl Desk {
    async fn new(provider: &impl ClientProvider) -> Result<Option<Self>> {
        let (openid, tokens) = (provider.openid().await?, DeskTokenService::new(provider).await?);
        let (Some(openid), Some(tokens), Some(keys)) = (openid, tokens, provider.desk_keys().await?) else {
            return Ok(None);
        };
        let key = keys.for_signing(provider.runtime().now(), |_| true).await;
        let config = provider.config();
        let attempts = Attempts::new(address_key(&key), config.rate_limit_per_minute);
        Ok(Some(Self { provider: openid, tokens, attempts, invite_without_email: config.desk_invite_without_email }))
    }
}

/// Keys the hashes of addresses: made of the one secret that this function alone reads.
fn address_key(key: &DeskSigningKey) -> Secret {
    Secret::new(hmac_sha256_hex(&key.pkcs8, b"addresses of failed sign-ins"))
}
