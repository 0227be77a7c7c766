//! The configuration of the SDK clients in a function, from the variables that Lambda sets. `aws_config`'s own loader
//! also knows profiles, containers, STS and single sign-on, none of which a function has; they would be linked.

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_smithy_async::time::{SharedTimeSource, SystemTimeSource};
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};

use crate::sdk_http::https_client;

/// The configuration with the region, the credentials and the endpoints (`AWS_ENDPOINT_URL`,
/// `AWS_ENDPOINT_URL_<SERVICE>`) of the environment.
#[must_use]
pub fn sdk_config() -> SdkConfig {
    let mut config = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()))
        .http_client(https_client())
        .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
        .time_source(SharedTimeSource::new(SystemTimeSource::new()))
        .retry_config(crate::retry())
        .service_config(Environment);
    config.set_region(variable("AWS_REGION").map(Region::new));
    config.set_endpoint_url(variable("AWS_ENDPOINT_URL"));
    config.build()
}

/// Settings of single services in the environment.
#[derive(Debug)]
struct Environment;

impl LoadServiceConfig for Environment {
    fn load_config(&self, key: ServiceConfigKey<'_>) -> Option<String> {
        variable(&service_variable(key.env(), key.service_id()))
    }
}

/// The variable that sets `variable` for one service: `AWS_ENDPOINT_URL_SECRETS_MANAGER`.
fn service_variable(variable: &str, service_id: &str) -> String {
    format!("{variable}_{}", service_id.to_uppercase().replace(' ', "_"))
}

#[expect(clippy::disallowed_methods, reason = "this module reads the variables of the SDK")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::service_variable;

    #[test]
    fn the_variable_of_a_service_has_its_name_in_capitals() {
        assert_eq!(service_variable("AWS_ENDPOINT_URL", "Secrets Manager"), "AWS_ENDPOINT_URL_SECRETS_MANAGER");
        assert_eq!(service_variable("AWS_ENDPOINT_URL", "DynamoDB"), "AWS_ENDPOINT_URL_DYNAMODB");
    }
}
