//! Functions in Node and Python that make the calls of a message, if those languages and their packages are found.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::measure::Subject;

/// The subjects that can be installed into `folder`; for the others, one line says why not.
pub(crate) fn found(folder: &Path, variables: &[(String, String)]) -> Vec<Subject<'static>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    let installed = [
        ("node", node(&sources.join("node"), &folder.join("node"))),
        ("python", python(&sources.join("python"), &folder.join("python"))),
    ];
    let mut variables = variables.to_vec();
    let certificate = variables.iter().find(|(name, _)| name == "SSL_CERT_FILE").map(|(_, file)| file.clone());
    variables.push(("NODE_EXTRA_CA_CERTS".into(), certificate.unwrap_or_default()));
    // As Lambda sets it; boto3 reads no other variable.
    variables.push(("AWS_DEFAULT_REGION".into(), "eu-central-1".into()));
    let subject = |(name, program): (&'static str, Result<PathBuf, String>)| match program {
        Ok(program) => Some(Subject {
            name,
            binary: program.display().to_string(),
            variables: variables.clone(),
            event: Box::new(|_, _| json!({})),
        }),
        Err(reason) => {
            eprintln!("{name} is not measured: {reason}");
            None
        }
    };
    installed.into_iter().filter_map(subject).collect()
}

/// One bundled file, as functions in Node are deployed.
fn node(sources: &Path, folder: &Path) -> Result<PathBuf, String> {
    let node = program("node")?;
    fs::create_dir(folder).map_err(|e| e.to_string())?;
    for file in ["package.json", "function.mjs"] {
        fs::copy(sources.join(file), folder.join(file)).map_err(|e| e.to_string())?;
    }
    run(Command::new(program("npm")?).args(["install", "--no-audit", "--no-fund"]).current_dir(folder))?;
    let bundle = ["--bundle", "--minify", "--platform=node", "--format=esm", "--outfile=bundle.mjs"];
    let banner = "--banner:js=import{createRequire}from'module';const require=createRequire(import.meta.url);";
    run(Command::new(folder.join("node_modules/.bin/esbuild"))
        .arg("function.mjs")
        .args(bundle)
        .arg(banner)
        .current_dir(folder))?;
    script(&folder.join("bundle.mjs"), &node)
}

fn python(sources: &Path, folder: &Path) -> Result<PathBuf, String> {
    run(Command::new(program("python3")?).args(["-m", "venv"]).arg(folder))?;
    run(Command::new(folder.join("bin/pip")).args(["install", "--quiet", "boto3"]))?;
    let source = folder.join("function.py");
    fs::copy(sources.join("function.py"), &source).map_err(|e| e.to_string())?;
    // Compiled once, as a deployed package is.
    run(Command::new(folder.join("bin/python")).args(["-m", "compileall", "-q"]).arg(folder))?;
    script(&source, &folder.join("bin/python"))
}

/// Makes `file` a program that `interpreter` runs without a shell.
fn script(file: &Path, interpreter: &Path) -> Result<PathBuf, String> {
    let source = fs::read_to_string(file).map_err(|e| e.to_string())?;
    fs::write(file, format!("#!{}\n{source}", interpreter.display())).map_err(|e| e.to_string())?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).map_err(|e| e.to_string())?;
    Ok(file.to_owned())
}

fn program(name: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file());
    found.ok_or_else(|| format!("{name} is not installed"))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    let reason = || format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    output.status.success().then_some(()).ok_or_else(reason)
}
