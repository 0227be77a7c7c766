//! The binaries of the functions, of the local service and of the operator's command line, for tests that start them or
//! look into them.
//!
//! `cargo test` builds the binaries of crates with integration tests only, so the first test that asks builds them all,
//! with the profile and into the target directory of this test. The dependencies are those of the tests: they are built.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::template::document::functions;

/// Far more than thirteen small crates take on a busy machine; less than a build that waits for another for ever.
const DEADLINE: Duration = Duration::from_secs(1200);

/// The binary of a function, `local` or `ops`, as the sources are.
pub(crate) fn binary(name: &str) -> PathBuf {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let folder = BUILT.get_or_init(build).as_ref().unwrap_or_else(|error| panic!("{error}"));
    folder.join(name)
}

/// Builds every binary and gives their folder. Cargo has released its locks before it starts a test.
fn build() -> Result<PathBuf, String> {
    // TARGET/PROFILE/deps/e2e-HASH
    let test = std::env::current_exe().map_err(|e| e.to_string())?;
    let folder = test.ancestors().nth(2).ok_or("the test is in no folder of a build")?.to_owned();
    let log = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let mut process = command(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log.reopen().map_err(|e| e.to_string())?)
        .spawn()
        .map_err(|e| format!("cargo does not start: {e}"))?;
    let end = Instant::now() + DEADLINE;
    let outcome = loop {
        match process.try_wait().map_err(|e| e.to_string())? {
            Some(status) if status.success() => return Ok(folder),
            Some(status) => break status.to_string(),
            None if Instant::now() > end => {
                process.kill().and_then(|()| process.wait()).map_err(|e| e.to_string())?;
                break format!("it was not done after {} s", DEADLINE.as_secs());
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let told = std::fs::read_to_string(log.path()).unwrap_or_default();
    Err(format!("the functions cannot be built ({outcome}):\n{told}"))
}

fn command(folder: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into()));
    // Variables that cargo sets for a test of its crate. A build script that reads one would run again.
    for (name, _) in std::env::vars_os() {
        let is_of_crate = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        if name.to_str().is_some_and(is_of_crate) {
            cargo.env_remove(name);
        }
    }
    // `slowest.py` sets it for the test library; build scripts that read it would run again.
    cargo.env_remove("RUSTC_BOOTSTRAP");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        // Tests are optimised by the profile of the benchmarks, whose folder this is, too.
        Some("release") => "bench",
        Some(other) => other,
    };
    // With the features that all members ask for, as the tests, so that no dependency is built twice.
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--quiet", "--workspace", "--profile", profile]);
    cargo.arg("--target-dir").args(folder.parent());
    cargo.args(["--bin", "local", "--bin", "ops"]);
    for function in functions().keys() {
        cargo.args(["--bin", function]);
    }
    cargo
}
