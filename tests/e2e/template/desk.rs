//! The desk on AWS: one distribution before page and API, a user pool of the stack's own or a provider of the
//! operator's, and nothing that CloudFormation would refuse as a circle.

use std::process::Command;

use serde_json::{Value, json};

use super::document::resources;
use super::stack::Stack;
use super::transformed::transformed;
use crate::services::{in_ci, installed};

const DESK_URL: &str = "https://desk.example/desk/";
/// A provider of the operator's own.
const FOREIGN: [(&str, &str); 6] = [
    ("DeskUrl", DESK_URL),
    ("DeskIssuer", "https://login.example"),
    ("DeskClientId", "desk"),
    ("DeskClientSecretArn", "arn:aws:secretsmanager:eu-central-1:123456789012:secret:client-a1b2c3"),
    ("DeskAuthTime", "iat"),
    ("DeskInviteWithoutEmail", "true"),
];
/// AWS's managed policies of CloudFront.
const CACHING_DISABLED: &str = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const ALL_VIEWER_EXCEPT_HOST_HEADER: &str = "b689b0a8-53d0-40ab-baf2-68738e2966ac";
/// The codes of which CloudFront keeps errors.
const ERRORS: [u64; 11] = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

fn distribution() -> Value {
    let all = resources("AWS::CloudFront::Distribution");
    assert_eq!(all.keys().collect::<Vec<_>>(), ["WidgetDistribution"], "its address stands in customers' pages");
    all["WidgetDistribution"]["Properties"]["DistributionConfig"].clone()
}

fn behavior(path: &str) -> Value {
    let distribution = distribution();
    let all = distribution["CacheBehaviors"].as_array().unwrap();
    all.iter().find(|of| of["PathPattern"] == path).unwrap_or_else(|| panic!("no behavior for {path}")).clone()
}

#[test]
fn the_distribution_passes_the_api_on_as_it_is() {
    let api = behavior("/api/*");
    let mut methods: Vec<&str> =
        api["AllowedMethods"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    methods.sort_unstable();
    assert_eq!(methods, ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
    assert_eq!(api["ViewerProtocolPolicy"], "https-only");
    assert_eq!(api["CachePolicyId"], CACHING_DISABLED);
    assert_eq!(api["OriginRequestPolicyId"], ALL_VIEWER_EXCEPT_HOST_HEADER);
    assert!(api.get("ResponseHeadersPolicyId").is_none(), "the API has its own headers");
    let viewer = json!([{"EventType": "viewer-request", "FunctionARN": {"Fn::GetAtt": "ViewerAddress.FunctionARN"}}]);
    assert_eq!(api["FunctionAssociations"], viewer);

    let Some(template) = transformed() else { return };
    let origin = |given: &[(&str, &str)]| {
        let all = Stack::new("one", template, given).resources("AWS::CloudFront::Distribution");
        let origins = all["WidgetDistribution"]["DistributionConfig"]["Origins"].as_array().unwrap().clone();
        origins.into_iter().find(|origin| origin["Id"] == api["TargetOriginId"]).unwrap()
    };
    let own = origin(&[]);
    assert_eq!(own["DomainName"], "one-api.execute-api.eu-central-1.amazonaws.com");
    // With a name of the API's own, its default endpoint is switched off.
    assert_eq!(origin(&[("CustomDomainName", "api.example.com")])["DomainName"], "api.example.com");
    assert_eq!(own["CustomOriginConfig"]["OriginProtocolPolicy"], "https-only");
    assert!(own["CustomOriginConfig"]["OriginReadTimeout"].as_u64().unwrap() > 30, "the API answers within 30 s");
}

#[test]
fn no_error_is_cached_and_none_is_replaced_by_a_page() {
    let distribution = distribution();
    let errors = distribution["CustomErrorResponses"].as_array().unwrap();
    let codes: Vec<u64> = errors.iter().map(|error| error["ErrorCode"].as_u64().unwrap()).collect();
    assert_eq!(codes, ERRORS);
    for error in errors {
        assert_eq!((&error["ErrorCachingMinTTL"], error.as_object().unwrap().len()), (&json!(0), 2), "{error}");
    }
}

/// The secret is a dynamic reference, which CloudFormation resolves: it is written nowhere else.
#[test]
fn the_distribution_proves_itself_to_the_api_and_to_nobody_else() {
    let distribution = distribution();
    for origin in distribution["Origins"].as_array().unwrap() {
        let sent = &origin["OriginCustomHeaders"];
        if origin["Id"] == "api" {
            let header = json!([{
                "HeaderName": "X-Distribution-Secret",
                "HeaderValue": {"Fn::Sub": "{{resolve:secretsmanager:${DistributionSecret}:SecretString}}"},
            }]);
            assert_eq!(*sent, header);
        } else {
            assert!(sent.is_null(), "{origin}");
        }
    }
    let generated =
        &resources("AWS::SecretsManager::Secret")["DistributionSecret"]["Properties"]["GenerateSecretString"];
    // A header's value: letters and digits.
    assert!(generated["ExcludePunctuation"] == true && generated["PasswordLength"].as_u64() >= Some(40));
    assert!(generated.get("GenerateStringKey").is_none(), "the whole secret is the header's value");
}

#[test]
fn the_desk_has_headers_of_its_own_that_let_it_do_nothing_else() {
    let desk = behavior("/desk*");
    assert_eq!(
        (&desk["TargetOriginId"], &desk["ResponseHeadersPolicyId"]["Ref"]),
        (&json!("files"), &json!("DeskHeaders"))
    );
    assert_eq!(desk["AllowedMethods"], json!(["GET", "HEAD"]));
    let policies = resources("AWS::CloudFront::ResponseHeadersPolicy");
    let policy = &policies["DeskHeaders"]["Properties"]["ResponseHeadersPolicyConfig"];
    assert!(policy.get("CorsConfig").is_none(), "no other page reads its files");
    let security = &policy["SecurityHeadersConfig"];
    assert_eq!(security["ContentTypeOptions"]["Override"], true);
    assert_eq!(security["FrameOptions"]["FrameOption"], "DENY");
    assert_eq!(security["StrictTransportSecurity"]["AccessControlMaxAgeSec"], 63_072_000);
    assert_eq!(security["ReferrerPolicy"]["ReferrerPolicy"], "no-referrer");
    let content = security["ContentSecurityPolicy"]["ContentSecurityPolicy"].as_str().unwrap();
    let directives: Vec<&str> = content.split("; ").collect();
    for directive in ["default-src", "base-uri", "form-action", "object-src", "frame-ancestors"] {
        assert!(directives.contains(&format!("{directive} 'none'").as_str()), "{directive}: {content}");
    }
    for directive in ["script-src", "style-src", "connect-src"] {
        assert!(directives.contains(&format!("{directive} 'self'").as_str()), "{directive}: {content}");
    }
    assert!(directives.contains(&"require-trusted-types-for 'script'"), "{content}");
    let rest = content.replace("img-src 'self' https:;", "");
    assert!(rest.len() < content.len(), "images of entries are shown: {content}");
    assert!(!rest.contains("unsafe") && !rest.contains('*') && !rest.contains("http"), "{content}");
}

/// The result of CloudFront's function `id` for an event; none if there is no Node.
fn run_function(id: &str, event: &Value) -> Option<Value> {
    if let Err(reason) = installed(&["node"]) {
        assert!(!in_ci(), "{reason}");
        eprintln!("skipped: the functions of CloudFront, because {reason}");
        return None;
    }
    let function = &resources("AWS::CloudFront::Function")[id]["Properties"];
    assert_eq!(
        (&function["FunctionConfig"]["Runtime"], &function["AutoPublish"]),
        (&json!("cloudfront-js-2.0"), &json!(true))
    );
    let code = function["FunctionCode"].as_str().unwrap();
    assert!(code.len() < 10 * 1_024, "CloudFront accepts 10 KiB");
    let script = format!("{code}\nconsole.log(JSON.stringify(handler(JSON.parse(process.argv[1]))))");
    let output = Command::new("node").args(["-e", &script, &event.to_string()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn event(uri: &str, headers: &Value) -> Value {
    json!({
        "version": "1.0",
        "context": {"eventType": "viewer-request"},
        "viewer": {"ip": "2001:db8::7"},
        "request": {"method": "GET", "uri": uri, "querystring": {}, "headers": headers, "cookies": {}},
    })
}

#[test]
fn the_api_is_told_the_viewers_address_whatever_the_viewer_sent() {
    let claims = [
        json!({}),
        json!({"x-viewer-address": {"value": "192.0.2.1"}}),
        json!({"x-viewer-address": {"value": "192.0.2.1", "multiValue": [{"value": "192.0.2.1"}, {"value": "192.0.2.2"}]}}),
    ];
    for mut headers in claims {
        headers["accept"] = json!({"value": "application/json"});
        let Some(request) = run_function("ViewerAddress", &event("/api/v1/health", &headers)) else { return };
        let expected = json!({"x-viewer-address": {"value": "2001:db8::7"}, "accept": {"value": "application/json"}});
        assert_eq!((&request["headers"], &request["uri"]), (&expected, &json!("/api/v1/health")));
    }
}

#[test]
fn a_path_inside_the_desk_is_its_page_and_a_file_is_itself() {
    for (path, file) in [
        ("/desk/", "/desk/index.html"),
        ("/desk/inbox/esc_01", "/desk/index.html"),
        ("/desk/a.b/c", "/desk/index.html"),
        ("/desk/index.html", "/desk/index.html"),
        ("/desk/assets/index-B9.js", "/desk/assets/index-B9.js"),
        // Paths that are not the desk's are left alone.
        ("/desktop", "/desktop"),
        ("/desk.js", "/desk.js"),
    ] {
        let Some(request) = run_function("DeskPaths", &event(path, &json!({}))) else { return };
        assert_eq!(request["uri"], file, "{path}");
    }
    let Some(redirect) = run_function("DeskPaths", &event("/desk", &json!({}))) else { return };
    assert_eq!((&redirect["statusCode"], &redirect["headers"]["location"]["value"]), (&json!(308), &json!("/desk/")));
}

#[test]
fn the_stack_owns_a_user_pool_in_which_nobody_signs_up_unless_a_provider_is_given() {
    let Some(template) = transformed() else { return };
    let own = Stack::new("one", template, &[("DeskUrl", DESK_URL)]);
    let pool = own.resources("AWS::Cognito::UserPool")["UserPool"].clone();
    assert_eq!(pool["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"], true);
    assert_eq!((&pool["MfaConfiguration"], &pool["EnabledMfas"]), (&json!("OPTIONAL"), &json!(["SOFTWARE_TOKEN_MFA"])));
    assert_eq!(pool["EmailConfiguration"]["EmailSendingAccount"], "COGNITO_DEFAULT");
    assert_eq!(pool["DeletionProtection"], "ACTIVE");
    assert_eq!(pool["Policies"]["PasswordPolicy"]["TemporaryPasswordValidityDays"], 7, "as an invitation");
    assert_eq!(resources("AWS::Cognito::UserPool")["UserPool"]["DeletionPolicy"], "Retain");
    let client = own.resources("AWS::Cognito::UserPoolClient")["DeskClient"].clone();
    assert_eq!((&client["AllowedOAuthFlows"], &client["GenerateSecret"]), (&json!(["code"]), &json!(false)));
    assert_eq!(client["AllowedOAuthScopes"], json!(["openid", "email"]));
    assert_eq!((&client["CallbackURLs"], &client["LogoutURLs"]), (&json!([DESK_URL]), &json!([DESK_URL])));
    assert_eq!(client["WriteAttributes"], json!(["name"]), "nobody changes the address that was invited");
    let domain = own.resources("AWS::Cognito::UserPoolDomain")["UserPoolDomain"].clone();
    // AWS's pages before managed login ignore `prompt=login`.
    assert_eq!((&domain["Domain"], &domain["ManagedLoginVersion"]), (&json!("desk-0a1b-one"), &json!(2)));
    assert_eq!(own.resources("AWS::Cognito::ManagedLoginBranding").len(), 1);
    // Until there is an address, nobody can be sent back to it.
    let first = Stack::new("one", template, &[]);
    assert_eq!(first.resources("AWS::Cognito::UserPool").len(), 1);
    assert!(first.resources("AWS::Cognito::UserPoolClient").is_empty());
    let foreign = Stack::new("one", template, &FOREIGN);
    for kind in ["UserPool", "UserPoolClient", "UserPoolDomain", "ManagedLoginBranding"] {
        assert!(foreign.resources(&format!("AWS::Cognito::{kind}")).is_empty(), "{kind}");
    }
}

#[test]
fn the_desk_is_at_the_distribution_or_at_a_name_with_a_certificate() {
    let Some(template) = transformed() else { return };
    let certificate = "arn:aws:acm:us-east-1:123456789012:certificate/c";
    let named = [("DeskUrl", DESK_URL), ("DeskCertificateArn", certificate)];
    for (given, aliases, arn) in
        [(&named[..], json!(["desk.example"]), json!(certificate)), (&named[..1], Value::Null, Value::Null)]
    {
        let all = Stack::new("one", template, given).resources("AWS::CloudFront::Distribution");
        let config = &all["WidgetDistribution"]["DistributionConfig"];
        assert_eq!((&config["Aliases"], &config["ViewerCertificate"]["AcmCertificateArn"]), (&aliases, &arn));
    }
    let url = |given: &[(&str, &str)]| Stack::new("one", template, given).outputs()["DeskUrl"].clone();
    assert_eq!((url(&[]), url(&named)), (json!("https://one-widgetdistribution.DomainName/desk/"), json!(DESK_URL)));
}
