//! The wiki index: OpenSearch's protocol, answered inside the process or by a server, and filled from the table.

use std::sync::Arc;

use answer::search::SearchIndex;
use aws::config::Config;
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use domain::models::{Mode, Scope};
use support::edge::App;
use support::wiki::embedding as space;
use support::wiki::indexing::{FromTable, index_wiki};

use crate::StartError;
use crate::opensearch::OpenSearchSubset;
use crate::resources::Resources;

/// Concurrent writes while the index is filled.
const CONCURRENCY: usize = 64;

/// Opens the index: that of the configured server, or `embedded`.
pub(crate) async fn open(
    config: &Config,
    embedded: &Arc<OpenSearchSubset>,
) -> Result<Arc<dyn SearchIndex>, StartError> {
    let Some(endpoint) = &config.search_endpoint else {
        return Ok(Arc::new(OpenSearchIndex::direct(embedded.clone())));
    };
    let failed = StartError::while_doing;
    let index = remote(endpoint, &config.search_index).map_err(failed("connecting to OpenSearch"))?;
    index.create_index().await.map_err(failed("making the OpenSearch index"))?;
    Ok(Arc::new(index))
}

/// The index `alias` of a server.
pub(crate) fn remote(endpoint: &str, alias: &str) -> domain::Result<OpenSearchIndex> {
    // As with the embedded index, a write can be searched at once.
    let settings = OpenSearchSettings { refresh: true, ..OpenSearchSettings::unsigned(endpoint) };
    OpenSearchIndex::connect(OpenSearchSettings { alias: alias.to_owned(), ..settings })
}

/// Adds the entries of the table that the index does not have in their version: all, if it is in the memory of this process. It
/// reads the wikis alone, because the rest of the table may be large. A wiki that cannot be read to its end stops neither the
/// others nor the start.
pub(crate) async fn fill(resources: &Resources) -> Result<(), StartError> {
    fill_from_table(resources).await.map_err(StartError::while_doing("bringing the wiki index up to date"))
}

async fn fill_from_table(resources: &Resources) -> domain::Result<()> {
    let app = App::with_index(resources).await?;
    let space = match &app.embedder {
        Some(embedder) => Some(space::known(&app.store, embedder).await?),
        None => None,
    };
    let options = FromTable { concurrency: CONCURRENCY, space: space.as_ref() };
    for tenant in app.store.tenants().list().await? {
        for mode in Mode::ALL {
            let scope = Scope { tenant: tenant.tenant_id.clone(), mode: *mode };
            if let Err(error) = index_wiki(&app, &scope, options).await {
                tracing::error!(
                    error = %error, tenant.id = %scope.tenant, tenant.mode = mode.as_str(),
                    "failed to index a wiki; entries of it are not found until the next start"
                );
            }
        }
    }
    Ok(())
}
