//! The kinds of turn that the model tells apart.

/// The kind of turn that a text is; in the order of the columns of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialogue) enum Turn {
    /// Asks something, or says what a help centre may answer.
    Question,
    /// Asks for a human.
    Human,
    /// Greets.
    Greeting,
    /// Thanks.
    Thanks,
    /// Says goodbye.
    Farewell,
    /// Praises or takes note.
    Praise,
    /// Asks who or what we are.
    AboutUs,
    /// Apologises.
    Apology,
    /// Wants the last thing said again.
    Repeat,
    /// Insults.
    Insult,
}

/// Every kind, in this order.
pub(super) const TURNS: [Turn; 10] = [
    Turn::Question,
    Turn::Human,
    Turn::Greeting,
    Turn::Thanks,
    Turn::Farewell,
    Turn::Praise,
    Turn::AboutUs,
    Turn::Apology,
    Turn::Repeat,
    Turn::Insult,
];
