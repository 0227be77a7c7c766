//! `member`, and `audit`.

use domain::Error;
use domain::limits::member_email;
use domain::models::{AuditEntry, Member, MemberId, MemberStatus, Role, TenantId};
use serde_json::{Value, json};
use support::edge::ClientProvider;
use support::members;
use support::members::{Invited, MemberPatch, NewMember};
use support::requester::Requester;
use support::table::Store;
use support::tenants;

use crate::cli::MemberCommand;
use crate::output::{Failure, Report, table, time, with};

/// So many entries are read at a time.
const PAGE: usize = 100;

pub(crate) async fn run(clients: &impl ClientProvider, command: MemberCommand, yes: bool) -> Result<Report, Failure> {
    let store = clients.store();
    match command {
        MemberCommand::Add { tenant, email, name, public_name, roles } => {
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            let name = name.unwrap_or_else(|| email.split('@').next().unwrap_or(&email).to_owned());
            let new = NewMember { email, name, public_name, roles };
            let (directory, runtime) = (clients.user_directory()?, clients.runtime());
            let by = Requester::Operator;
            let invited = members::create(&store, &runtime, directory.as_deref(), by, &tenant, &new).await?;
            Ok(shown_once(clients, &invited))
        }
        MemberCommand::List { tenant } => {
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            Ok(listed(&store.members().list(&tenant).await?))
        }
        MemberCommand::Invite { tenant, member } => {
            let (tenant, member) = find(&store, &tenant, &member).await?;
            let (directory, runtime) = (clients.user_directory()?, clients.runtime());
            let (by, id) = (Requester::Operator, &member.member_id);
            let invited = members::invite(&store, &runtime, directory.as_deref(), by, &tenant, id).await?;
            Ok(shown_once(clients, &invited))
        }
        MemberCommand::SetRoles { tenant, member, roles } => {
            let patch = MemberPatch { roles: Some(roles), ..MemberPatch::default() };
            change(clients, (&tenant, &member), &patch).await
        }
        MemberCommand::Suspend { tenant, member } => {
            change(clients, (&tenant, &member), &with_status(MemberStatus::Suspended)).await
        }
        MemberCommand::Resume { tenant, member } => {
            change(clients, (&tenant, &member), &with_status(MemberStatus::Active)).await
        }
        MemberCommand::Remove { tenant, member } => remove(clients, (&tenant, &member), yes).await,
        MemberCommand::SignOut { tenant, member } => {
            let (tenant, member) = find(&store, &tenant, &member).await?;
            let at = (&tenant, &member.member_id);
            members::sign_out_everywhere(&store, &clients.runtime(), Requester::Operator, at, None).await?;
            Ok(Report::new(format!("signed out {}", line(&member)), member_json(&member)))
        }
    }
}

/// The audit of a tenant, newest first.
pub(crate) async fn audit(clients: &impl ClientProvider, tenant: &str, limit: usize) -> Result<Report, Failure> {
    let store = clients.store();
    let tenant = tenants::find(&store, tenant).await?.tenant_id;
    let (mut entries, mut next) = (Vec::new(), None);
    while entries.len() < limit {
        let page = store.audit().list(&tenant, next.as_ref(), PAGE.min(limit - entries.len())).await?;
        entries.extend(page.items);
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    let row = |entry: &AuditEntry| {
        let AuditEntry { at, actor, action, target, mode, changes: _ } = entry;
        let by = format!("{} {}", actor.actor_type, actor.name);
        vec![at.to_string(), by, action.to_string(), target.clone(), mode.map_or_else(String::new, |m| m.to_string())]
    };
    let text = table(&["at", "by", "action", "target", "mode"], &entries.iter().map(row).collect::<Vec<_>>());
    let more = if next.is_some() { "\nthere are older entries; --limit shows more" } else { "" };
    Ok(Report::new(text + more, json!({"items": entries, "hasMore": next.is_some()})))
}

fn with_status(status: MemberStatus) -> MemberPatch {
    MemberPatch { status: Some(status), ..MemberPatch::default() }
}

async fn change(
    clients: &impl ClientProvider,
    (tenant, member): (&str, &str),
    patch: &MemberPatch,
) -> Result<Report, Failure> {
    let store = clients.store();
    let (tenant, member) = find(&store, tenant, member).await?;
    let (by, at) = (Requester::Operator, (&tenant, &member.member_id));
    let changed = members::change(&store, &clients.runtime(), by, at, patch, |_| Ok(())).await?;
    let member = changed.after.unwrap_or(changed.before);
    Ok(Report::new(line(&member), member_json(&member)))
}

async fn remove(clients: &impl ClientProvider, (tenant, member): (&str, &str), yes: bool) -> Result<Report, Failure> {
    let store = clients.store();
    let (tenant, member) = find(&store, tenant, member).await?;
    if !yes {
        return Ok(Report::dry_run(format!("would remove {}", line(&member)), member_json(&member)));
    }
    let (by, at) = (Requester::Operator, (&tenant, &member.member_id));
    members::remove(&store, &clients.runtime(), by, at, |_| Ok(())).await?;
    members::remove_user(&store, clients.user_directory()?.as_deref(), &member.email).await;
    Ok(Report::new(format!("removed {}", line(&member)), member_json(&member)))
}

/// A member by its id or its address.
async fn find(store: &Store, tenant: &str, named: &str) -> Result<(TenantId, Member), Failure> {
    let tenant = tenants::find(store, tenant).await?.tenant_id;
    let member = match MemberId::parse(named) {
        Some(id) => store.members().get(&tenant, &id).await?,
        None => {
            let email = member_email::canonical(named);
            store.members().list(&tenant).await?.into_iter().find(|member| member.email == email)
        }
    };
    Ok((tenant, member.ok_or_else(|| Error::not_found("member"))?))
}

/// A member with the address of the invitation, which is printed this once.
fn shown_once(clients: &impl ClientProvider, invited: &Invited) -> Report {
    let Invited { member, secret, provider_user } = invited;
    let desk = clients.config().desk_url.as_ref();
    let url = secret.as_ref().zip(desk).map(|(secret, desk)| members::invitation_url(desk, secret));
    let json = with(with(member_json(member), "providerUser", json!(provider_user)), "invitationUrl", json!(url));
    let text = match &url {
        Some(url) => format!("{url}  (good once and for seven days; it is not shown again)"),
        None => "nobody can sign in yet: the desk has no address".to_owned(),
    };
    Report::new(format!("{}\nuser at the provider  {provider_user}\ninvitation  {text}", line(member)), json)
}

fn roles(roles: &[Role]) -> String {
    roles.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn line(member: &Member) -> String {
    let Member { member_id, email, status, .. } = member;
    format!("{member_id}  {email}  {}  {status}", roles(&member.roles))
}

fn member_json(member: &Member) -> Value {
    json!({
        "memberId": member.member_id, "email": member.email, "name": member.name, "publicName": member.public_name,
        "roles": member.roles, "status": member.status, "availability": member.availability,
        "lastSignInAt": member.last_sign_in_at, "createdAt": member.created_at,
    })
}

fn listed(members: &[Member]) -> Report {
    let row = |member: &Member| {
        vec![
            member.member_id.to_string(),
            member.email.clone(),
            roles(&member.roles),
            member.status.to_string(),
            member.availability.to_string(),
            time(member.last_sign_in_at),
            member.name.clone(),
        ]
    };
    let header = ["member", "email", "roles", "status", "availability", "last sign-in", "name"];
    Report::list(&header, members, row, member_json)
}
