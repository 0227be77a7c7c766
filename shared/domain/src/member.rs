//! Members: the people of a tenant who sign in to the desk. A member belongs to both modes.
//!
//! The rules of a member's address are narrower than those of a customer's ([`crate::limits::parse_email`]), because an address
//! decides who may use an invitation: ASCII alone, so that no letter is another one after case folding, and neither quotes
//! nor comments.

use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::clock::Runtime;
use crate::models::{MemberId, Role, SignInId, TenantId, Timestamp};
use crate::{Secret, sha256_hex};

/// How long an invitation is good, in hours.
const INVITATION_HOURS: i64 = 7 * 24;
/// How long a sign-in lasts, in hours.
const SIGN_IN_HOURS: i64 = 12;
/// How many sign-ins of a member live at once.
const MAX_SIGN_INS: usize = 10;

wire_enum! {
    /// Whether a member may sign in.
    pub enum MemberStatus {
        /// The invitation has not been used yet.
        Invited => "invited",
        /// The member may sign in.
        Active => "active",
        /// The member is refused.
        Suspended => "suspended",
    }
}

wire_enum! {
    /// Whether a member is there for customers.
    pub enum Availability {
        /// There.
        Available => "available",
        /// Not at the moment; claims stay as they are.
        Away => "away",
    }
}

wire_enum! {
    /// Whether the sign-in provider of this service has the person now.
    pub enum ProviderUser {
        /// It was created there.
        Created => "created",
        /// It was there already.
        Exists => "exists",
        /// Creating it failed: invite again.
        Failed => "failed",
        /// The provider is not this service's own: it gets nothing.
        None => "none",
    }
}

/// A person of a tenant.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Its id.
    pub member_id: MemberId,
    /// The address, in lower case.
    pub email: String,
    /// The name, for colleagues.
    pub name: String,
    /// The name that customers and webhooks see.
    pub public_name: String,
    /// One to three of admin, trainer and agent, each once, in this order.
    pub roles: Vec<Role>,
    /// Whether the member may sign in. Stored under a name that conditions may use.
    #[serde(rename = "memberStatus")]
    pub status: MemberStatus,
    /// Whether the member is there for customers.
    pub availability: Availability,
    /// Raised by whatever ends the member's desk tokens.
    pub generation: u64,
    /// When the member last signed in.
    pub last_sign_in_at: Option<Timestamp>,
    /// When the member was added.
    pub created_at: Timestamp,
    /// The person as the provider knows the member: a hash of issuer and subject; none before the first sign-in.
    pub identity: Option<String>,
    /// The invitation that is open.
    pub invitation: Option<Invitation>,
    /// The sign-ins that have not ended, at most ten, oldest first; some may be over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sign_ins: Vec<SignIn>,
    /// When all sign-ins were last ended.
    pub signed_out_at: Option<Timestamp>,
    /// Counts every change.
    pub version: u64,
}

/// The right to become a member, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// The hash of its secret.
    pub secret_hash: String,
    /// From this moment on it is refused.
    pub expires_at: Timestamp,
}

impl Invitation {
    /// One that is good for seven days.
    #[must_use]
    pub const fn new(secret_hash: String, now: Timestamp) -> Self {
        Self { secret_hash, expires_at: now.plus_hours(INVITATION_HOURS) }
    }
}

/// One sign-in of a member, which a cookie's secret renews.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignIn {
    /// Its id.
    pub sign_in_id: SignInId,
    /// The hash of the cookie's secret.
    pub secret_hash: String,
    /// When the provider's code was redeemed.
    pub signed_in_at: Timestamp,
    /// When the person last proved to the provider who they are.
    pub authenticated_at: Timestamp,
}

impl SignIn {
    /// From this moment on it is over.
    #[must_use]
    pub const fn ends_at(&self) -> Timestamp {
        self.signed_in_at.plus_hours(SIGN_IN_HOURS)
    }

    /// Whether it is not over at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.ends_at()
    }
}

/// A place where somebody is a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberPlace {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The person as a member there.
    pub member_id: MemberId,
}

impl Member {
    /// Whether the member is active and works in the inbox.
    #[must_use]
    pub fn has_inbox(&self) -> bool {
        self.status == MemberStatus::Active && self.roles.iter().any(|role| matches!(role, Role::Admin | Role::Agent))
    }

    /// Whether the member is active and an admin.
    #[must_use]
    pub fn is_active_admin(&self) -> bool {
        self.status == MemberStatus::Active && self.roles.contains(&Role::Admin)
    }

    /// The sign-in of this id, while it is not over.
    #[must_use]
    pub fn live_sign_in(&self, id: &SignInId, now: Timestamp) -> Option<&SignIn> {
        self.sign_ins.iter().find(|sign_in| sign_in.sign_in_id == *id && sign_in.is_live(now))
    }

    /// Adds a sign-in; those that are over are forgotten, and an eleventh ends the oldest.
    #[must_use]
    pub fn signed_in(mut self, sign_in: SignIn, now: Timestamp) -> Self {
        self.sign_ins.retain(|other| other.is_live(now));
        self.sign_ins.push(sign_in);
        let surplus = self.sign_ins.len().saturating_sub(MAX_SIGN_INS);
        self.sign_ins.drain(..surplus);
        self.last_sign_in_at = Some(now);
        self
    }

    /// Ends one sign-in.
    #[must_use]
    pub fn signed_out(mut self, id: &SignInId) -> Self {
        self.sign_ins.retain(|sign_in| sign_in.sign_in_id != *id);
        self
    }

    /// Ends all sign-ins, every desk token and the open invitation, with which somebody else could sign in.
    #[must_use]
    pub fn signed_out_everywhere(mut self, now: Timestamp) -> Self {
        self.sign_ins.clear();
        self.invitation = None;
        self.signed_out_at = Some(now);
        self.with_next_generation()
    }

    /// Whether a sign-in that lives elsewhere may be used here: not one from before all sign-ins were ended.
    #[must_use]
    pub fn may_take_up(&self, sign_in: &SignIn) -> bool {
        self.signed_out_at.is_none_or(|ended_at| ended_at < sign_in.signed_in_at)
    }

    /// Binds the member to the person that a provider knows as `identity`, by the open invitation, which is used up. Who
    /// was bound before is signed out.
    #[must_use]
    pub fn bound_to(mut self, identity: String, now: Timestamp) -> Self {
        self.invitation = None;
        self.status = MemberStatus::Active;
        match self.identity.replace(identity) {
            Some(_) => self.signed_out_everywhere(now),
            None => self,
        }
    }

    /// The same with other roles; if they are others, every desk token ends, and so does the open invitation of a
    /// member who is bound, with which somebody else could sign in.
    #[must_use]
    pub fn with_roles(mut self, roles: Vec<Role>) -> Self {
        if self.roles == roles {
            return self;
        }
        self.roles = roles;
        if self.identity.is_some() {
            self.invitation = None;
        }
        self.with_next_generation()
    }

    /// Refuses the member from now on, and ends all sign-ins and the open invitation.
    #[must_use]
    pub fn suspended(mut self, now: Timestamp) -> Self {
        if self.status == MemberStatus::Suspended {
            return self;
        }
        self.status = MemberStatus::Suspended;
        self.signed_out_everywhere(now)
    }

    /// Lets a suspended member sign in again; one who never did is invited again.
    #[must_use]
    pub fn resumed(mut self) -> Self {
        if self.status == MemberStatus::Suspended {
            self.status = if self.identity.is_some() { MemberStatus::Active } else { MemberStatus::Invited };
        }
        self
    }

    fn with_next_generation(mut self) -> Self {
        self.generation = self.generation.saturating_add(1);
        self
    }
}

/// How many members of a tenant there are, kept with the tenant in every transaction that changes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct People {
    /// Active members with the role admin.
    pub active_admins: u32,
    /// Active members who work in the inbox.
    pub inbox_members: u32,
    /// Those of them who are not away.
    pub inbox_available: u32,
}

impl People {
    /// The counts of one member.
    #[must_use]
    pub fn of(member: &Member) -> Self {
        let is_available = member.has_inbox() && member.availability == Availability::Available;
        Self {
            active_admins: member.is_active_admin().into(),
            inbox_members: member.has_inbox().into(),
            inbox_available: is_available.into(),
        }
    }
}

/// Hexadecimal digits of a token.
const SECRET_DIGITS: usize = 64;

/// A secret that its holder shows to be let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretToken(Secret);

impl SecretToken {
    /// A new one.
    ///
    /// # Errors
    /// An internal error if the system has no random bytes.
    pub fn generate(runtime: &Runtime) -> crate::Result<Self> {
        Ok(Self(Secret::new(hex::encode(runtime.bytes::<32>()?))))
    }

    /// Reads one; `None` unless it has the one form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        (text.len() == SECRET_DIGITS && text.bytes().all(is_digit)).then(|| Self(Secret::new(text.to_owned())))
    }

    /// The hash by which it is stored and found: lower-case hex of SHA-256.
    #[must_use]
    pub fn hash(&self) -> String {
        sha256_hex(self.expose().as_bytes())
    }

    /// The secret itself, for the one answer that shows it.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

/// As much of [`parse_member_email`] as a regular expression of ECMA-262 can say.
pub const MEMBER_EMAIL_PATTERN: &str = r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$";

/// The longest local part (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL_CHARS: usize = 64;

/// Whether `text` is one address: a dot-atom (RFC 5322, section 3.2.3), `@`, and a host name in ASCII.
pub fn parse_member_email(text: &str) -> Result<(), &'static str> {
    let Some((local, domain)) = text.split_once('@') else { return Err("must have one @") };
    if !text.is_ascii() {
        return Err("must be ASCII, the domain in its ASCII form");
    }
    let is_atom = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(c);
    if local.len() > MAX_LOCAL_CHARS || !local.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_atom)) {
        return Err("must have a local part of letters, digits and plain signs, without quotes and comments");
    }
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if domain.split('.').all(is_label) { Ok(()) } else { Err("must have a host name after the @") }
}

/// The address as it is stored and compared.
#[must_use]
pub fn canonical_email(email: &str) -> String {
    email.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1_000)
    }

    fn member() -> Member {
        Member {
            member_id: MemberId::from_parts(at(0), 1),
            email: "ada@company.example".into(),
            name: "Ada".into(),
            public_name: "Ada".into(),
            roles: vec![Role::Admin],
            status: MemberStatus::Invited,
            availability: Availability::Available,
            generation: 1,
            last_sign_in_at: None,
            created_at: at(0),
            identity: None,
            invitation: Some(Invitation::new("hash".into(), at(0))),
            sign_ins: Vec::new(),
            signed_out_at: None,
            version: 1,
        }
    }

    fn sign_in(number: i64) -> SignIn {
        SignIn {
            sign_in_id: SignInId::from_parts(at(number), 1),
            secret_hash: number.to_string(),
            signed_in_at: at(number),
            authenticated_at: at(number),
        }
    }

    #[test]
    fn an_eleventh_sign_in_ends_the_oldest_and_those_that_are_over_are_forgotten() {
        let full = (1..=11).fold(member(), |member, number| member.signed_in(sign_in(number), at(number)));
        assert_eq!(full.sign_ins.len(), 10);
        assert!(full.live_sign_in(&sign_in(1).sign_in_id, at(12)).is_none());
        assert!(full.live_sign_in(&sign_in(2).sign_in_id, at(12)).is_some());
        let end = sign_in(2).ends_at();
        assert!(full.live_sign_in(&sign_in(2).sign_in_id, end).is_none());
        assert_eq!(full.signed_in(sign_in(50_000), at(50_000)).sign_ins.len(), 1);
    }

    #[test]
    fn binding_suspending_and_other_roles_end_the_tokens_that_they_must() {
        let bound = member().bound_to("me".into(), at(1));
        assert_eq!((bound.status, bound.generation, bound.invitation.is_none()), (MemberStatus::Active, 1, true));
        let rebound = bound.clone().signed_in(sign_in(2), at(2)).bound_to("you".into(), at(3));
        assert_eq!((rebound.generation, rebound.sign_ins.len()), (2, 0));
        assert_eq!(bound.clone().with_roles(vec![Role::Admin]).generation, 1);
        assert_eq!(bound.clone().with_roles(vec![Role::Agent]).generation, 2);
        let suspended = bound.signed_in(sign_in(2), at(2)).suspended(at(3));
        assert_eq!((suspended.generation, suspended.sign_ins.len()), (2, 0));
        assert_eq!(member().suspended(at(3)).invitation, None);
        assert_eq!(suspended.clone().suspended(at(4)), suspended);
        assert_eq!(suspended.resumed().status, MemberStatus::Active);
        assert_eq!(member().suspended(at(1)).resumed().status, MemberStatus::Invited);
    }

    #[test]
    fn a_sign_in_from_before_the_end_of_all_is_not_taken_up() {
        let ended = member().signed_out_everywhere(at(5));
        assert!(!ended.may_take_up(&sign_in(4)) && !ended.may_take_up(&sign_in(5)));
        assert!(ended.may_take_up(&sign_in(6)) && member().may_take_up(&sign_in(1)));
    }

    #[test]
    fn a_token_reads_back_in_its_one_form_and_is_shown_by_nothing_else() {
        let token = SecretToken::generate(&Runtime::system()).unwrap();
        assert_eq!(SecretToken::parse(token.expose()), Some(token.clone()));
        assert_ne!(SecretToken::generate(&Runtime::system()).unwrap(), token);
        assert!(!format!("{token:?}").contains(token.expose()) && !token.hash().contains(token.expose()));
        for bad in ["", &token.expose()[1..], &token.expose().to_uppercase(), &format!("{}0", token.expose())] {
            assert!(bad == token.expose() || SecretToken::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn an_address_is_ascii_without_quotes_comments_and_a_dot_at_the_end() {
        for good in ["you@company.example", "a.b+c@x-1.example", "A@B.example", "x@localhost", "x@xn--mnchen-3ya.de"] {
            assert_eq!(parse_member_email(good), Ok(()), "{good}");
        }
        let long = format!("{}@company.example", "x".repeat(65));
        for bad in [
            "",
            "@",
            "a@",
            "@b",
            "a@b@c",
            "\u{212A}im@company.example",
            "\u{0130}@company.example",
            "\u{017F}am@company.example",
            "you@compan\u{0131}.example",
            "you@m\u{FC}nchen.de",
            "you@company.example.",
            "you.@company.example",
            ".you@company.example",
            "a..b@company.example",
            "\"you\"@company.example",
            "you(comment)@company.example",
            "you@(comment)company.example",
            "you@[127.0.0.1]",
            "you@company..example",
            "you@-company.example",
            "you@company_.example",
            "you @company.example",
            "you@company.example ",
            "you,me@company.example",
            "<you@company.example>",
            &long,
        ] {
            assert!(parse_member_email(bad).is_err(), "{bad}");
        }
    }
}
