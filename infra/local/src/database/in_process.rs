//! Replacements for the work of the SDK that a call inside the process does not need: the rules that find an endpoint,
//! and the signature, which the embedded database does not check.

use aws_smithy_runtime_api::client::auth::{AuthSchemeId, AuthSchemeOption, AuthSchemeOptionsFuture};
use aws_smithy_runtime_api::client::endpoint::{
    EndpointFuture, EndpointResolverParams, ResolveEndpoint, SharedEndpointResolver,
};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::config_bag::ConfigBag;
use aws_smithy_types::endpoint::Endpoint;

/// The scheme without a signature, which every client of the SDK has.
const NO_AUTH: AuthSchemeId = AuthSchemeId::new("noAuth");

/// Gives every call the same endpoint.
#[derive(Debug)]
pub(super) struct FixedEndpoint(Endpoint);

impl FixedEndpoint {
    /// The resolver of `url`.
    pub(super) fn shared(url: &str) -> SharedEndpointResolver {
        SharedEndpointResolver::new(Self(Endpoint::builder().url(url.to_owned()).build()))
    }
}

impl ResolveEndpoint for FixedEndpoint {
    fn resolve_endpoint<'a>(&'a self, _: &'a EndpointResolverParams) -> EndpointFuture<'a> {
        EndpointFuture::ready(Ok(self.0.clone()))
    }
}

/// Signs no call.
#[derive(Debug)]
pub(super) struct Unsigned;

impl aws_sdk_dynamodb::config::auth::ResolveAuthScheme for Unsigned {
    fn resolve_auth_scheme<'a>(
        &'a self,
        _: &'a aws_sdk_dynamodb::config::auth::Params,
        _: &'a ConfigBag,
        _: &'a RuntimeComponents,
    ) -> AuthSchemeOptionsFuture<'a> {
        AuthSchemeOptionsFuture::ready(Ok(vec![AuthSchemeOption::from(NO_AUTH)]))
    }
}

impl aws_sdk_dynamodbstreams::config::auth::ResolveAuthScheme for Unsigned {
    fn resolve_auth_scheme<'a>(
        &'a self,
        _: &'a aws_sdk_dynamodbstreams::config::auth::Params,
        _: &'a ConfigBag,
        _: &'a RuntimeComponents,
    ) -> AuthSchemeOptionsFuture<'a> {
        AuthSchemeOptionsFuture::ready(Ok(vec![AuthSchemeOption::from(NO_AUTH)]))
    }
}
