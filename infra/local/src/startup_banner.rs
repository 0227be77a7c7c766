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
    let desk =
        service.desk_url().map(|desk| format!("\n  desk      {desk} (shop and desk side by side; open it whole)"));
    let desk = desk.unwrap_or_default();
    let Some(demo) = service.demo() else {
        return format!("Support Assistant Service {url}{desk}\n  data      {data}{functions}");
    };
    let (live, test) = (demo.live(), demo.test());
    // Functions in processes of their own serve the API alone.
    let chat = match functions.is_empty() {
        true => format!("\n  chat      {} (a demo shop to open in a browser)", url.trim_end_matches("api/v1")),
        false => String::new(),
    };
    format!(
        r#"Support Assistant Service {url}{chat}{desk}
  live key  {live}
  test key  {test}
  data      {data} (demo.env there has the address and the keys){functions}

Ask a first question:

SESSION=$(curl -s {url}/sessions -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{}}' | sed 's/.*"sessionId":"\([^"]*\)".*/\1/')
curl -s {url}/sessions/$SESSION/messages -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{"content":"How long does a refund take?"}}'

Ctrl-C stops it."#
    )
}
