//! The bucket of the chat widget, and CloudFront before it.

use serde_json::{Value, json};

use super::document::{resources, template};

/// The only resource of a type.
fn only(kind: &str) -> Value {
    let mut all = resources(kind).into_values();
    let first = all.next().unwrap_or_else(|| panic!("no {kind}"));
    assert!(all.next().is_none(), "more than one {kind}");
    first["Properties"].clone()
}

#[test]
fn the_widgets_files_have_the_security_headers_and_are_for_every_origin() {
    let policies = resources("AWS::CloudFront::ResponseHeadersPolicy");
    let policy = &policies["WidgetHeaders"]["Properties"]["ResponseHeadersPolicyConfig"];
    let security = &policy["SecurityHeadersConfig"];
    assert_eq!(security["ContentTypeOptions"]["Override"], true);
    assert_eq!(security["StrictTransportSecurity"]["AccessControlMaxAgeSec"], 63_072_000);
    let content = security["ContentSecurityPolicy"]["ContentSecurityPolicy"].as_str().unwrap();
    assert!(content.contains("default-src 'none'") && content.contains("frame-ancestors 'none'"), "{content}");
    assert_eq!(policy["CorsConfig"]["AccessControlAllowOrigins"]["Items"], json!(["*"]));
    assert_eq!(policy["CorsConfig"]["AccessControlAllowCredentials"], false);
    let headers = policy["CustomHeadersConfig"]["Items"].as_array().unwrap();
    for (name, value) in
        [("Cross-Origin-Resource-Policy", "cross-origin"), ("Cache-Control", "public, max-age=31536000, immutable")]
    {
        assert!(headers.contains(&json!({"Header": name, "Value": value, "Override": true})), "{name}");
    }
    let behavior = &only("AWS::CloudFront::Distribution")["DistributionConfig"]["DefaultCacheBehavior"];
    assert_eq!(behavior["ResponseHeadersPolicyId"]["Ref"], "WidgetHeaders");
    assert_eq!(behavior["ViewerProtocolPolicy"], "redirect-to-https");
    assert_eq!(behavior["AllowedMethods"], json!(["GET", "HEAD"]));
}

#[test]
fn the_widgets_bucket_is_read_by_its_distribution_alone() {
    let template = template();
    let bucket = &template["Resources"]["WidgetFiles"]["Properties"]["PublicAccessBlockConfiguration"];
    assert!(
        bucket.as_object().unwrap().values().all(|blocked| blocked == true) && bucket.as_object().unwrap().len() == 4
    );
    let statements = &template["Resources"]["WidgetFilesPolicy"]["Properties"]["PolicyDocument"]["Statement"];
    assert_eq!(statements.as_array().unwrap().len(), 1);
    let statement = &statements[0];
    assert_eq!(statement["Principal"]["Service"], "cloudfront.amazonaws.com");
    assert_eq!(statement["Action"], "s3:GetObject");
    let of = statement["Condition"]["StringEquals"]["AWS:SourceArn"]["Fn::Sub"].as_str().unwrap();
    assert!(of.ends_with(":distribution/${WidgetDistribution}"), "{of}");
    let origin = &only("AWS::CloudFront::Distribution")["DistributionConfig"]["Origins"][0];
    assert_eq!(origin["OriginAccessControlId"]["Ref"], "WidgetOriginAccess");
    assert_eq!(only("AWS::CloudFront::OriginAccessControl")["OriginAccessControlConfig"]["SigningBehavior"], "always");
}
