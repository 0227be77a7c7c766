//! A dry run as it is asked for.

use aws::store::sessions::DayCursor;
use domain::models::{Channel, GapId, MessageId, PinId, ProposedChange, SessionId, WikiPath};
use serde::{Deserialize, Serialize};

/// The source of the questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionSource {
    /// Those of a knowledge gap.
    Gap(GapId),
    /// Those of the last days whose answer was made from an entry.
    Entry {
        /// The entry.
        path: WikiPath,
        /// How many days, from now.
        days: u32,
    },
    /// Those of sessions of the last days.
    Days(u32),
    /// These, each as the first message of a conversation.
    Texts(Vec<String>),
    /// The pinned ones, each as the first message of a conversation.
    Pins,
}

#[derive(Debug, Clone)]
pub struct DryRun {
    /// 1-20, each of another path.
    pub changes: Vec<ProposedChange>,
    pub questions: QuestionSource,
    /// Where questions without a session are asked.
    pub channel: Channel,
    /// How many questions at most, 1-100; none: as many of 100 as one run may ask.
    pub limit: Option<usize>,
    /// Where the questions go on; none: at the first.
    pub from: Option<DryRunPlace>,
}

/// Where the questions go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum DryRunPlace {
    /// With what is before this message.
    #[serde(rename = "m")]
    Message(MessageId),
    /// With the pins after this one.
    #[serde(rename = "p")]
    Pin(PinId),
    /// With the question of this number, from 0.
    #[serde(rename = "n")]
    Number(usize),
    /// With the sessions of a list from here on.
    #[serde(rename = "d")]
    Day(DayCursor),
    /// Within a session of that list: before the turn of this number.
    #[serde(rename = "s")]
    Session(DayCursor, SessionId, u32),
}
