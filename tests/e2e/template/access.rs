//! Permissions on AWS, and the places of secrets.

use aws::config::{Config, VARIABLES};
use serde_json::Value;

use super::clients::{Client, Clients};
use super::document::{functions, resources, root, template};

#[tokio::test]
async fn a_functions_environment_is_what_it_needs_and_starts_it() {
    let clients = Clients::of_every_function().await;
    for (name, function) in functions() {
        let environment = function.environment();
        for variable in environment.keys() {
            assert!(VARIABLES.iter().any(|(known, _)| known == variable), "{name}: nothing reads {variable}");
        }
        assert_eq!(environment.contains_key("SEARCH_ENDPOINT"), clients.has(&name, Client::Index), "{name}");
        assert_eq!(environment.contains_key("SEARCH_DOMAIN_NAME"), clients.has(&name, Client::SearchDomain), "{name}");
        assert_eq!(
            environment.contains_key("WIDGET_TOKEN_SECRET_ARN"),
            clients.has(&name, Client::WidgetKeys),
            "{name}"
        );
        // Health and dry runs ask no model, and say whether there is one.
        let names_model = clients.has(&name, Client::Model) || name == "health" || name == "wiki";
        assert_eq!(environment.contains_key("MODEL_PROVIDER"), names_model, "{name}");
        assert_eq!(environment.contains_key("MODEL_API_KEY_ARN"), clients.has(&name, Client::Model), "{name}");
        // The function that follows changes asks no embedding model, and says whether there is one.
        let names_embeddings = clients.has(&name, Client::Embedder) || name == "changes";
        assert_eq!(environment.contains_key("EMBEDDING_PROVIDER"), names_embeddings, "{name}");
        assert_eq!(environment.contains_key("EMBEDDING_API_KEY_ARN"), clients.has(&name, Client::Embedder), "{name}");
        for (variable, client) in [
            ("WEBHOOK_QUEUE_URL", Client::Queue("webhooks")),
            ("INGEST_QUEUE_URL", Client::Queue("ingest")),
            ("EMBEDDING_QUEUE_URL", Client::Queue("embeddings")),
            ("DEAD_LETTER_BUCKET", Client::DeadLetters),
            ("CHANGES_FUNCTION_NAME", Client::ChangesFunction),
            ("DESK_USER_POOL_ID", Client::UserDirectory),
            ("DESK_ISSUER", Client::OpenId),
            ("DESK_TOKEN_SECRET_ARN", Client::DeskKeys),
            ("DISTRIBUTION_SECRET_ARN", Client::DistributionSecret),
        ] {
            assert_eq!(environment.contains_key(variable), clients.has(&name, client), "{name}");
        }
        assert_eq!(environment.contains_key("SECRETS_KMS_KEY_ARN"), clients.has(&name, Client::Cipher), "{name}");
        let started = Config::from_vars(|variable| environment.get(variable).map(deployed)).unwrap();
        assert_eq!(started.search_endpoint.is_some(), clients.has(&name, Client::Index), "{name}");
        assert_eq!(started.outbound, outbound::OutboundPolicy::default(), "{name} may call more than the internet");
    }
}

/// The value that CloudFormation would put in a value's place.
pub(super) fn deployed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        reference => match reference["Ref"].as_str() {
            Some("WidgetTokenSecret") => "arn:aws:secretsmanager:eu-central-1:123456789012:secret:s-abc".into(),
            Some("WebhookQueue" | "IngestQueue" | "EmbeddingQueue") => {
                "https://sqs.eu-central-1.amazonaws.com/123456789012/q".into()
            }
            Some("DeskKeySecret" | "DistributionSecret") => {
                "arn:aws:secretsmanager:eu-central-1:123456789012:secret:d-abc".into()
            }
            Some("UserPool") => "eu-central-1_a1b2c3".into(),
            Some("DeskClient") => "client".into(),
            Some("Table") => "stack-Table-1".into(),
            Some("ChangesFunction") => "stack-changes".into(),
            Some("AWS::StackName") => "stack".into(),
            Some("DeadLetterBucket") => "stack-deadletterbucket-1".into(),
            Some("Search") => "stack-search-1".into(),
            Some(parameter) => template()["Parameters"][parameter]["Default"].as_str().unwrap().to_owned(),
            None if reference["Fn::GetAtt"] == "SecretsKey.Arn" => "arn:aws:kms:eu-central-1:123456789012:key/k".into(),
            None if reference["Fn::Sub"] == "https://${Search.DomainEndpoint}" => "https://search.example".into(),
            None => deployed(&reference["Fn::If"][2]),
        },
    }
}

#[test]
fn a_secret_is_named_by_its_arn_and_never_written_down() {
    for (name, function) in functions() {
        for plain in [
            "WIDGET_TOKEN_KEYS",
            "MODEL_API_KEY",
            "EMBEDDING_API_KEY",
            "SECRETS_KEY",
            "DESK_CLIENT_SECRET",
            "DESK_TOKEN_KEY",
            "DISTRIBUTION_SECRET",
        ] {
            assert!(!function.environment().contains_key(plain), "{name} has {plain} in its environment");
        }
        for (variable, value) in function.environment() {
            let secret = ["SECRET", "KEY", "TOKEN", "PASSWORD"].iter().any(|word| variable.contains(word));
            assert!(!secret || (variable.ends_with("_ARN") && !value.is_string()), "{name}: {variable}");
        }
    }
    for (id, secret) in resources("AWS::SecretsManager::Secret") {
        assert!(secret["Properties"].get("SecretString").is_none(), "{id} is written down");
    }
    let text = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    // CloudFormation reads the one secret that CloudFront sends along.
    let text = text.replacen("{{resolve:secretsmanager:${DistributionSecret}:SecretString}}", "", 1);
    for mark in ["{{resolve:", "pk_live_", "pk_test_", "whsec_", "AKIA", "PRIVATE KEY"] {
        assert!(!text.contains(mark), "{mark} stands in the template");
    }
}

#[test]
fn the_generated_widget_secret_is_what_a_function_reads() {
    let secret = &resources("AWS::SecretsManager::Secret")["WidgetTokenSecret"]["Properties"]["GenerateSecretString"];
    let excluded = secret["ExcludeCharacters"].as_str().unwrap();
    let alphabet: String = ('0'..='9').chain('a'..='z').filter(|letter| !excluded.contains(*letter)).collect();
    assert_eq!(alphabet, "0123456789abcdef");
    assert_eq!((&secret["ExcludePunctuation"], &secret["ExcludeUppercase"]), (&true.into(), &true.into()));
    let length = usize::try_from(secret["PasswordLength"].as_u64().unwrap()).unwrap();
    let mut stored: Value = serde_json::from_str(secret["SecretStringTemplate"].as_str().unwrap()).unwrap();
    stored[secret["GenerateStringKey"].as_str().unwrap()] = alphabet.repeat(8)[..length].into();
    let keys = aws::config::WidgetKeySet::parse(&stored.to_string()).unwrap();
    assert_eq!(keys.keys().count(), 1);
}

#[test]
fn nothing_is_reachable_but_through_the_api() {
    for (name, function) in functions() {
        assert!(function.properties.get("FunctionUrlConfig").is_none(), "{name}");
        assert!(function.environment().keys().all(|variable| !variable.starts_with("OUTBOUND_ALLOW")), "{name}");
        assert!(function.environment().keys().all(|variable| !variable.starts_with("SSRF_ALLOW")), "{name}");
    }
    assert!(resources("AWS::Lambda::Url").is_empty() && resources("AWS::Lambda::Permission").is_empty());
    for (id, domain) in resources("AWS::OpenSearchService::Domain") {
        assert!(domain["Properties"].get("AccessPolicies").is_none(), "{id}: only the roles' own policies open it");
    }
}

#[test]
fn texts_are_embedded_by_titan_unless_another_model_is_named() {
    let worker = &functions()["embedding-worker"];
    let started = Config::from_vars(|variable| worker.environment().get(variable).map(deployed)).unwrap();
    let id = "amazon.titan-embed-text-v2:0".to_owned();
    assert_eq!(started.embedding, aws::config::ModelChoice::Bedrock { id });
    assert_eq!(started.embedding_settings.dimensions, Some(512));
}
