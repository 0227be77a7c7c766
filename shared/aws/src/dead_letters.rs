//! Dead letters: stream records that cannot be handled, stored whole, so that they can be inspected and repaired and do
//! not delay others. A bucket on AWS, a folder locally.

use std::fs::{DirBuilder, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use aws_config::SdkConfig;
use http::Method;

use crate::http_client::SignedHttp;
use domain::clock::Runtime;
use domain::{Error, Result};

/// Stores dead letters. Cheap to clone.
#[derive(Debug, Clone)]
pub enum DeadLetters {
    /// A folder, made when it is first needed.
    Folder(PathBuf),
    Bucket(Bucket),
}

impl DeadLetters {
    /// Keeps `content`, JSON, under `name`: segments of letters, digits, dots, hyphens and underscores. The same name
    /// again replaces it.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it may not be kept.
    pub async fn put(&self, name: &str, content: Vec<u8>) -> Result<()> {
        check_name(name)?;
        match self {
            Self::Folder(folder) => {
                let file = folder.join(name);
                let written = tokio::task::spawn_blocking(move || write(&file, &content)).await;
                let written = written.map_err(|e| Error::unavailable(format!("moved to the dead letters: {e}")))?;
                written.map_err(|e| Error::unavailable(format!("moved to the dead letters: {e}")))
            }
            Self::Bucket(bucket) => bucket.put(name, content).await,
        }
    }

    /// Deletes what is kept under `name`; what is not there is deleted already.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it may still be there.
    pub async fn delete(&self, name: &str) -> Result<()> {
        check_name(name)?;
        match self {
            Self::Folder(folder) => match tokio::fs::remove_file(folder.join(name)).await {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(Error::unavailable(format!("moved to the dead letters: {error}")))
                }
                _ => Ok(()),
            },
            Self::Bucket(bucket) => bucket.delete(name).await,
        }
    }

    /// The text stored under `name`; `None` if there is none.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it cannot be read.
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        check_name(name)?;
        match self {
            Self::Folder(folder) => match tokio::fs::read(folder.join(name)).await {
                Ok(content) => Ok(Some(content)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(Error::unavailable(format!("the dead letters cannot be read: {error}"))),
            },
            Self::Bucket(bucket) => bucket.get(name).await,
        }
    }

    /// The names of all that is kept.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when they cannot be listed.
    pub async fn list_all(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for folder in FOLDERS {
            names.extend(self.list(folder, usize::MAX).await?);
        }
        Ok(names)
    }

    /// The names under `folder`, in their order, at most `limit`.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when they cannot be listed.
    pub async fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>> {
        check_name(folder)?;
        match self {
            Self::Folder(root) => {
                let (root, folder) = (root.clone(), folder.to_owned());
                let listed = tokio::task::spawn_blocking(move || files_under(&root, &folder)).await;
                let failed =
                    |e: &dyn std::fmt::Display| Error::unavailable(format!("the dead letters cannot be listed: {e}"));
                let mut names = listed.map_err(|e| failed(&e))?.map_err(|e| failed(&e))?;
                names.truncate(limit);
                Ok(names)
            }
            Self::Bucket(bucket) => {
                let mut names = bucket.list(folder, limit).await?;
                // Names of dead letters need no decoding of XML.
                names.retain(|name| check_name(name).is_ok());
                Ok(names)
            }
        }
    }
}

/// The folders of all kinds of dead letters: Lambda's own, changes, due items, queue messages, what waits for another
/// try, and what does not parse.
const FOLDERS: [&str; 6] = ["aws", "changes", "due", "queues", "replay", "unreadable"];

/// The names of the files under `folder`, in their order.
fn files_under(root: &Path, folder: &str) -> io::Result<Vec<String>> {
    let (mut folders, mut names) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(root.join(&folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push(name);
            } else if check_name(&name).is_ok() && !name.ends_with(".part") {
                names.push(name);
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Any text as a file name: special characters replaced, the length limited, and a hash so that two texts have two
/// names.
#[must_use]
pub fn file_name(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let readable: String = text.chars().take(100).map(plain).collect();
    format!("{readable}_{:016x}", hasher.finish())
}

/// Refuses a name that may lead out of the place.
fn check_name(name: &str) -> Result<()> {
    let plain = |segment: &str| {
        !segment.starts_with('.')
            && !segment.is_empty()
            && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    if name.split('/').all(plain) {
        Ok(())
    } else {
        Err(Error::internal("no name for what is moved to the dead letters"))
    }
}

/// Writes under another name and renames, so that readers see all of it or nothing. Only its owner may read it: it
/// contains what customers wrote.
fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        private_folder().create(folder)?;
    }
    let beside = file.with_extension("part");
    private_file().open(&beside)?.write_all(content)?;
    std::fs::rename(beside, file)
}

fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// How long a request may take; the record is handed out again if it does not come to an end.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most names that a bucket lists at once.
const MAX_KEYS: usize = 1_000;

/// A bucket that objects are put into.
#[derive(Debug, Clone)]
pub struct Bucket {
    http: SignedHttp,
    url: String,
}

impl Bucket {
    /// The bucket `name` in the function's own region, with the function's own credentials; behind `AWS_ENDPOINT_URL`
    /// if that is set.
    ///
    /// # Errors
    /// An internal error if the function has no region or no credentials.
    pub fn new(name: &str, sdk: &SdkConfig, runtime: Runtime) -> Result<Self> {
        let http = SignedHttp::new("s3", TIMEOUT, sdk, runtime)?;
        let url = match sdk.endpoint_url() {
            Some(endpoint) => format!("{}/{name}", endpoint.trim_end_matches('/')),
            None => format!("https://{name}.s3.{}.amazonaws.com", http.region()),
        };
        Ok(Self { http, url })
    }

    /// Puts an object, replacing an existing one.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not accept it.
    pub(super) async fn put(&self, name: &str, content: Vec<u8>) -> Result<()> {
        succeeded(self.http.send(Method::PUT, &self.at(name), content).await?).map(drop)
    }

    /// Deletes an object; a missing one is not an error.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not do it.
    pub(super) async fn delete(&self, name: &str) -> Result<()> {
        succeeded(self.http.send(Method::DELETE, &self.at(name), Vec::new()).await?).map(drop)
    }

    /// An object's content; `None` if there is none.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not give it.
    pub(super) async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let answer = self.http.send(Method::GET, &self.at(name), Vec::new()).await?;
        if answer.status() == http::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let content = succeeded(answer)?.bytes().await;
        content
            .map(|content| Some(content.to_vec()))
            .map_err(|e| Error::unavailable(format!("the bucket broke off: {e}")))
    }

    /// The names under a folder, in their order, at most `limit`.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not list them.
    pub(super) async fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>> {
        // The query is signed as it is written here: its names are in their order, its values encoded.
        let prefix = encoded(&format!("{folder}/"));
        let (mut names, mut token) = (Vec::new(), None::<String>);
        while names.len() < limit {
            let from = token.map(|token| format!("continuation-token={}&", encoded(&token))).unwrap_or_default();
            let most = (limit - names.len()).min(MAX_KEYS);
            let url = format!("{}/?{from}list-type=2&max-keys={most}&prefix={prefix}", self.url);
            let listing = succeeded(self.http.send(Method::GET, &url, Vec::new()).await?)?.text().await;
            let listing = listing.map_err(|e| Error::unavailable(format!("the bucket broke off: {e}")))?;
            names.extend(elements(&listing, "Key").map(str::to_owned));
            token = elements(&listing, "NextContinuationToken").next().map(str::to_owned);
            if token.is_none() {
                break;
            }
        }
        Ok(names)
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.url)
    }
}

fn succeeded(answer: reqwest::Response) -> Result<reqwest::Response> {
    let status = answer.status();
    if status.is_success() { Ok(answer) } else { Err(Error::unavailable(format!("the bucket answered {status}"))) }
}

/// The texts of the elements of a name in a listing (S3, `ListObjectsV2`) as its XML has them.
fn elements<'a>(listing: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
    let mut rest = listing;
    std::iter::from_fn(move || {
        let (text, left) = rest.split_once(&begin)?.1.split_once(&end)?;
        rest = left;
        Some(text)
    })
}

/// A text as the value of a signed query.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use aws_credential_types::Credentials;
    use aws_credential_types::provider::SharedCredentialsProvider;

    use domain::clock::{Clock, SystemRng};
    use domain::models::Timestamp;

    #[tokio::test]
    async fn a_folder_keeps_what_it_is_given_under_its_name_and_replaces_it() {
        let folder = tempfile::tempdir().unwrap();
        let dead_letters = DeadLetters::Folder(folder.path().join("not-yet-there"));
        dead_letters.put("changes/2026-01-02/e1.json", b"1".to_vec()).await.unwrap();
        dead_letters.put("changes/2026-01-02/e1.json", b"2".to_vec()).await.unwrap();
        let kept = folder.path().join("not-yet-there/changes/2026-01-02");
        assert_eq!(std::fs::read(kept.join("e1.json")).unwrap(), b"2");
        assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 1);
        #[cfg(unix)]
        for (path, rights) in [(kept.clone(), 0o700), (kept.join("e1.json"), 0o600)] {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, rights, "{}", path.display());
        }
        dead_letters.put("changes/2026-01-01/e0.json", b"0".to_vec()).await.unwrap();
        let names = ["changes/2026-01-01/e0.json", "changes/2026-01-02/e1.json"];
        assert_eq!(dead_letters.list("changes", 10).await.unwrap(), names);
        assert_eq!(dead_letters.list("changes", 1).await.unwrap(), names[..1]);
        assert!(dead_letters.list("due", 10).await.unwrap().is_empty());
        assert_eq!(dead_letters.get(names[1]).await.unwrap().as_deref(), Some(b"2".as_slice()));
        assert_eq!(dead_letters.get("changes/none.json").await.unwrap(), None);
        for _ in 0..2 {
            dead_letters.delete("changes/2026-01-02/e1.json").await.unwrap();
        }
        assert_eq!(std::fs::read_dir(kept).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn no_name_escapes_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_name(&file_name("ten_1#live#WIKI a/../b é")).is_ok());
        for name in ["../e", "/e", "a//e", "a/../e", ".e", "a b", ""] {
            assert!(DeadLetters::Folder(folder.path().into()).put(name, Vec::new()).await.is_err(), "{name}");
            assert!(DeadLetters::Folder(folder.path().into()).delete(name).await.is_err(), "{name}");
        }
    }

    #[derive(Debug)]
    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp::parse("2013-05-24T00:00:00Z").unwrap()
        }
    }

    fn bucket() -> Bucket {
        let keys = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        let credentials = Credentials::new(keys.0, keys.1, Some("session".into()), None, "test");
        let runtime = Runtime { clock: Arc::new(Stopped), entropy: Arc::new(SystemRng) };
        let url = "https://aside.s3.eu-west-1.amazonaws.com".to_owned();
        let provider = SharedCredentialsProvider::new(credentials);
        let http = SignedHttp::with("s3", TIMEOUT, "eu-west-1".into(), provider, runtime).unwrap();
        Bucket { http, url }
    }

    #[tokio::test]
    async fn a_put_is_signed_as_s3_wants_it() {
        let request = bucket();
        let url = format!("{}/changes/2026-01-02/e1.json", request.url);
        let request = request.http.signed(http::Method::PUT, &url, b"{}".to_vec()).await.unwrap();
        assert_eq!(request.url().as_str(), "https://aside.s3.eu-west-1.amazonaws.com/changes/2026-01-02/e1.json");
        let header = |name: &str| request.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("x-amz-date"), "20130524T000000Z");
        assert_eq!(header("x-amz-content-sha256"), domain::sha256_hex(b"{}"));
        assert_eq!(header("x-amz-security-token"), "session");
        // Computed independently from the same parts (Signature Version 4, single chunk).
        assert_eq!(header("authorization"), EXPECTED);
    }

    const EXPECTED: &str = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/eu-west-1/s3/aws4_request, \
        SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=551ca729fd092a78d401ab4aa8e564360bcdff3e38719c806b25f795307444c9";

    #[test]
    fn the_names_of_a_listing_are_read_in_order_and_nothing_else_is() {
        let listing = "<?xml version=\"1.0\"?><ListBucketResult><Name>b</Name><Contents><Key>aws/lambda/u/s/2026-01-02\
            T12.00.00-x</Key><Size>1</Size></Contents><Contents><Key>a &amp; b</Key></Contents><Contents><Key>due/1.json\
            </Key></Contents></ListBucketResult>";
        assert_eq!(
            elements(listing, "Key").collect::<Vec<_>>(),
            ["aws/lambda/u/s/2026-01-02T12.00.00-x", "a &amp; b", "due/1.json"]
        );
        assert!(elements("<ListBucketResult/>", "Key").next().is_none());
        assert_eq!(encoded("1/a+b==~"), "1%2Fa%2Bb%3D%3D~");
    }
}
