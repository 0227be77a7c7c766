//! Members: the people of a tenant who sign in to the desk.
//!
//! Everything about a member is in its item. Beside it lie pointers by which the member is found: by its
//! address, so that no two members of a tenant have one; by whom the provider knows; by an invitation; by the cookie of
//! a sign-in. [`changes`] makes the writes of a change: they follow from the member before and after it.

pub mod changes;

use domain::Result;
use domain::models::{AuditEntry, Member, MemberId, MemberPlace, MemberStatus, Tenant, TenantId};

use crate::members::table::changes::{
    MEMBERS, MemberChange, MemberDecision, MemberRule, SignInPlace, Written, erasing, identities, invitation_key,
    judge, member_key, members_of_email, missing, releases, sign_ins, transaction,
};
use crate::table::item::{Expression, ItemKind, number, record, text};
use crate::table::pages::CursorPage;
use crate::table::transaction::{RequestRecord, Tag, Write};
use crate::table::update::{Attempt, Basis, contended};
use crate::table::{Consistency, PartitionQuery, SortCondition, keys, repository};
use crate::tenants::table::TenantRecord;

/// So many memberships of one person are looked at: as many members and tenants as one batch reads.
const MAX_PLACES: usize = 50;

repository!(members: MemberRepository);

/// A member, and the tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    pub tenant: Tenant,
    /// The person as a member there.
    pub member: Member,
}

impl MemberRepository<'_> {
    /// A member of a tenant, or none; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn get(&self, tenant: &TenantId, id: &MemberId) -> Result<Option<Member>> {
        self.0.get(&member_key(tenant, id), Consistency::Strong).await
    }

    /// All members of a tenant, oldest first; consistent. A tenant has at most 500.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn list(&self, tenant: &TenantId) -> Result<Vec<Member>> {
        let mut query = PartitionQuery::new(keys::tenant(tenant).pk);
        query.condition = SortCondition::Prefix(MEMBERS.to_owned());
        self.0.query_all(query).await
    }

    /// A page of the same, after the member `after`.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn list_page(
        &self,
        tenant: &TenantId,
        after: Option<&MemberId>,
        limit: usize,
    ) -> Result<CursorPage<Member, MemberId>> {
        // Ids have one length; '!' sorts before their characters and '~' behind.
        let first = after.map_or_else(String::new, |id| format!("{id}!"));
        let mut query = PartitionQuery::new(keys::tenant(tenant).pk);
        query.condition = SortCondition::Between(format!("{}{first}", MEMBERS), format!("{}~", MEMBERS));
        let page = self.0.cursor_page(query, limit).await?;
        page.try_map(record, |sk| MemberId::parse(sk.strip_prefix(MEMBERS)?))
    }

    /// Keeps a new member, with the record of the request.
    ///
    /// # Errors
    /// 409 if another member has the address, or there are as many members as there may be; 404 if there is no such
    /// tenant; 503 if the table does not answer.
    pub async fn create(
        &self,
        tenant: &TenantId,
        member: &Member,
        audit: AuditEntry,
        request: Option<RequestRecord>,
    ) -> Result<()> {
        let decision = || MemberDecision::Replace(Box::new(member.clone()), vec![audit.clone()]);
        let attempt = |_: Basis<()>| async {
            match self.try_write(tenant, None, decision(), MemberRule::Any, request.clone()).await? {
                Written::Done => Ok(Attempt::Done(())),
                Written::Changed => Ok(Attempt::Conflict(Basis::Read)),
            }
        };
        let about = contended(&member_key(tenant, &member.member_id));
        self.0.retry(&about, Basis::Read, self.0.default_deadline(), attempt).await
    }

    /// Changes or removes a member as `decide` says, again from the start if it changed meanwhile; `first` is the
    /// member as it was read, if it was.
    ///
    /// # Errors
    /// 404 if there is none; 409 if `rule` forbids it, or if the person is bound to another member of the tenant;
    /// what `decide` refuses with; 503 if the table does not answer.
    pub async fn change(
        &self,
        tenant: &TenantId,
        id: &MemberId,
        first: Option<&Member>,
        rule: MemberRule,
        request: Option<RequestRecord>,
        decide: impl Fn(Member) -> Result<MemberDecision>,
    ) -> Result<MemberChange> {
        let (decide, request) = (&decide, &request);
        let attempt = |basis: Basis<Member>| async move {
            let before = match basis {
                Basis::Known(member) => member,
                Basis::Read => self.get(tenant, id).await?.ok_or_else(missing)?,
            };
            let decision = match decide(before.clone())? {
                MemberDecision::Keep => {
                    self.0.idempotency().store(request.clone()).await?;
                    return Ok(Attempt::Done(MemberChange { after: Some(before.clone()), before }));
                }
                decision => decision.raised(before.version),
            };
            let after = decision.after().cloned();
            match self.try_write(tenant, Some(&before), decision, rule, request.clone()).await? {
                Written::Done => Ok(Attempt::Done(MemberChange { before, after })),
                Written::Changed => Ok(Attempt::Conflict(Basis::Read)),
            }
        };
        let first = first.map_or(Basis::Read, |member| Basis::Known(member.clone()));
        self.0.retry(&contended(&member_key(tenant, id)), first, self.0.default_deadline(), attempt).await
    }

    async fn try_write(
        &self,
        tenant: &TenantId,
        before: Option<&Member>,
        decision: MemberDecision,
        rule: MemberRule,
        request: Option<RequestRecord>,
    ) -> Result<Written> {
        let after = decision.after();
        let mut transaction = transaction(tenant, before, after, rule)?;
        if let Some(before) = before {
            transaction = transaction.beside(releases(tenant, before, after, self.0.runtime.now())?);
        }
        for entry in decision.audit() {
            transaction = transaction.with(Tag::Beside, [self.0.audit().write(tenant, entry)?]);
        }
        let outcome = self.0.commit(transaction.recording(request), None).await?;
        judge(&outcome, before.is_some())
    }

    /// The member for whom an open invitation is; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn find_invited(&self, secret_hash: &str) -> Result<Option<MemberPlace>> {
        self.0.get(&invitation_key(secret_hash), Consistency::Strong).await
    }

    /// Where a person is bound to a member, by the hash of issuer and subject; consistent, at most fifty places.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn find_bound(&self, identity: &str) -> Result<Vec<MemberPlace>> {
        let mut query = PartitionQuery::new(identities(identity));
        query.limit = i32::try_from(MAX_PLACES).ok();
        self.0.query(query).await?.items.into_iter().map(record).collect()
    }

    /// Whether a tenant has a member with this address, in lower case; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn is_somewhere(&self, email: &str) -> Result<bool> {
        let mut query = PartitionQuery::new(members_of_email(email));
        query.limit = Some(1);
        Ok(!self.0.query(query).await?.items.is_empty())
    }

    /// Where the sign-in with this cookie lives; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn find_signed_in(&self, secret_hash: &str) -> Result<Vec<SignInPlace>> {
        let mut query = PartitionQuery::new(sign_ins(secret_hash));
        query.limit = i32::try_from(MAX_PLACES).ok();
        self.0.query(query).await?.items.into_iter().map(record).collect()
    }

    /// The members and tenants of `places`, read together and consistently; those that are gone are left out.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn memberships(&self, places: &[MemberPlace]) -> Result<Vec<Membership>> {
        let places = places.get(..MAX_PLACES).unwrap_or(places);
        let keys: Vec<_> = places
            .iter()
            .flat_map(|place| [keys::tenant(&place.tenant_id), member_key(&place.tenant_id, &place.member_id)])
            .collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let (mut tenants, mut members) = (Vec::new(), Vec::new());
        for item in self.0.get_many_items(&keys, Consistency::Strong).await? {
            match ItemKind::of(&item) {
                Some(ItemKind::Tenant) => tenants.push(record::<TenantRecord>(item)?.tenant),
                _ => members.push(record::<Member>(item)?),
            }
        }
        let membership = |place: &MemberPlace| {
            let tenant = tenants.iter().find(|tenant| tenant.tenant_id == place.tenant_id)?.clone();
            let member = members.iter().find(|member| member.member_id == place.member_id)?.clone();
            Some(Membership { tenant, member })
        };
        Ok(places.iter().filter_map(membership).collect())
    }

    /// Deletes every member of a tenant that is being deleted, with what lies beside them.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(crate) async fn delete_all(&self, tenant: &TenantId) -> Result<()> {
        for member in self.list(tenant).await? {
            self.0.write(erasing(tenant, &member)).await?;
        }
        Ok(())
    }
}

/// A member, as read: who must still be so for a change to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberAsRead {
    pub member_id: MemberId,
    /// The generation that was read.
    pub generation: u64,
}

impl MemberAsRead {
    /// Holds while the member is active and as it was read: for a transaction by, or for, this member.
    pub(crate) fn check(&self, tenant: &TenantId) -> Write {
        let condition = Expression::new("generation = :member_generation AND memberStatus = :member_active")
            .with(":member_generation", number(self.generation))
            .with(":member_active", text(MemberStatus::Active.as_str()));
        Write::Check { key: member_key(tenant, &self.member_id), condition }
    }
}
