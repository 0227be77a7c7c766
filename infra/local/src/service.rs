//! The service in one process: database, index, functions and HTTP server.

mod desk_port;
mod start;

use std::path::Path;
use std::time::Duration;

use aws::stream::Record;
use domain::Result;
use domain::models::Plan;
use edge::Routes;
use support::analytics::Analytics;
use support::auth::Auth;
use support::health::Health;
use support::inbox::Inbox;
use support::ingest::Ingest;
use support::sessions::Sessions;
use support::webhooks::Webhooks;
use support::wiki::Wiki;

use self::desk_port::DeskServer;
use crate::control::ControlServer;
use crate::data_dir::DataDir;
use crate::database::Database;
use crate::demo::DemoKeys;
use crate::functions_env::FunctionsEnv;
use crate::resources::Resources;
use crate::server::Server;
use crate::stream::TableStream;
use crate::workers::Workers;
use crate::{TenantKeys, tenants};

/// How long running work may take after a stop. Aborted work is done again after the next start.
const WORKERS_GRACE: Duration = Duration::from_secs(5);

/// The running service.
#[allow(missing_debug_implementations, reason = "its workers hold closures")]
pub struct Service {
    url: String,
    resources: Resources,
    demo: Option<DemoKeys>,
    control: ControlServer,
    server: Server,
    desk: Option<DeskServer>,
    workers: Workers,
    table_stream: TableStream,
    database: Database,
    functions_env: Option<FunctionsEnv>,
    data: DataDir,
}

impl Service {
    /// The base URL, with `/api/v1`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address of the page that shows shop and desk, with the secret that lets demo people sign in; none if
    /// nobody can.
    #[must_use]
    pub fn desk_url(&self) -> Option<&str> {
        self.desk.as_ref().map(|desk| desk.url.as_str())
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    #[must_use]
    pub fn database_client(&self) -> aws_sdk_dynamodb::Client {
        self.database.client(None)
    }

    /// The file with the environment of functions in processes of their own, if there are such.
    #[must_use]
    pub fn functions_env(&self) -> Option<&Path> {
        self.functions_env.as_ref().map(FunctionsEnv::path)
    }

    /// The demo tenant's keys, if it was started with the demo tenant.
    #[must_use]
    pub const fn demo(&self) -> Option<&DemoKeys> {
        self.demo.as_ref()
    }

    /// The context of the functions.
    #[must_use]
    pub const fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Creates a tenant, with a key of every role in both modes.
    pub async fn create_tenant(&self, name: &str, plan: Plan) -> Result<TenantKeys> {
        tenants::create(&self.resources, name, plan).await
    }

    /// Waits until the table's stream, the queues and the workers are idle: everything that follows from the committed
    /// changes has happened, except for what is scheduled later.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when a queue does not answer.
    pub async fn drain(&self) -> Result<()> {
        self.workers.wait_until_idle().await
    }

    /// Handles the due items.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when not all due items could be read.
    pub async fn sweep(&self) -> Result<support::sweeper::SweepResult> {
        self.workers.sweep().await
    }

    /// All records that the table's stream retains, oldest first.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the stream does not answer.
    pub async fn stream_records(&self) -> Result<Vec<Record>> {
        self.table_stream.read_all().await
    }

    /// Stops taking requests and work, gives running work a short grace, closes the database, and unlocks the
    /// data folder.
    pub async fn stop(self) {
        self.control.close().await;
        self.server.stop().await;
        if let Some(desk) = self.desk {
            desk.server.stop().await;
        }
        self.workers.stop(WORKERS_GRACE).await;
        self.database.close().await;
        drop(self.data);
    }
}

/// The routes of every function.
///
/// # Errors
/// A client is missing; a service that runs has all of them.
pub async fn routes(resources: &Resources) -> Result<Vec<Routes>> {
    Ok(vec![
        support::sessions::routes(Sessions::new(resources).await?),
        support::wiki::routes(Wiki::new(resources).await?),
        support::auth::routes(Auth::new(resources).await?),
        support::analytics::routes(Analytics::new(resources).await?),
        support::health::routes(Health::new(resources).await?),
        support::webhooks::routes(Webhooks::new(resources).await?),
        support::inbox::routes(Inbox::new(resources).await?),
        support::ingest::routes(Ingest::new(resources).await?),
    ])
}
