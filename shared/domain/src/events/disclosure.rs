//! Removes secrets and parts of addresses from events: an event goes to all receivers of a tenant, and the query or
//! user part of an address is often a password.

use serde_json::{Map, Value};
use url::Url;

/// The fields that hold an address: a receiver's, an ingested page's, and below `source` an entry's.
const ADDRESS: &str = "url";
/// The object of an entry that holds one, too.
const SOURCE: &str = "source";
/// The end of a receiver's secret.
const SECRET_HINT: &str = "secretHint";

/// The fields of a resource as events carry them: without a secret's hint, and without query, fragment and user part
/// of an address.
pub(super) fn for_events(mut fields: Map<String, Value>) -> Map<String, Value> {
    fields.remove(SECRET_HINT);
    shorten(&mut fields);
    if let Some(Value::Object(source)) = fields.get_mut(SOURCE) {
        shorten(source);
    }
    fields
}

fn shorten(fields: &mut Map<String, Value>) {
    if let Some(Value::String(address)) = fields.get_mut(ADDRESS)
        && address.contains(['?', '#', '@'])
    {
        *address = without_query_and_user(address).unwrap_or_default();
    }
}

/// None for an invalid address: nothing is safer than a part too many.
fn without_query_and_user(address: &str) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn query_fragment_and_user_are_left_out_and_the_rest_stays() {
        for (given, draft) in [
            ("https://a.example/hook", "https://a.example/hook"),
            ("https://a.example", "https://a.example"),
            ("https://a.example/hook?token=s3cret", "https://a.example/hook"),
            ("https://u:p@a.example:8443/x?y#z", "https://a.example:8443/x"),
            ("https://a.example/@u/x", "https://a.example/@u/x"),
            ("no address?s3cret", ""),
        ] {
            let fields = json!({"url": given, "source": {"type": "ingest", "url": given}, "secretHint": "cret"});
            let Value::Object(fields) = fields else { unreachable!() };
            let expected = json!({"url": draft, "source": {"type": "ingest", "url": draft}});
            assert_eq!(Value::Object(for_events(fields)), expected);
        }
    }
}
