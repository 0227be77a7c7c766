//! The port of the desk, from the moment that it is taken to its server.

use aws::config::Config;
use axum::Router;
use domain::clock::Runtime;
use tokio::net::TcpListener;

use crate::config::desk_provider;
use crate::data_dir::DataDir;
use crate::demo_people;
use crate::demo_provider::{CLIENT_ID, DemoKey, DemoProvider, issuer_at};
use crate::own_hosts::OwnHosts;
use crate::pages::DeskPages;
use crate::resources::Resources;
use crate::server::{Server, listen};
use crate::{Issuer, Options, StartError};

/// A port that is taken, on which nothing is served yet.
pub(super) struct DeskPort {
    listener: TcpListener,
    hosts: OwnHosts,
    origin: String,
    /// None for the demo's provider.
    issuer: Option<Issuer>,
}

/// The running server of the desk.
pub(super) struct DeskServer {
    pub(super) server: Server,
    /// The address to open.
    pub(super) url: String,
}

impl DeskPort {
    /// Takes the port behind that of the API; none if nobody can sign in, or if the API is elsewhere.
    pub(super) async fn take(options: &Options, runtime: &Runtime) -> Result<Option<Self>, StartError> {
        if options.functions_url.is_some() || !(options.demo || options.issuer.is_some()) {
            return Ok(None);
        }
        let port = if options.port == 0 { 0 } else { options.port.checked_add(1).unwrap_or(0) };
        let listener = listen(port, "--port").await?;
        let socket = listener.local_addr().map_err(|source| StartError::Listen { port, source })?;
        let hosts = OwnHosts::new(socket.port(), &options.allow_hosts, runtime);
        Ok(Some(Self { listener, hosts, origin: format!("http://{socket}"), issuer: options.issuer.clone() }))
    }

    /// Names the desk and its provider to the functions.
    pub(super) fn set_in(&self, config: &mut Config) -> Result<(), StartError> {
        let (issuer, client_id) = match &self.issuer {
            Some(issuer) => (issuer.url.clone(), issuer.client_id.clone()),
            None => (issuer_at(&self.origin), CLIENT_ID.to_owned()),
        };
        config.desk_url = Some(DeskPages::desk_url(&self.origin));
        config.desk_provider = Some(desk_provider(issuer, client_id)?);
        Ok(())
    }

    /// Makes sure that the people of the demo's provider are members of the demo tenant.
    pub(super) async fn prepare_people(&self, resources: &Resources) -> Result<(), StartError> {
        match &self.issuer {
            Some(_) => Ok(()),
            None => demo_people::prepare(resources, &issuer_at(&self.origin))
                .await
                .map_err(StartError::while_doing("making the members of the demo tenant")),
        }
    }

    /// The origin of the desk, such as `http://127.0.0.1:9001`.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Serves the desk beside `api`; `shop` is the shop's address, if there is one.
    pub(super) fn serve(
        self,
        api: Router,
        shop: Option<String>,
        data: &DataDir,
        runtime: &Runtime,
    ) -> Result<DeskServer, StartError> {
        let Self { listener, hosts, origin, issuer } = self;
        let provider = match issuer {
            Some(_) => None,
            None => {
                let key = DemoKey::read_or_create(&data.demo_provider_key())?;
                let provider = DemoProvider::new(&origin, &DeskPages::desk_url(&origin), key, runtime);
                Some(provider.map_err(StartError::while_doing("making the secrets of the demo's provider"))?)
            }
        };
        let fragment = provider.as_ref().map(|provider| format!("#{}", provider.secret())).unwrap_or_default();
        let url = format!("{origin}/{fragment}");
        let server = Server::start(listener, DeskPages { origin, shop, provider }.beside(api), hosts);
        Ok(DeskServer { server, url })
    }
}
