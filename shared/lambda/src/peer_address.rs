//! The connection by which a request came, as the gateway tells.

use edge::PeerAddress;
use lambda_http::request::RequestContext;
use lambda_http::{Request, RequestExt as _};

/// The request with the address that the gateway saw, if there is a gateway.
pub(super) fn note(mut request: Request) -> Request {
    let address = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.as_deref().and_then(|ip| ip.parse().ok()),
        _ => None,
    };
    if let Some(address) = address {
        request.extensions_mut().insert(PeerAddress(address));
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_the_one_that_the_gateway_saw() {
        let noted = |source: serde_json::Value| {
            let event = serde_json::json!({
                "version": "2.0", "routeKey": "$default", "rawPath": "/", "rawQueryString": "",
                "headers": {"host": "api.example", "x-forwarded-for": "203.0.113.9"}, "isBase64Encoded": false,
                "requestContext": {
                    "stage": "$default", "routeKey": "$default", "timeEpoch": 0, "apiId": "a1",
                    "http": {"method": "GET", "path": "/", "protocol": "HTTP/1.1", "sourceIp": source},
                },
            });
            let request = note(lambda_http::request::from_str(&event.to_string()).unwrap());
            request.extensions().get::<PeerAddress>().map(|PeerAddress(address)| address.to_string())
        };
        assert_eq!(noted("192.0.2.1".into()).as_deref(), Some("192.0.2.1"));
        assert_eq!(noted("nowhere".into()), None);
    }
}
