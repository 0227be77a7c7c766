//! The environment of functions in processes of their own, as a file that `cargo lambda watch --env-file` reads.

use std::path::{Path, PathBuf};

use aws::config::{Config, WidgetKeySet};
use aws::queue::Queue;
use domain::Secret;

use crate::data_dir::{DataDir, write_private};
use crate::endpoint::BUCKET;
use crate::queues::EMBEDDED_ENDPOINT;
use crate::{Embeddings, StartError, sdk};

/// The file; deleted when it is dropped.
#[derive(Debug)]
pub(crate) struct FunctionsEnv(PathBuf);

/// The addresses that functions use.
#[derive(Debug)]
pub(crate) struct Addresses<'a> {
    /// The services of this process.
    pub(crate) services: &'a str,
    /// Another DynamoDB.
    pub(crate) dynamodb: Option<&'a str>,
    /// Another SQS.
    pub(crate) sqs: Option<&'a str>,
    /// An embedding model.
    pub(crate) embeddings: Option<&'a Embeddings>,
}

impl FunctionsEnv {
    /// Writes the file for its owner only. `secret` is that of the services of this process.
    pub(crate) fn write(
        data: &DataDir,
        config: &Config,
        addresses: &Addresses<'_>,
        secret: &Secret,
    ) -> Result<Self, StartError> {
        let path = data.functions_env();
        let failed = |source| StartError::DataDir { path: path.clone(), source };
        let read = |path: PathBuf| std::fs::read_to_string(path).map_err(failed);
        let secrets_key = read(data.secrets_key())?;
        let desk_token_key = read(data.desk_token_key())?;
        let widget_keys = config.widget_token_keys.as_ref().map(WidgetKeySet::to_pairs);
        let queue = |queue| {
            let url = config.queue_url(queue).unwrap_or_default();
            // An embedded queue is reached through the services of this process.
            match url.strip_prefix(EMBEDDED_ENDPOINT) {
                Some(path) => format!("{}{path}", addresses.services),
                None => url.to_owned(),
            }
        };
        let search = config.search_endpoint.clone().unwrap_or_default();
        let mut variables = vec![
            // Every service that has no address of its own below: no request leaves this machine.
            ("AWS_ENDPOINT_URL", addresses.services.to_owned()),
            ("AWS_REGION", sdk::region().to_string()),
            ("AWS_ACCESS_KEY_ID", "local".into()),
            ("AWS_SECRET_ACCESS_KEY", "local".into()),
            ("AWS_SESSION_TOKEN", secret.expose().to_owned()),
            ("TABLE_NAME", config.table_name.clone()),
            ("SEARCH_SIGNED", (search == addresses.services).to_string()),
            ("SEARCH_ENDPOINT", search),
            ("SEARCH_INDEX", config.search_index.clone()),
            ("SEARCH_DOMAIN_NAME", "local".into()),
            ("WEBHOOK_QUEUE_URL", queue(Queue::Webhooks)),
            ("INGEST_QUEUE_URL", queue(Queue::Ingest)),
            ("EMBEDDING_QUEUE_URL", queue(Queue::Embeddings)),
            ("DEAD_LETTER_BUCKET", BUCKET.into()),
            ("CHANGES_FUNCTION_NAME", "changes".into()),
            ("WIDGET_TOKEN_KEYS", widget_keys.as_ref().map(Secret::expose).unwrap_or_default().to_owned()),
            ("DESK_TOKEN_KEY", desk_token_key.trim().to_owned()),
            ("SECRETS_KEY", secrets_key.trim().to_owned()),
            ("OUTBOUND_ALLOW_LOOPBACK", config.outbound.allow_loopback.to_string()),
            ("OUTBOUND_ALLOW_HTTP", config.outbound.allow_http.to_string()),
        ];
        variables.extend(addresses.dynamodb.map(|url| ("AWS_ENDPOINT_URL_DYNAMODB", url.to_owned())));
        variables.extend(addresses.sqs.map(|url| ("AWS_ENDPOINT_URL_SQS", url.to_owned())));
        if let Some(embeddings) = addresses.embeddings {
            variables.push(("EMBEDDING_PROVIDER", "openai".into()));
            variables.push(("EMBEDDING_BASE_URL", embeddings.base_url.clone()));
            variables.push(("EMBEDDING_MODEL_ID", embeddings.model_id.clone()));
        }
        let lines: String = variables.iter().map(|(name, value)| format!("{name}=\"{value}\"\n")).collect();
        write_private(&path, lines.as_bytes()).map_err(failed)?;
        Ok(Self(path))
    }
}

impl FunctionsEnv {
    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for FunctionsEnv {
    fn drop(&mut self) {
        // It may be gone already.
        std::fs::remove_file(&self.0).ok();
    }
}
