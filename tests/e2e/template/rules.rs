//! Parameters: CloudFormation refuses what a function would refuse to start with.

use std::collections::BTreeMap;

use aws::config::Config;
use regex::Regex;
use serde_json::Value;

use super::access::deployed;
use super::document::{Function, functions, template, texts};
use super::existing_domain::EXISTING_DOMAIN;

/// Values of parameters by name.
type Parameters<'a> = BTreeMap<&'a str, &'a str>;

/// The value of a reference to a parameter, or the text itself.
fn text<'a>(value: &'a Value, parameters: &'a Parameters<'_>) -> &'a str {
    value["Ref"].as_str().map_or_else(|| value.as_str().unwrap(), |name| parameters[name])
}

/// Whether a rule's function holds; a list parameter is its commas' parts.
fn holds(function: &Value, parameters: &Parameters<'_>) -> bool {
    let (name, arguments) = function.as_object().unwrap().iter().next().unwrap();
    match name.as_str() {
        "Fn::Not" => !holds(&arguments[0], parameters),
        "Fn::And" => arguments.as_array().unwrap().iter().all(|part| holds(part, parameters)),
        "Fn::Equals" => text(&arguments[0], parameters) == text(&arguments[1], parameters),
        "Fn::Contains" => {
            let list = match arguments[0].as_array() {
                Some(_) => texts(&arguments[0]),
                None => text(&arguments[0], parameters).split(',').map(str::to_owned).collect(),
            };
            list.iter().any(|item| item == text(&arguments[1], parameters))
        }
        other => panic!("no rule may use {other}"),
    }
}

/// Whether CloudFormation accepts the parameters: their patterns and the rules.
fn is_accepted(template: &Value, parameters: &Parameters<'_>) -> bool {
    let fits = |(name, value): (&&str, &&str)| {
        let declared = &template["Parameters"][*name];
        let pattern = declared["AllowedPattern"].as_str();
        pattern.is_none_or(|pattern| Regex::new(&format!("^(?:{pattern})$")).unwrap().is_match(value))
    };
    let obeyed = |rule: &Value| {
        let mut assertions = rule["Assertions"].as_array().unwrap().iter();
        !holds(&rule["RuleCondition"], parameters)
            || assertions.all(|assertion| holds(&assertion["Assert"], parameters))
    };
    parameters.iter().all(fits) && template["Rules"].as_object().unwrap().values().all(obeyed)
}

/// The value that a variable would have.
fn deployed_with(value: &Value, template: &Value, parameters: &Parameters<'_>) -> String {
    if let Some(branches) = value["Fn::If"].as_array() {
        let condition = &template["Conditions"][branches[0].as_str().unwrap()];
        let branch = if holds(condition, parameters) { 1 } else { 2 };
        return deployed_with(&branches[branch], template, parameters);
    }
    let given = value["Ref"].as_str().and_then(|name| parameters.get(name));
    given.map_or_else(|| deployed(value), |given| (*given).to_owned())
}

/// Whether every function starts with the parameters.
fn all_start(functions: &[Function], template: &Value, parameters: &Parameters<'_>) -> bool {
    functions.iter().all(|function| {
        let deployed = |value| deployed_with(value, template, parameters);
        Config::from_vars(|name| function.environment().get(name).map(deployed)).is_ok()
    })
}

/// No model, no embedding model, no restored table, no name of the API's own, no VPC, no existing domain, and no desk.
fn nothing() -> Parameters<'static> {
    let mut parameters = Parameters::from([("ModelProvider", "none"), ("EmbeddingProvider", "none")]);
    parameters.extend(["ModelId", "ModelBaseUrl", "ModelApiKeyArn", "EmbeddingModelId"].map(|name| (name, "")));
    parameters.extend(["EmbeddingBaseUrl", "EmbeddingApiKeyArn", "EmbeddingDimensions"].map(|name| (name, "")));
    parameters.extend(["CustomDomainName", "CustomDomainCertificateArn"].map(|name| (name, "")));
    parameters.extend(["VpcSubnetIds", "VpcSecurityGroupIds", "RestoredTableStreamArn"].map(|name| (name, "")));
    parameters.extend(["ExistingSearchDomainName", "ExistingSearchDomainEndpoint"].map(|name| (name, "")));
    parameters.extend(["DeskUrl", "DeskCertificateArn", "DeskIssuer", "DeskClientId"].map(|name| (name, "")));
    parameters.extend(["DeskClientSecretArn", "DeskAuthTime", "DeskInviteWithoutEmail"].map(|name| (name, "")));
    parameters.insert("ModelArns", "arn:aws:bedrock:eu-central-1::foundation-model/m");
    parameters
}

/// One value of each list, in every combination.
fn combinations(choices: &[(&'static str, &[&'static str])]) -> Vec<Parameters<'static>> {
    choices.iter().fold(vec![nothing()], |all, (name, values)| {
        let with = |parameters: &Parameters<'static>, value| {
            let mut parameters = parameters.clone();
            parameters.insert(name, value);
            parameters
        };
        all.iter().flat_map(|parameters| values.iter().map(|value| with(parameters, value))).collect()
    })
}

const PROVIDERS: &[&str] = &["none", "bedrock", "openai"];
const IDS: &[&str] = &["", "amazon.titan-embed-text-v2:0", "another"];
const URLS: &[&str] = &["", "https://models.example/v1", "ftp://models.example"];
const KEYS: &[&str] = &["", "arn:aws:secretsmanager:eu-central-1:1:secret:k", "k"];

#[test]
fn cloudformation_refuses_exactly_the_parameters_that_a_function_refuses() {
    let (template, functions) = (template(), functions().into_values().collect::<Vec<_>>());
    let model = [("ModelProvider", PROVIDERS), ("ModelId", IDS), ("ModelBaseUrl", URLS), ("ModelApiKeyArn", KEYS)];
    let embedding = [
        ("EmbeddingProvider", PROVIDERS),
        ("EmbeddingModelId", IDS),
        ("EmbeddingBaseUrl", URLS),
        ("EmbeddingApiKeyArn", KEYS),
        ("EmbeddingDimensions", &["", "512", "5000"]),
    ];
    let (mut accepted, mut refused) = (0, 0);
    for parameters in [combinations(&model), combinations(&embedding)].concat() {
        let accepts = is_accepted(&template, &parameters);
        let starts = all_start(&functions, &template, &parameters);
        assert!(!accepts || starts, "a function does not start with {parameters:?}");
        // A wrong value is refused even if nothing reads it.
        let is_wrong = parameters.values().any(|value| ["ftp://models.example", "k", "5000"].contains(value));
        assert!(accepts || !starts || is_wrong, "refused for nothing: {parameters:?}");
        *(if accepts { &mut accepted } else { &mut refused }) += 1;
    }
    assert!(accepted > 30 && refused > 100, "{accepted} accepted, {refused} refused");
}

#[test]
fn bedrock_without_what_may_be_invoked_is_refused() {
    let mut parameters = nothing();
    parameters.extend([("ModelProvider", "bedrock"), ("ModelId", "m"), ("ModelArns", "")]);
    assert!(!is_accepted(&template(), &parameters));
    parameters.insert("ModelArns", "arn:a,arn:b");
    assert!(is_accepted(&template(), &parameters));
}

#[test]
fn a_custom_domain_without_certificate_and_a_vpc_without_security_group_are_refused() {
    for (name, value, needed, given) in [
        (
            "CustomDomainName",
            "api.example.com",
            "CustomDomainCertificateArn",
            "arn:aws:acm:eu-central-1:1:certificate/c",
        ),
        ("VpcSubnetIds", "subnet-1,subnet-2", "VpcSecurityGroupIds", "sg-1"),
    ] {
        let mut parameters = nothing();
        parameters.insert(name, value);
        assert!(!is_accepted(&template(), &parameters), "{name} without {needed}");
        parameters.insert(needed, given);
        assert!(is_accepted(&template(), &parameters), "{name}");
    }
}

#[test]
fn half_of_an_existing_domain_and_one_besides_an_own_domain_are_refused() {
    let template = template();
    let of_own_domain =
        ["SearchDomainName", "SearchInstanceType", "SearchInstanceCount", "SearchVolumeGiB", "SearchZones"];
    let defaults = of_own_domain.map(|name| template["Parameters"][name]["Default"].to_string().replace('"', ""));
    let mut given = nothing();
    given.extend(of_own_domain.into_iter().zip(defaults.iter().map(String::as_str)));
    let accepts = |given: &Parameters<'_>, name: &'static str, value: &'static str| {
        let mut parameters = given.clone();
        parameters.insert(name, value);
        is_accepted(&template, &parameters)
    };
    for (name, value) in EXISTING_DOMAIN {
        assert!(!accepts(&given, name, value), "{name} alone");
    }
    given.extend(EXISTING_DOMAIN);
    assert!(is_accepted(&template, &given));
    assert!(!accepts(&given, "ExistingSearchDomainEndpoint", "https://search-x.es.amazonaws.com"));
    for (name, value) in of_own_domain.into_iter().zip(["own", "r7g.large.search", "3", "100", "3"]) {
        assert!(!accepts(&given, name, value), "{name} of a domain that is not made");
    }
}

#[test]
fn half_a_provider_of_sign_ins_and_parts_of_one_beside_the_user_pool_are_refused() {
    let template = template();
    let secret = "arn:aws:secretsmanager:eu-central-1:1:secret:c";
    let accepts = |given: &[(&'static str, &'static str)]| {
        let mut parameters = nothing();
        parameters.extend(given.iter().copied());
        is_accepted(&template, &parameters)
    };
    let (issuer, client) = (("DeskIssuer", "https://login.example"), ("DeskClientId", "c"));
    assert!(!accepts(&[issuer]) && accepts(&[issuer, client]));
    for part in [client, ("DeskClientSecretArn", secret), ("DeskAuthTime", "iat"), ("DeskInviteWithoutEmail", "true")] {
        assert!(!accepts(&[part]), "{part:?} without an issuer");
        assert!(accepts(&[issuer, client, part]), "{part:?}");
    }
    assert!(!accepts(&[("DeskIssuer", "http://login.example"), client]));
    let (url, certificate) = (("DeskUrl", "https://desk.example/desk/"), "arn:aws:acm:us-east-1:1:certificate/c");
    assert!(!accepts(&[("DeskCertificateArn", certificate)]) && accepts(&[url, ("DeskCertificateArn", certificate)]));
    // CloudFront takes certificates of one region alone.
    assert!(!accepts(&[url, ("DeskCertificateArn", "arn:aws:acm:eu-central-1:1:certificate/c")]));
    for wrong in ["https://desk.example", "https://desk.example/desk", "http://desk.example/desk/", "https://a/b/desk/"]
    {
        assert!(!accepts(&[("DeskUrl", wrong)]), "{wrong}");
    }
}
