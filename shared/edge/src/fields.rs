//! Reads a JSON object field by field and collects every problem.
//!
//! Absent and `null` are the same and not a problem by themselves. A wrong type, an unknown value or a number out of
//! range is a problem. Unknown fields are ignored.

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use domain::error::Detail;
use domain::models::{Timestamp, Visitor};
use text::is_blank;

type Problems = Rc<RefCell<Vec<Detail>>>;

/// One JSON object being read.
#[derive(Debug)]
pub struct Fields {
    map: Map<String, Value>,
    prefix: String,
    problems: Problems,
}

/// What a text may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Anything but U+0000: what people write.
    Prose,
    /// One line: no control and no bidirectional-formatting characters.
    Line,
}

impl Fields {
    pub(crate) fn new(map: Map<String, Value>) -> Self {
        Self { map, prefix: String::new(), problems: Problems::default() }
    }

    /// Every problem found so far.
    pub(crate) fn problems(&self) -> Vec<Detail> {
        self.problems.take()
    }

    /// Whether a field is there and not `null`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Whether a field is there and `null`, by which a change clears what may be empty.
    #[must_use]
    pub fn is_null(&self, name: &str) -> bool {
        self.map.get(name).is_some_and(Value::is_null)
    }

    /// Reports a problem of field `name`, or of the whole object where `name` is empty; `code` is `UPPER_SNAKE`.
    pub fn problem(&self, name: &str, code: &'static str, message: impl Into<String>) {
        let field = (!name.is_empty()).then(|| format!("{}{name}", self.prefix));
        self.problems.borrow_mut().push(Detail { field, code: code.into(), message: message.into().into() });
    }

    /// Reports `REQUIRED` unless the field is there.
    pub fn require(&self, name: &str) {
        if !self.has(name) {
            self.problem(name, "REQUIRED", "is required");
        }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    fn wrong_type<T>(&self, name: &str, wanted: &str) -> Option<T> {
        self.problem(name, "WRONG_TYPE", format!("must be {wanted}"));
        None
    }

    /// A text of `min` to `max` characters; where `min` is not 0, white space and invisible characters alone are none.
    #[must_use]
    pub fn text(&self, name: &str, min: usize, max: usize) -> Option<String> {
        self.checked_text(name, min, max, Kind::Prose)
    }

    /// Like [`Fields::text`], and absent is a problem.
    #[must_use]
    pub fn required_text(&self, name: &str, min: usize, max: usize) -> Option<String> {
        self.require(name);
        self.text(name, min, max)
    }

    /// A text of one line, for titles and names: no control and no bidirectional-formatting characters.
    #[must_use]
    pub fn line(&self, name: &str, min: usize, max: usize) -> Option<String> {
        self.checked_text(name, min, max, Kind::Line)
    }

    /// Like [`Fields::line`], and absent is a problem.
    #[must_use]
    pub fn required_line(&self, name: &str, min: usize, max: usize) -> Option<String> {
        self.require(name);
        self.line(name, min, max)
    }

    fn checked_text(&self, name: &str, min: usize, max: usize, kind: Kind) -> Option<String> {
        let Value::String(text) = self.value(name)? else { return self.wrong_type(name, "a string") };
        match judge_text(text, min, max, kind) {
            Ok(()) => Some(text.clone()),
            Err((code, message)) => {
                self.problem(name, code, message);
                None
            }
        }
    }

    /// A text that `parse` turns into a value; its error is shown to people.
    pub fn parsed<T>(&self, name: &str, parse: impl FnOnce(&str) -> Result<T, &'static str>) -> Option<T> {
        let Value::String(text) = self.value(name)? else { return self.wrong_type(name, "a string") };
        match parse(text) {
            Ok(value) => Some(value),
            Err(message) => {
                self.problem(name, "INVALID_FORMAT", message);
                None
            }
        }
    }

    /// One of a few words; `allowed` is for the message.
    pub fn choice<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>, allowed: &[&str]) -> Option<T> {
        let Value::String(text) = self.value(name)? else { return self.wrong_type(name, "a string") };
        let value = parse(text);
        if value.is_none() {
            self.problem(name, "NOT_ALLOWED", format!("must be one of {}", allowed.join(", ")));
        }
        value
    }

    /// A whole number from `min` to `max`, written without fraction or exponent.
    #[must_use]
    pub fn integer(&self, name: &str, min: i64, max: i64) -> Option<i64> {
        let value = self.value(name)?;
        if value.is_u64() && !value.is_i64() {
            return self.out_of_range(name, min, max);
        }
        let Some(number) = value.as_i64() else { return self.wrong_type(name, "a whole number") };
        if (min..=max).contains(&number) { Some(number) } else { self.out_of_range(name, min, max) }
    }

    /// A number from `min` to `max`.
    #[must_use]
    pub fn number(&self, name: &str, min: f64, max: f64) -> Option<f64> {
        let value = self.value(name)?;
        let Some(number) = value.as_f64().filter(|_| value.is_number()) else {
            return self.wrong_type(name, "a number");
        };
        if (min..=max).contains(&number) && comes_back(value) {
            Some(number)
        } else {
            self.out_of_range(name, min, max)
        }
    }

    fn out_of_range<T>(&self, name: &str, min: impl std::fmt::Display, max: impl std::fmt::Display) -> Option<T> {
        self.problem(name, "OUT_OF_RANGE", format!("must be between {min} and {max}"));
        None
    }

    /// `true` or `false`.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.value(name)? {
            Value::Bool(flag) => Some(*flag),
            _ => self.wrong_type(name, "true or false"),
        }
    }

    /// A moment in RFC 3339.
    #[must_use]
    pub fn timestamp(&self, name: &str) -> Option<Timestamp> {
        self.parsed(name, |text| Timestamp::parse(text).ok_or("must be an RFC 3339 time such as 2026-01-02T03:04:05Z"))
    }

    /// A list of at most `max_items` lines of `min` to `max` characters each.
    #[must_use]
    pub fn text_list(&self, name: &str, max_items: usize, min: usize, max: usize) -> Option<Vec<String>> {
        let Value::Array(items) = self.value(name)? else { return self.wrong_type(name, "a list of strings") };
        if items.len() > max_items {
            self.problem(name, "TOO_MANY", format!("must have at most {max_items} items"));
            return None;
        }
        let read: Vec<_> =
            items.iter().enumerate().filter_map(|(i, item)| self.list_item(name, i, item, min, max)).collect();
        (read.len() == items.len()).then_some(read)
    }

    fn list_item(&self, name: &str, index: usize, item: &Value, min: usize, max: usize) -> Option<String> {
        let name = format!("{name}[{index}]");
        let Value::String(text) = item else { return self.wrong_type(&name, "a string") };
        match judge_text(text, min, max, Kind::Line) {
            Ok(()) => Some(text.clone()),
            Err((code, message)) => {
                self.problem(&name, code, message);
                None
            }
        }
    }

    /// A nested object; its fields are reported as `name.field`.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<Self> {
        match self.value(name)? {
            Value::Object(map) => Some(Self {
                map: map.clone(),
                prefix: format!("{}{name}.", self.prefix),
                problems: Rc::clone(&self.problems),
            }),
            _ => self.wrong_type(name, "an object"),
        }
    }

    /// A flat object of strings, numbers and flags: at most `max_keys` keys of 1-100 characters, and `max_bytes` of
    /// JSON in all.
    #[must_use]
    pub fn flat_map(&self, name: &str, max_keys: usize, max_bytes: usize) -> Option<BTreeMap<String, Value>> {
        let Value::Object(map) = self.value(name)? else { return self.wrong_type(name, "an object") };
        let before = self.problems.borrow().len();
        if map.len() > max_keys {
            self.problem(name, "TOO_MANY", format!("must have at most {max_keys} keys"));
        }
        if serde_json::to_vec(map).map_or(usize::MAX, |json| json.len()) > max_bytes {
            self.problem(name, "TOO_LARGE", format!("must be at most {max_bytes} bytes of JSON"));
        }
        for (key, value) in map.iter().take(max_keys) {
            self.judge_entry(name, key, value);
        }
        let sound = self.problems.borrow().len() == before;
        sound.then(|| map.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    fn judge_entry(&self, name: &str, key: &str, value: &Value) {
        if judge_text(key, 1, 100, Kind::Line).is_err() {
            self.problem(name, "INVALID_KEY", "keys must have 1 to 100 characters, none of them a control character");
        }
        match value {
            Value::Array(_) | Value::Object(_) | Value::Null => {
                self.problem(name, "NOT_FLAT", "values must be strings, numbers, true or false");
            }
            Value::String(text) if text.contains('\0') => {
                self.problem(name, "INVALID_CHARACTER", "must not contain U+0000");
            }
            Value::Number(_) if !comes_back(value) => {
                self.problem(name, "OUT_OF_RANGE", "numbers must be 0, or between 1e-130 and 2^64 without their sign");
            }
            Value::String(_) | Value::Number(_) | Value::Bool(_) => {}
        }
    }

    /// `externalUserId`: one line of 1-200 characters, the tenant's name for its visitor (our limit).
    #[must_use]
    pub fn external_user_id(&self) -> Option<String> {
        self.line("externalUserId", 1, 200)
    }

    /// `user`: `name` of at most 100 and `email` of at most 254 characters; none where it says neither.
    #[must_use]
    pub fn visitor(&self) -> Option<Visitor> {
        let user = self.object("user")?;
        let visitor = Visitor { name: user.line("name", 1, 100), email: user.line("email", 1, 254) };
        (visitor != Visitor::default()).then_some(visitor)
    }
}

fn judge_text(text: &str, min: usize, max: usize, kind: Kind) -> Result<(), (&'static str, String)> {
    let length = text.chars().count();
    if text.contains('\0') {
        return Err(("INVALID_CHARACTER", "must not contain U+0000".to_owned()));
    }
    if kind == Kind::Line && text.chars().any(|c| c.is_control() || is_bidi(c)) {
        return Err((
            "INVALID_CHARACTER",
            "must not contain control or bidirectional-formatting characters".to_owned(),
        ));
    }
    if length < min {
        return Err(("TOO_SHORT", format!("must have at least {min} characters")));
    }
    if length > max {
        return Err(("TOO_LONG", format!("must have at most {max} characters")));
    }
    if min > 0 && is_blank(text) {
        return Err(("BLANK", "must contain a visible character".to_owned()));
    }
    Ok(())
}

/// Whether a number is returned as it was sent: not rounded by parsing, and within the range of DynamoDB (1e-130 to
/// 9.99e125).
fn comes_back(number: &Value) -> bool {
    let sound = |float: f64| float == 0.0 || (1e-130..18_446_744_073_709_551_616.0).contains(&float.abs());
    !number.is_f64() || number.as_f64().is_some_and(sound)
}

/// What can turn the order of the text around it (UAX #9: embeddings, overrides, isolates), and the line separators.
/// The marks U+061C, U+200E and U+200F turn nothing but themselves, and names in Arabic and Hebrew are written with them.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
