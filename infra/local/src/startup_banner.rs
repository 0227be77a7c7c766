//! The text that a start prints: the address, the keys, and a first question to paste.

use crate::Service;

/// The banner, without a final line break.
#[must_use]
pub fn startup_banner(service: &Service) -> String {
    let url = service.url();
    let data = service.data().display();
    let database =
        service.database_url().map(|url| format!("\n  dynamodb  {url} (credentials in {data}/dynamodb.env)"));
    let database = database.unwrap_or_default();
    let Some(demo) = service.demo() else {
        return format!("Support Assistant Service {url}\n  data      {data}{database}");
    };
    let (live, test) = (demo.live(), demo.test());
    let shop = url.trim_end_matches("api/v1");
    format!(
        r#"Support Assistant Service {url}
  chat      {shop} (a demo shop to open in a browser)
  live key  {live}
  test key  {test}
  data      {data} (demo.env there has the address and the keys){database}

Ask a first question:

SESSION=$(curl -s {url}/sessions -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{}}' | sed 's/.*"sessionId":"\([^"]*\)".*/\1/')
curl -s {url}/sessions/$SESSION/messages -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{"content":"How long does a refund take?"}}'

Ctrl-C stops it."#
    )
}
