//! Conditions of IAM statements, as the documentation of IAM and DynamoDB describes them.
//!
//! - `ForAllValues` holds if every value of the request's key is one of the statement's values, so also if the request has no
//!   such key. `ForAnyValue` holds if one value of the request is, so never without the key. With a negated operator
//!   (`StringNotEquals`), a value of the request must differ from all values of the statement.
//! - `Null` with `"true"` holds if the request has no such key.
//! - `dynamodb:LeadingKeys` are the partition keys of a request, `dynamodb:Attributes` the top-level attributes that it
//!   names, those of the key among them. Each part of a transaction is a call of its own (`PutItem`, `UpdateItem`,
//!   `DeleteItem`, `ConditionCheckItem`); should the keys of all parts be asked at once, `ForAnyValue` denies no less.

use serde_json::Value;

use super::policy::Call;
use crate::template::document::texts;

pub(crate) const LEADING_KEYS: &str = "dynamodb:LeadingKeys";
const ATTRIBUTES: &str = "dynamodb:Attributes";
const SOURCE_FUNCTION: &str = "lambda:SourceFunctionArn";
/// The ARN of any function of the account.
const A_FUNCTION: &str = "arn:aws:lambda:eu-central-1:123456789012:function:one-a";

/// The sender of a call with the role of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sender {
    /// The function's code.
    Code,
    /// Lambda itself, on behalf of the function.
    Lambda,
}

/// How many of the request's values must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    /// The key has one value.
    One,
    All,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Like,
    NotEquals,
    Null,
}

/// One key of a condition.
#[derive(Debug)]
pub(crate) struct Condition {
    quantifier: Quantifier,
    operator: Operator,
    /// The key of the request's context that is compared.
    pub(crate) key: String,
    /// The values that it is compared with.
    pub(crate) values: Vec<String>,
}

impl Condition {
    /// Every key of a statement's condition; all must hold.
    pub(crate) fn parse_all(condition: &Value) -> Vec<Self> {
        let operators = condition.as_object().unwrap().iter();
        operators
            .flat_map(|(operator, keys)| keys.as_object().unwrap().iter().map(|pair| Self::parse(operator, pair)))
            .collect()
    }

    fn parse(named: &str, (key, values): (&String, &Value)) -> Self {
        let (quantifier, operator) = match named.split_once(':') {
            Some(("ForAllValues", operator)) => (Quantifier::All, operator),
            Some(("ForAnyValue", operator)) => (Quantifier::Any, operator),
            _ => (Quantifier::One, named),
        };
        let operator = match operator {
            "StringLike" | "ArnLike" => Operator::Like,
            "StringNotEquals" => Operator::NotEquals,
            "Null" => Operator::Null,
            other => panic!("the operator {other} is not understood"),
        };
        let is_set = [LEADING_KEYS, ATTRIBUTES].contains(&key.as_str());
        assert!(is_set || key == SOURCE_FUNCTION, "the key {key} is not understood");
        // IAM accepts a set without a quantifier, and compares it wrongly.
        assert!(operator == Operator::Null || is_set == (quantifier != Quantifier::One), "{named} of {key}");
        assert!(operator != Operator::Null || *values == "true", "{named} of {key} is not understood: {values}");
        Self { quantifier, operator, key: key.clone(), values: texts(values) }
    }

    /// The one condition of allowing statements.
    pub(crate) fn is_for_all_leading_keys(&self) -> bool {
        self.quantifier == Quantifier::All && self.operator == Operator::Like && self.key == LEADING_KEYS
    }

    /// Whether it holds for a call, without one of the values.
    pub(crate) fn holds(&self, call: &Call, sender: Sender, without: Option<&str>) -> bool {
        let asked = match self.key.as_str() {
            LEADING_KEYS => call.leading_keys.clone(),
            ATTRIBUTES => call.attributes.clone(),
            _ => Vec::from_iter((sender == Sender::Code).then(|| A_FUNCTION.to_owned())),
        };
        let values = self.values.iter().filter(|value| without != Some(value.as_str()));
        let matches = |asked: &String| match self.operator {
            Operator::Like => values.clone().any(|pattern| is_like(pattern, asked)),
            Operator::NotEquals => values.clone().all(|value| value != asked),
            Operator::Null => false,
        };
        match (self.operator, self.quantifier) {
            (Operator::Null, _) => asked.is_empty(),
            (_, Quantifier::All) => asked.iter().all(matches),
            (_, Quantifier::Any | Quantifier::One) => asked.iter().any(matches),
        }
    }
}

/// IAM's `StringLike`: `*` stands for any text, `?` for any one character.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    // Most patterns are plain, or plain up to one `*` at their end.
    let plain = pattern.find(['*', '?']).unwrap_or(pattern.len());
    let Some(text) = text.strip_prefix(&pattern[..plain]) else { return false };
    let pattern = &pattern[plain..];
    if pattern.is_empty() || pattern == "*" {
        return text.is_empty() || pattern == "*";
    }
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for wanted in pattern {
        let before = reached.clone();
        for at in 0..=text.len() {
            reached[at] = match wanted {
                '*' => before[at] || (at > 0 && reached[at - 1]),
                '?' => at > 0 && before[at - 1],
                letter => at > 0 && before[at - 1] && text[at - 1] == letter,
            };
        }
    }
    reached[text.len()]
}

#[test]
fn a_pattern_is_read_as_iam_reads_it() {
    for (pattern, text) in
        [("*#GAP", "ten_1#live#GAP"), ("KEY#*", "KEY#ab"), ("HEALTH", "HEALTH"), ("*", ""), ("a?c*e", "abcde")]
    {
        assert!(is_like(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("*#GAP", "ten_1#live#GAPSEEN"), ("KEY#*", "HEALTH"), ("HEALTH", "HEALTH#1"), ("a?c", "ac")]
    {
        assert!(!is_like(pattern, text), "{pattern} {text}");
    }
}

#[test]
fn sets_are_compared_as_iam_compares_them() {
    let holds = |condition: Value, keys: &[&str], attributes: &[&str]| {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let call = Call { leading_keys: own(keys), attributes: own(attributes), ..Call::default() };
        Condition::parse_all(&condition).iter().all(|condition| condition.holds(&call, Sender::Code, None))
    };
    let all = || serde_json::json!({"ForAllValues:StringLike": {LEADING_KEYS: ["A#*", "B"]}});
    let any = || serde_json::json!({"ForAnyValue:StringLike": {LEADING_KEYS: ["A#*", "B"]}});
    for (keys, is_all, is_any) in [
        (&[][..], true, false),
        (&["A#1"], true, true),
        (&["A#1", "B"], true, true),
        (&["A#1", "C"], false, true),
        (&["C", "D"], false, false),
    ] {
        assert_eq!((holds(all(), keys, &[]), holds(any(), keys, &[])), (is_all, is_any), "{keys:?}");
    }
    let others = || serde_json::json!({"ForAnyValue:StringNotEquals": {ATTRIBUTES: ["pk", "used"]}});
    let none = || serde_json::json!({"Null": {ATTRIBUTES: "true"}});
    for (attributes, is_other, is_none) in [
        (&[][..], false, true),
        (&["pk"], false, false),
        (&["pk", "used"], false, false),
        (&["role"], true, false),
        (&["pk", "role"], true, false),
    ] {
        assert_eq!((holds(others(), &[], attributes), holds(none(), &[], attributes)), (is_other, is_none));
    }
    let both = serde_json::json!({
        "ForAnyValue:StringLike": {LEADING_KEYS: "A#*"}, "ForAnyValue:StringNotEquals": {ATTRIBUTES: "used"},
    });
    assert!(holds(both.clone(), &["A#1"], &["role"]));
    assert!(!holds(both.clone(), &["B"], &["role"]) && !holds(both, &["A#1"], &["used"]));
}

#[test]
#[should_panic(expected = "StringLike of dynamodb:LeadingKeys")]
fn a_set_without_a_quantifier_fails() {
    Condition::parse_all(&serde_json::json!({"StringLike": {LEADING_KEYS: "A#*"}}));
}
