//! What a change of a session may claim beside the session itself: that a request is new, or that a customer's turn has
//! no answer yet. Each kind of claim has its own way of being refused, so a change that claims nothing has none.

use std::convert::Infallible;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::expression::Expression;
use crate::store::idempotency::{Remembered, RequestKey, in_progress};
use crate::store::keys;
use crate::store::table::{Item, number};
use crate::store::transaction::{RequestRecord, Write};
use domain::models::{Scope, Session};
use domain::{Error, Result};

/// Something that must hold for a session to change, with what is written about it.
pub trait Claim {
    /// Names one of its writes.
    type Tag: PartialEq + std::fmt::Debug;
    /// How it is refused.
    type Refusal;

    /// Its writes for a change that makes a session `after`.
    fn writes(&self, scope: &Scope, after: &Session) -> Result<ClaimWrites<Self::Tag>>;

    /// What failed conditions of its writes mean; none where all of them held.
    fn ruling(&self, failed: &FailedClaims<Self::Tag>) -> Result<Option<Ruling<Self::Refusal>>>;
}

/// The writes of a claim.
#[derive(Debug)]
pub struct ClaimWrites<T>(pub(super) Vec<(T, Write)>);

/// The writes of a claim whose conditions failed, each with the item as it is.
#[derive(Debug)]
pub struct FailedClaims<T>(pub(super) Vec<(T, Option<Item>)>);

/// What a failed claim means.
#[derive(Debug)]
pub enum Ruling<R> {
    /// What is there is of this very change, whose reply was lost.
    Mine,
    /// Somebody else was first.
    Refused(R),
}

/// Nothing is claimed.
impl Claim for () {
    type Tag = Infallible;
    type Refusal = Infallible;

    fn writes(&self, _: &Scope, _: &Session) -> Result<ClaimWrites<Infallible>> {
        Ok(ClaimWrites(Vec::new()))
    }

    fn ruling(&self, _: &FailedClaims<Infallible>) -> Result<Option<Ruling<Infallible>>> {
        Ok(None)
    }
}

/// The request is new under each of its keys.
impl<R: Serialize + DeserializeOwned> Claim for Vec<Remembered<R>> {
    type Tag = RequestKey;
    type Refusal = Remembered<R>;

    fn writes(&self, scope: &Scope, after: &Session) -> Result<ClaimWrites<RequestKey>> {
        let write = |one: &Remembered<R>| Ok((one.key.clone(), one.write(scope, after.updated_at)?));
        self.iter().map(write).collect::<Result<_>>().map(ClaimWrites)
    }

    fn ruling(&self, failed: &FailedClaims<RequestKey>) -> Result<Option<Ruling<Remembered<R>>>> {
        let there = |one: &Remembered<R>| failed.0.iter().find(|(key, _)| *key == one.key)?.1.clone();
        let Some((mine, there)) = self.iter().find_map(|one| Some((one, there(one)?))) else { return Ok(None) };
        Ok(Some(mine.earlier(there)?.map_or(Ruling::Mine, Ruling::Refused)))
    }
}

/// The request is new; its record is complete with the change.
impl Claim for Option<RequestRecord> {
    type Tag = ();
    type Refusal = Error;

    fn writes(&self, _: &Scope, _: &Session) -> Result<ClaimWrites<()>> {
        Ok(ClaimWrites(self.iter().map(|record| ((), record.clone().into_write())).collect()))
    }

    fn ruling(&self, failed: &FailedClaims<()>) -> Result<Option<Ruling<Error>>> {
        Ok((!failed.0.is_empty()).then(|| Ruling::Refused(in_progress())))
    }
}

/// The customer's turns have no answer yet, and get this one.
#[derive(Debug, Clone)]
pub struct Answers {
    /// Numbers of the customer's turns.
    pub turns: Vec<u32>,
    /// The number of the AI's turn that answers them.
    pub by: u32,
}

/// Somebody else answered a turn before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlreadyAnswered;

impl Claim for Answers {
    type Tag = u32;
    type Refusal = AlreadyAnswered;

    fn writes(&self, scope: &Scope, after: &Session) -> Result<ClaimWrites<u32>> {
        let write = |turn: &u32| Write::Update {
            key: keys::turn(scope, &after.session_id, *turn),
            update: Expression::new("SET answeredBy = :by").with(":by", number(self.by)),
            condition: Some(Expression::new("attribute_exists(pk) AND attribute_not_exists(answeredBy)")),
        };
        Ok(ClaimWrites(self.turns.iter().map(|turn| (*turn, write(turn))).collect()))
    }

    fn ruling(&self, failed: &FailedClaims<u32>) -> Result<Option<Ruling<AlreadyAnswered>>> {
        Ok((!failed.0.is_empty()).then_some(Ruling::Refused(AlreadyAnswered)))
    }
}
