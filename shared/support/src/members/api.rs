//! `/members`: the people of the tenant who sign in to the desk. The callers' permissions do not say one rule, which is
//! checked here: a member changes itself, and an admin changes others.

use axum::extract::State;
use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::limits::{self, member_email};
use domain::models::{Availability, Member, MemberId, MemberStatus, ProviderUser, Role, Timestamp};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::input::{AtLeastOne, choice, distinct, list_between, optional, replaceable, required, within, words};
use crate::edge::{
    self, ApiResult, App, Created, CursorPageOut, IfMatch, Json, JsonIn, MemberAdder, MemberManager, MemberVisitor,
    NoBody, NoContent, OnceIn, PathIn, QueryIn, Replayed, Tagged, etag, require_itself_or_admin,
    require_recent_sign_in,
};
use crate::members;
use crate::requester::Requester;

/// The roles that a member may have.
const ROLES: &[(&str, Role)] = &[("admin", Role::Admin), ("trainer", Role::Trainer), ("agent", Role::Agent)];
/// The statuses that an admin may set.
const STATUSES: &[(&str, MemberStatus)] = &[("active", MemberStatus::Active), ("suspended", MemberStatus::Suspended)];

edge::body! {
    /// A new member.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NewMember as "NewMemberRequest" {
        /// One address in ASCII, the domain in its ASCII form. It is compared without regard to case.
        pub email: String = "email" => required(
            within(limits::MEMBER_EMAIL).checked(DetailCode::InvalidFormat, member_email::parse, member_email::PATTERN),
        ),
        /// The name, for colleagues.
        pub name: String = "name" => required(within(limits::PERSON_NAME)),
        /// The name that customers and webhooks see; by default the first word of the name.
        pub public_name: Option<String> = "publicName" => optional(within(limits::PERSON_NAME)),
        /// One to three roles.
        pub roles: Vec<Role> = "roles" => required(distinct(list_between(1, 3, words(ROLES)))),
    }
}

edge::body! {
    /// A change of a member: at least one field. An admin changes name, public name, roles and status of everybody; a
    /// member its own name, public name and availability.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct MemberPatch as "MemberPatch" {
        /// The name, for colleagues.
        pub name: Option<String> = "name" => replaceable(within(limits::PERSON_NAME)),
        /// The name that customers and webhooks see.
        pub public_name: Option<String> = "publicName" => replaceable(within(limits::PERSON_NAME)),
        /// One to three roles. Other roles end the member's desk tokens.
        pub roles: Option<Vec<Role>> = "roles" => replaceable(distinct(list_between(1, 3, words(ROLES)))),
        /// Suspending ends every sign-in. A member who was invited becomes active by signing in.
        pub status: Option<MemberStatus> = "status" => replaceable(words(STATUSES)),
        /// Whether the member is there for customers.
        pub availability: Option<Availability> = "availability" => replaceable(choice::<Availability>()),
    }
    rules: [AtLeastOne]
}

/// A member.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Member")]
pub(crate) struct MemberOut {
    /// Its id.
    member_id: MemberId,
    /// The address, in lower case.
    email: String,
    /// The name, for colleagues.
    name: String,
    /// The name that customers and webhooks see.
    public_name: String,
    /// One to three of admin, trainer and agent.
    roles: Vec<Role>,
    /// Whether the member may sign in.
    status: MemberStatus,
    /// Whether the member is there for customers.
    availability: Availability,
    /// When the member last signed in.
    last_sign_in_at: Option<Timestamp>,
    /// When the member was added.
    created_at: Timestamp,
}

impl From<Member> for MemberOut {
    fn from(member: Member) -> Self {
        Self {
            member_id: member.member_id,
            email: member.email,
            name: member.name,
            public_name: member.public_name,
            roles: member.roles,
            status: member.status,
            availability: member.availability,
            last_sign_in_at: member.last_sign_in_at,
            created_at: member.created_at,
        }
    }
}

/// A member who was invited.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InvitedMember")]
pub(crate) struct InvitedOut {
    #[serde(flatten)]
    member: MemberOut,
    /// Whether the sign-in provider of this service has the person now.
    provider_user: ProviderUser,
    /// Where the person accepts the invitation, once and within seven days: here and nowhere else. Absent where the request
    /// was sent before, and where the service has no desk.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation_url: Option<String>,
}

impl InvitedOut {
    fn new(app: &App, invited: members::Invited) -> Self {
        let url = app.desk_url.as_ref().zip(invited.secret);
        let url = url.map(|(desk, secret)| members::invitation_url(&desk.url, &secret));
        Self { member: invited.member.into(), provider_user: invited.provider_user, invitation_url: url }
    }
}

edge::endpoint! {
    /// Add a member.
    ///
    /// The answer has the invitation this once: send its address to the person. The same request with the same
    /// `Idempotency-Key` is answered without it. A member needs a sign-in of the last hour. 429 if the sign-in provider of
    /// this service would write to one address more than three times a day, or for one tenant more than twenty times.
    pub(crate) AddMember = POST "/api/v1/members" => add_member;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"email": "ada@company.example", "name": "Ada Lovelace", "roles": ["agent"]},
}

/// Adds a member.
pub(crate) async fn add_member(
    State(app): State<App>,
    caller: MemberAdder,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewMember>>,
) -> ApiResult<Replayed<Created<InvitedOut>>> {
    let once = (caller.scope(), request.as_ref());
    let (store, runtime, users) = (&app.store, &app.runtime, app.users.as_deref());
    let (invited, replayed) =
        members::create_once(store, runtime, users, Requester::Caller(&caller), once, &body).await?;
    let location = format!("/api/v1/members/{}", invited.member.member_id);
    Ok(Replayed(replayed, Created(location, InvitedOut::new(&app, invited))))
}

edge::query! {
    /// The filter of the members.
    #[derive(Debug)]
    pub(crate) struct ListMembersQuery {}
    cursor: after: MemberId, list = ();
    limit: limit;
}

edge::endpoint! {
    /// List members, oldest first.
    pub(crate) ListMembers = GET "/api/v1/members" => list_members;
    rate_class: List,
    example_query: {"limit": 10},
}

/// Lists the members of the tenant.
async fn list_members(
    State(app): State<App>,
    caller: MemberManager,
    QueryIn(query): QueryIn<ListMembersQuery>,
) -> ApiResult<Json<CursorPageOut<MemberOut>>> {
    let page = app.store.members().list_page(caller.tenant(), query.after.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, MemberOut::from)?))
}

edge::endpoint! {
    /// Read a member.
    ///
    /// A member who is no admin reads itself alone.
    pub(crate) GetMember = GET "/api/v1/members/{id}" => get_member;
}

/// Reads a member.
async fn get_member(
    State(app): State<App>,
    caller: MemberVisitor,
    PathIn(id): PathIn<MemberId>,
) -> ApiResult<Tagged<Json<MemberOut>>> {
    require_itself_or_admin(&caller, &id)?;
    let member = app.store.members().get(caller.tenant(), &id).await?;
    Ok(tagged(member.ok_or_else(|| Error::not_found("member"))?))
}

edge::endpoint! {
    /// Change a member.
    ///
    /// Other roles end the member's desk tokens, which the cookie of a sign-in renews with the new roles, and void the open
    /// invitation of a member who signed in before. Suspending ends the sign-ins and voids the open invitation. A claim of a
    /// member who loses the inbox waits again. A member does not suspend or demote the last active admin. Changing another
    /// member needs a sign-in of the last hour.
    pub(crate) UpdateMember = PATCH "/api/v1/members/{id}" => update_member;
    errors: [Conflict, InvalidState, RecentSignInRequired],
    example: {"name": "Ada King"},
}

/// Changes a member.
async fn update_member(
    State(app): State<App>,
    caller: MemberVisitor,
    PathIn(id): PathIn<MemberId>,
    if_match: IfMatch,
    JsonIn(body): JsonIn<MemberPatch>,
) -> ApiResult<Tagged<Json<MemberOut>>> {
    let itself = require_change(&app, &caller, &id, Binding::Stays)?;
    require_fields(&caller, itself, &body)?;
    let (store, runtime) = (&app.store, &app.runtime);
    let precondition = |member: &Member| if_match.check(member.version);
    let place = (caller.tenant(), &id);
    let changed = members::change(store, runtime, Requester::Caller(&caller), place, &body, precondition).await?;
    Ok(tagged(changed.after.ok_or_else(|| Error::internal("a change removed its member"))?))
}

/// Whether a change decides which person is bound to the member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binding {
    Stays,
    Changes,
}

/// Refuses a change of another member by one who is no admin, or who signed in too long ago; if it changes who is bound,
/// an old sign-in changes itself neither, because it would then outlive its end. Whether it is the member itself.
fn require_change(app: &App, caller: &Principal, id: &MemberId, binding: Binding) -> Result<bool> {
    let itself = require_itself_or_admin(caller, id)?;
    if !itself || binding == Binding::Changes {
        require_recent_sign_in(caller, app.runtime.now())?;
    }
    Ok(itself)
}

/// Refuses fields that the caller may not set.
fn require_fields(caller: &Principal, itself: bool, body: &MemberPatch) -> Result<()> {
    let refused = |message: &'static str| {
        Err(Error::new(Code::Forbidden, "This caller lacks the required permission.")
            .with_detail(DetailCode::RequiredRole, message))
    };
    if (body.roles.is_some() || body.status.is_some()) && !caller.has_role(Role::Admin) {
        return refused("roles and status are changed by an admin");
    }
    if body.availability.is_some() && !itself {
        return refused("availability is changed by the member itself");
    }
    Ok(())
}

edge::query! {
    /// Whether something goes with the member.
    #[derive(Debug)]
    pub(crate) struct RemoveMemberQuery {
        /// The API keys that the member made are deleted too (`GET /api-keys?createdBy=` lists them); without it they stay.
        delete_keys: Option<bool> = "deleteKeys" => words(&[("true", true), ("false", false)]),
    }
}

edge::endpoint! {
    /// Remove a member.
    ///
    /// Its desk tokens are refused from the next request on, and what it claimed waits again. A member does not remove the
    /// last active admin. A member needs a sign-in of the last hour, also to remove itself. 409 `CONFLICT` if the last
    /// live admin key would go with the member.
    pub(crate) RemoveMember = DELETE "/api/v1/members/{id}" => remove_member;
    errors: [Conflict, RecentSignInRequired],
    example_query: {"deleteKeys": "true"},
}

/// Removes a member.
async fn remove_member(
    State(app): State<App>,
    caller: MemberManager,
    PathIn(id): PathIn<MemberId>,
    if_match: IfMatch,
    QueryIn(query): QueryIn<RemoveMemberQuery>,
) -> ApiResult<NoContent> {
    require_change(&app, &caller, &id, Binding::Changes)?;
    let precondition = |member: &Member| if_match.check(member.version);
    let (place, by) = ((caller.tenant(), &id), Requester::Caller(&caller));
    let removed = if query.delete_keys == Some(true) {
        require_recent_sign_in(&caller, app.runtime.now())?;
        members::remove_with_keys(&app.store, &app.runtime, by, place, precondition).await?
    } else {
        Some(members::remove(&app.store, &app.runtime, by, place, precondition).await?)
    };
    if let Some(removed) = removed {
        members::remove_user(&app.store, app.users.as_deref(), &removed.before.email).await;
    }
    Ok(NoContent)
}

edge::endpoint! {
    /// Invite a member again.
    ///
    /// The new invitation voids the former one, and whatever ends the member's access voids it. A member who signed in
    /// before stays bound until it is used. A member needs a sign-in of the last hour, also to invite itself.
    pub(crate) InviteMember = POST "/api/v1/members/{id}/invite" => invite_member;
    supports: [IdempotencyKey],
    rate_class: Invitation,
    errors: [RecentSignInRequired],
}

/// Gives a member another invitation.
async fn invite_member(
    State(app): State<App>,
    caller: MemberManager,
    PathIn(id): PathIn<MemberId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<Json<InvitedOut>>> {
    require_change(&app, &caller, &id, Binding::Changes)?;
    let once = (caller.scope(), request.as_ref());
    let (store, runtime, users) = (&app.store, &app.runtime, app.users.as_deref());
    let (invited, replayed) =
        members::invite_once(store, runtime, users, Requester::Caller(&caller), once, &id).await?;
    Ok(Replayed(replayed, Json(InvitedOut::new(&app, invited))))
}

edge::endpoint! {
    /// Sign a member out everywhere.
    ///
    /// Ends the member's open invitation, too. Signing out another member needs a sign-in of the last hour.
    pub(crate) SignOutMember = POST "/api/v1/members/{id}/sign-out" => sign_out_member;
    supports: [IdempotencyKey],
    errors: [RecentSignInRequired],
}

/// Ends every sign-in of a member.
async fn sign_out_member(
    State(app): State<App>,
    caller: MemberVisitor,
    PathIn(id): PathIn<MemberId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<NoContent>> {
    require_change(&app, &caller, &id, Binding::Stays)?;
    let once = (caller.scope(), request.as_ref());
    let replayed =
        members::sign_out_everywhere_once(&app.store, &app.runtime, Requester::Caller(&caller), once, &id).await?;
    Ok(Replayed(replayed, NoContent))
}

fn tagged(member: Member) -> Tagged<Json<MemberOut>> {
    Tagged { etag: etag(member.version), answer: Json(member.into()) }
}
