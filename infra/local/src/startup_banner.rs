//! The text that a start prints: the address, the keys, and a first question to paste.

use crate::Service;

/// The banner, without a final line break.
#[must_use]
pub fn startup_banner(service: &Service) -> String {
    let url = service.url();
    let data = service.data().display();
    let functions = service.functions_env().map(|env| {
        let env = env.display();
        format!("\n  functions environment in {env}; start them with\n            cargo lambda watch -A 127.0.0.1 -P 9100 --disable-cors --env-file {env}")
    });
    let functions = functions.unwrap_or_default();
    let Some(demo) = service.demo() else {
        return format!("Support Assistant Service {url}\n  data      {data}{functions}");
    };
    let (live, test) = (demo.live(), demo.test());
    let shop = url.trim_end_matches("api/v1");
    format!(
        r#"Support Assistant Service {url}
  chat      {shop} (a demo shop to open in a browser)
  live key  {live}
  test key  {test}
  data      {data} (demo.env there has the address and the keys){functions}

Ask a first question:

SESSION=$(curl -s {url}/sessions -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{}}' | sed 's/.*"sessionId":"\([^"]*\)".*/\1/')
curl -s {url}/sessions/$SESSION/messages -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{"content":"How long does a refund take?"}}'

Ctrl-C stops it."#
    )
}
