//! Adding a member, and inviting one again. The secret of an invitation is returned once and stored nowhere.

use aws::user_directory;
use aws::user_directory::UserDirectory;
use domain::access::SecretToken;
use domain::clock::Runtime;
use domain::limits::member_email;
use domain::models::{
    AuditAction, Availability, Invitation, Member, MemberId, MemberStatus, ProviderUser, Scope, TenantId, Timestamp,
};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::edge::table::RequestKey;
use crate::members::table::changes::{MemberDecision, MemberRule};
use crate::members::{CountedMail, NewMember, in_order};
use crate::requester::Requester;
use crate::table::Store;

/// A member who was invited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invited {
    pub member: Member,
    /// The secret of the invitation; none if the request was carried out before.
    pub secret: Option<SecretToken>,
    /// Whether the service's own provider has the person.
    pub provider_user: ProviderUser,
}

/// The stored result of a request that invited somebody.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptInvitation {
    member_id: MemberId,
    created_at: Timestamp,
    provider_user: ProviderUser,
}

/// The address that accepts an invitation: its secret is in the fragment, which no server is sent.
#[must_use]
pub fn invitation_url(desk_url: &str, secret: &SecretToken) -> String {
    format!("{desk_url}#invitation={}", secret.expose())
}

impl NewMember {
    fn member(&self, id: MemberId, created_at: Timestamp, invitation: Option<Invitation>) -> Member {
        let first_word = || self.name.split_whitespace().next().unwrap_or(&self.name).to_owned();
        Member {
            member_id: id,
            email: member_email::canonical(&self.email),
            name: self.name.clone(),
            public_name: self.public_name.clone().unwrap_or_else(first_word),
            roles: in_order(&self.roles),
            status: MemberStatus::Invited,
            availability: Availability::Available,
            generation: 1,
            last_sign_in_at: None,
            created_at,
            identity: None,
            invitation,
            sign_ins: Vec::new(),
            signed_out_at: None,
            version: 1,
        }
    }
}

/// Adds a member to an existing tenant.
///
/// # Errors
/// 409 if another member has the address, or there are as many members as there may be; 503 if the table does not
/// answer.
pub async fn create(
    store: &Store,
    runtime: &Runtime,
    directory: Option<&dyn UserDirectory>,
    by: Requester<'_>,
    tenant: &TenantId,
    new: &NewMember,
) -> Result<Invited> {
    let secret = SecretToken::generate(runtime)?;
    let member = new.member(MemberId::generate(runtime)?, runtime.now(), Some(invitation(&secret, runtime)));
    let audit = by.audit(AuditAction::MemberAdded, member.member_id.as_str(), runtime.now());
    store.members().create(tenant, &member, audit, None).await?;
    let provider_user = tell(directory, &member).await;
    Ok(Invited { member, secret: Some(secret), provider_user })
}

/// The same for a request of `caller` in `scope` with the key `request`.
///
/// # Errors
/// As those of [`create`]; 404 if the member that was added before is gone, 422 for a key that was used for another
/// request, 429 if the provider would write too often to the address or for the tenant.
pub(crate) async fn create_once(
    store: &Store,
    runtime: &Runtime,
    directory: Option<&dyn UserDirectory>,
    by: Requester<'_>,
    (scope, request): (&Scope, Option<&RequestKey>),
    new: &NewMember,
) -> Result<(Invited, bool)> {
    let requests = store.idempotency();
    let secret = SecretToken::generate(runtime)?;
    let member = new.member(MemberId::generate(runtime)?, runtime.now(), Some(invitation(&secret, runtime)));
    let kept = kept(&member, directory);
    let work = async {
        let record = requests.completed(scope, request, kept.clone())?;
        let audit = by.audit(AuditAction::MemberAdded, member.member_id.as_str(), runtime.now());
        let created = async {
            store.members().create(&scope.tenant, &member, audit, record).await?;
            Ok(member.clone())
        };
        let (_, provider_user) = mailed(store, directory, (&scope.tenant, &member.email), created).await?;
        keep_answer(store, (scope, request), &kept, provider_user).await?;
        Ok(Invited { member: member.clone(), secret: Some(secret.clone()), provider_user })
    };
    let replay = async |kept: KeptInvitation| {
        let there = store.members().get(&scope.tenant, &kept.member_id).await?;
        there.ok_or_else(|| Error::not_found("member"))?;
        let member = new.member(kept.member_id, kept.created_at, None);
        Ok(Invited { member, secret: None, provider_user: kept.provider_user })
    };
    requests.once(scope, request, work, replay).await
}

/// Gives a member another invitation, which voids the former one. Who is bound already stays so until it is used.
///
/// # Errors
/// 404 if there is none; 503 if the table does not answer.
pub async fn invite(
    store: &Store,
    runtime: &Runtime,
    directory: Option<&dyn UserDirectory>,
    by: Requester<'_>,
    tenant: &TenantId,
    id: &MemberId,
) -> Result<Invited> {
    let secret = SecretToken::generate(runtime)?;
    let member = write_invitation(store, runtime, by, (tenant, id), &secret, None).await?;
    let provider_user = tell(directory, &member).await;
    Ok(Invited { member, secret: Some(secret), provider_user })
}

/// The same for a request of a caller in `scope` with the key `request`.
///
/// # Errors
/// As those of [`invite`]; 422 for a key that was used for another request, 429 if the provider would write too often to
/// the address or for the tenant.
pub(crate) async fn invite_once(
    store: &Store,
    runtime: &Runtime,
    directory: Option<&dyn UserDirectory>,
    by: Requester<'_>,
    (scope, request): (&Scope, Option<&RequestKey>),
    id: &MemberId,
) -> Result<(Invited, bool)> {
    let requests = store.idempotency();
    let secret = SecretToken::generate(runtime)?;
    let work = async {
        let seen = store.members().get(&scope.tenant, id).await?.ok_or_else(|| Error::not_found("member"))?;
        let kept = kept(&seen, directory);
        let record = requests.completed(scope, request, kept.clone())?;
        let written = write_invitation(store, runtime, by, (&scope.tenant, id), &secret, record);
        let (member, provider_user) = mailed(store, directory, (&scope.tenant, &seen.email), written).await?;
        keep_answer(store, (scope, request), &kept, provider_user).await?;
        Ok(Invited { member, secret: Some(secret.clone()), provider_user })
    };
    let replay = async |kept: KeptInvitation| {
        let member = store.members().get(&scope.tenant, &kept.member_id).await?;
        let member = member.ok_or_else(|| Error::not_found("member"))?;
        Ok(Invited { member, secret: None, provider_user: kept.provider_user })
    };
    requests.once(scope, request, work, replay).await
}

async fn write_invitation(
    store: &Store,
    runtime: &Runtime,
    by: Requester<'_>,
    (tenant, id): (&TenantId, &MemberId),
    secret: &SecretToken,
    record: Option<crate::table::transaction::RequestRecord>,
) -> Result<Member> {
    let decide = |before: Member| {
        let after = Member { invitation: Some(invitation(secret, runtime)), ..before };
        let audit = vec![by.audit(AuditAction::MemberInvited, id.as_str(), runtime.now())];
        Ok(MemberDecision::Replace(Box::new(after), audit))
    };
    let changed = store.members().change(tenant, id, None, MemberRule::Any, record, decide).await?;
    changed.after.ok_or_else(|| Error::internal("an invitation removed its member"))
}

fn invitation(secret: &SecretToken, runtime: &Runtime) -> Invitation {
    Invitation::new(secret.hash(), runtime.now())
}

/// The result that is stored before the provider is told. If that ends half-way, a new invitation repairs it.
fn kept(member: &Member, directory: Option<&dyn UserDirectory>) -> KeptInvitation {
    let provider_user = if directory.is_some() { ProviderUser::Failed } else { ProviderUser::None };
    KeptInvitation { member_id: member.member_id.clone(), created_at: member.created_at, provider_user }
}

/// Keeps what the provider said for a request that comes again.
async fn keep_answer(
    store: &Store,
    (scope, request): (&Scope, Option<&RequestKey>),
    kept: &KeptInvitation,
    provider_user: ProviderUser,
) -> Result<()> {
    match request.filter(|_| provider_user != kept.provider_user) {
        Some(request) => {
            let said = KeptInvitation { provider_user, ..kept.clone() };
            store.idempotency().update_result(scope, request, said).await
        }
        None => Ok(()),
    }
}

/// Carries out `written` for a caller, and has the provider write to the member that it returns, whose address is `email`.
/// The mail is counted before, and given back if none is sent.
async fn mailed(
    store: &Store,
    directory: Option<&dyn UserDirectory>,
    (tenant, email): (&TenantId, &str),
    written: impl Future<Output = Result<Member>>,
) -> Result<(Member, ProviderUser)> {
    let mail = match directory {
        Some(_) => Some(CountedMail::count(store, tenant, email).await?),
        None => None,
    };
    let told = match written.await {
        Ok(member) => {
            let provider_user = tell(directory, &member).await;
            Ok((member, provider_user))
        }
        Err(error) => Err(error),
    };
    let is_sent = matches!(told, Ok((_, ProviderUser::Created | ProviderUser::Failed)));
    if let Some(mail) = mail.filter(|_| !is_sent) {
        mail.give_back().await;
    }
    told
}

/// Has the service's own provider create the person, or write again. The member is there whatever comes of it.
async fn tell(directory: Option<&dyn UserDirectory>, member: &Member) -> ProviderUser {
    let Some(directory) = directory else { return ProviderUser::None };
    match directory.invite(&member.email).await {
        Ok(user_directory::Invited::Created) => ProviderUser::Created,
        Ok(user_directory::Invited::Exists) => ProviderUser::Exists,
        Err(error) => {
            tracing::warn!(
                member.id = %member.member_id,
                error = %error,
                "the sign-in provider did not take a member; invite the member again"
            );
            ProviderUser::Failed
        }
    }
}
