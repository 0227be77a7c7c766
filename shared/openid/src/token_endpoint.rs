//! Redeems a code at the provider's token endpoint (RFC 6749 section 4.1.3, RFC 7636 section 4.5).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use serde::Deserialize;
use url::form_urlencoded;

use crate::discovery::ProviderMetadata;
use crate::error::SignInError;
use crate::settings::OpenIdSettings;

const MAX_CODE_BYTES: usize = 4096;

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: String,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: String,
}

/// A code with the verifier of its challenge, both of a possible form.
#[derive(Clone, Copy)]
pub(crate) struct Redemption<'a> {
    code: &'a str,
    pub(crate) code_verifier: &'a str,
}

impl<'a> Redemption<'a> {
    /// Refuses what no provider would have given or accepted, before it is asked.
    pub(crate) fn parse(code: &'a str, code_verifier: &'a str) -> Result<Self, SignInError> {
        let is_code = (1..=MAX_CODE_BYTES).contains(&code.len()) && code.bytes().all(|b| (b' '..=b'~').contains(&b));
        let unreserved = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~');
        let is_verifier = (43..=128).contains(&code_verifier.len()) && code_verifier.bytes().all(unreserved);
        if is_code && is_verifier {
            Ok(Self { code, code_verifier })
        } else {
            Err(SignInError::refused("the code or its verifier is none"))
        }
    }

    /// The headers and the form of the request.
    pub(crate) fn request(
        &self,
        settings: &OpenIdSettings,
        metadata: &ProviderMetadata,
    ) -> Result<(HeaderMap, Bytes), SignInError> {
        let mut headers = HeaderMap::from_iter([
            (header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded")),
            (header::ACCEPT, HeaderValue::from_static("application/json")),
        ]);
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", self.code)
            .append_pair("redirect_uri", &settings.redirect_uri)
            .append_pair("code_verifier", self.code_verifier);
        match &settings.client_secret {
            Some(secret) if !metadata.secret_in_body => {
                headers.insert(header::AUTHORIZATION, basic(&settings.client_id, secret.expose())?);
            }
            Some(secret) => {
                form.append_pair("client_id", &settings.client_id).append_pair("client_secret", secret.expose());
            }
            None => {
                form.append_pair("client_id", &settings.client_id);
            }
        }
        Ok((headers, form.finish().into()))
    }
}

/// The header of HTTP Basic for a client: both parts form-encoded first (RFC 6749 section 2.3.1). A space is `%20`, which
/// every provider decodes; some leave a `+` as it is.
fn basic(client_id: &str, secret: &str) -> Result<HeaderValue, SignInError> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    let credentials = STANDARD.encode(format!("{}:{}", encoded(client_id), encoded(secret)));
    let mut value = HeaderValue::try_from(format!("Basic {credentials}"))
        .map_err(|_| SignInError::unavailable("the client's secret cannot be sent"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// The ID token of an answer. A code that the provider refuses is the caller's; everything else is the provider's or the
/// operator's.
pub(crate) fn read_answer(status: u16, body: &[u8]) -> Result<String, SignInError> {
    if status == 200 {
        let answer: TokenAnswer = serde_json::from_slice(body)
            .map_err(|_| SignInError::unavailable("its token answer has no ID token or is not JSON"))?;
        return Ok(answer.id_token);
    }
    let error = serde_json::from_slice::<ErrorAnswer>(body).map(|answer| answer.error).unwrap_or_default();
    match (status, error.as_str()) {
        // Some say that a code which they never made is no valid request.
        (400, "invalid_grant" | "invalid_request") => Err(SignInError::refused("the provider refused the code")),
        (_, "invalid_client" | "unauthorized_client") => {
            Err(SignInError::unavailable("it refused this service as a client: check the client's id and secret"))
        }
        _ => Err(SignInError::unavailable(format!("its token endpoint answered {status}"))),
    }
}
