//! The key that encrypts data keys: KMS on AWS, a file locally.

use std::fmt;
use std::sync::Arc;

use aws_sdk_kms::Client;
use aws_sdk_kms::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_kms::operation::decrypt::DecryptError;
use aws_sdk_kms::primitives::Blob;
use aws_sdk_kms::types::DataKeySpec;

use super::envelope::DataKey;
use crate::sdk_error;
use domain::clock::Runtime;
use domain::{Error, Result};

/// The name under which KMS logs whose secret a data key is of.
const CONTEXT: &str = "owner";

/// Makes data keys, and opens those it made.
#[derive(Clone)]
pub struct MasterKeyProvider(ProviderKind);

#[derive(Clone)]
enum ProviderKind {
    Local(Arc<DataKey>),
    Kms { client: Client, key: Arc<str> },
}

impl MasterKeyProvider {
    /// A key of this machine.
    #[must_use]
    pub fn local(key: [u8; 32]) -> Self {
        Self(ProviderKind::Local(Arc::new(DataKey::new(key))))
    }

    /// The KMS key `key` (its ARN).
    #[must_use]
    pub fn kms(client: Client, key: &str) -> Self {
        Self(ProviderKind::Kms { client, key: key.into() })
    }

    /// A new data key for a secret of `owner`, plain and wrapped.
    pub(super) async fn data_key(&self, owner: &str, runtime: &Runtime) -> Result<(DataKey, Vec<u8>)> {
        match &self.0 {
            ProviderKind::Local(master) => {
                let key = runtime.bytes::<32>()?;
                let wrapped = master.encrypt(owner, &key, runtime)?;
                Ok((DataKey::new(key), wrapped))
            }
            ProviderKind::Kms { client, key } => {
                let request = client.generate_data_key().key_id(&**key).key_spec(DataKeySpec::Aes256);
                let answer = request.encryption_context(CONTEXT, owner).send().await.map_err(unavailable)?;
                let (plain, wrapped) = (answer.plaintext, answer.ciphertext_blob);
                let (plain, wrapped) = plain.zip(wrapped).ok_or_else(|| Error::unavailable("KMS gave no data key"))?;
                Ok((DataKey::from_slice(plain.as_ref())?, wrapped.into_inner()))
            }
        }
    }

    /// The data key behind a wrapped one of a secret of `owner`; `None` if this master key did not wrap it.
    pub(super) async fn unwrap(&self, owner: &str, wrapped: &[u8]) -> Result<Option<DataKey>> {
        match &self.0 {
            ProviderKind::Local(master) => {
                let plain = master.decrypt(owner, wrapped)?;
                Ok(plain.and_then(|plain| DataKey::from_slice(&plain).ok()))
            }
            ProviderKind::Kms { client, key } => {
                let request = client.decrypt().key_id(&**key).ciphertext_blob(Blob::new(wrapped));
                let answer = match request.encryption_context(CONTEXT, owner).send().await {
                    Ok(answer) => answer,
                    Err(error) if error.as_service_error().is_some_and(is_permanent) => {
                        tracing::error!(
                            error = sdk_error::describe(&error),
                            "KMS failed to decrypt a data key: check the key and its policy"
                        );
                        return Ok(None);
                    }
                    Err(error) => return Err(unavailable(error)),
                };
                let plain = answer.plaintext.ok_or_else(|| Error::unavailable("KMS opened no data key"))?;
                DataKey::from_slice(plain.as_ref()).map(Some)
            }
        }
    }
}

impl fmt::Debug for MasterKeyProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            ProviderKind::Local(_) => "MasterKeyProvider::Local(…)",
            ProviderKind::Kms { .. } => "MasterKeyProvider::Kms",
        })
    }
}

/// Whether KMS will give the same answer next time: the ciphertext belongs to another key, or the key was deleted. A
/// disabled key, or one that is scheduled for deletion, can come back.
fn is_permanent(error: &DecryptError) -> bool {
    error.is_invalid_ciphertext_exception() || error.is_incorrect_key_exception() || error.is_not_found_exception()
}

fn unavailable<E: ProvideErrorMetadata + std::error::Error + 'static, R: fmt::Debug>(error: SdkError<E, R>) -> Error {
    Error::unavailable(format!("KMS: {}", sdk_error::describe(&error)))
}
