//! Releases: a change of code or of any parameter publishes new versions, and no change loses a stateful resource.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::document::{root, template, texts};
use super::transformed::{ids, run_python, transform, transformed};
use super::workshop::{Upload, Workshop, aws};
use crate::widget::script_element;

const FUNCTIONS: usize = 13;

/// Each function's version and what its alias points to.
fn versions(release: char) -> Option<BTreeSet<String>> {
    let transformed = transform(&json!({"Release": release.to_string().repeat(64)}))?;
    let versions: BTreeSet<String> = ids(&transformed, "AWS::Lambda::Version").into_iter().collect();
    let aliases = ids(&transformed, "AWS::Lambda::Alias");
    assert_eq!((versions.len(), aliases.len()), (FUNCTIONS, FUNCTIONS));
    for alias in aliases {
        let version = &transformed["Resources"][&alias]["Properties"]["FunctionVersion"]["Fn::GetAtt"][0];
        assert!(versions.contains(version.as_str().unwrap()), "{alias} points to {version}");
    }
    // Lambda publishes no version of an unchanged function: the release is part of each.
    for function in ids(&transformed, "AWS::Lambda::Function") {
        let description = transformed["Resources"][&function]["Properties"]["Description"].as_str().unwrap();
        assert!(description.ends_with(&release.to_string().repeat(64)), "{function}: {description}");
    }
    Some(versions)
}

#[test]
fn another_release_publishes_a_new_version_of_every_function_and_the_same_one_none() {
    let (Some(first), Some(again), Some(second)) = (versions('a'), versions('a'), versions('b')) else { return };
    assert_eq!(first, again);
    assert_eq!(first.intersection(&second).count(), 0);
}

#[test]
fn code_and_every_property_of_a_function_make_another_release() {
    let workshop = Workshop::new();
    let Some(first) = workshop.parameters("dev") else { return };
    assert_eq!(workshop.parameters("dev").unwrap(), first);
    std::fs::write(workshop.at("code"), "second").unwrap();
    let code = workshop.parameters("dev").unwrap();
    workshop.replace("template.yaml", "    Timeout: 28", "    Timeout: 27");
    let timeout = workshop.parameters("dev").unwrap();
    workshop.replace("samconfig.toml", "LogRetentionDays = 7", "LogRetentionDays = 14");
    let parameter = workshop.parameters("dev").unwrap();
    let releases: BTreeSet<_> = [&first, &code, &timeout, &parameter].map(|of| of["Release"].clone()).into();
    assert_eq!(releases.len(), 4);
    assert_eq!((&first["LogRetentionDays"], &parameter["LogRetentionDays"]), (&"7".into(), &"14".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_option_prints_the_parameters_and_deploys_nothing() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev", "--check", "AlarmEmail=ops@example.com"], &url) else { return };
    let parameters: BTreeMap<String, String> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(parameters["AlarmEmail"], "ops@example.com");
    assert!(workshop.calls().iter().all(|call| !call.starts_with("sam deploy")), "{:?}", workshop.calls());
    assert!(sent.lock().unwrap().policies.is_empty() && sent.lock().unwrap().files.is_empty());
}

/// Asks the deploy command's own function for the release of each single change.
const OF_EACH_PARAMETER: &str = r"
import importlib.machinery, importlib.util, json, sys
loader = importlib.machinery.SourceFileLoader('deploy', sys.argv[1])
deploy = importlib.util.module_from_spec(importlib.util.spec_from_loader('deploy', loader))
loader.exec_module(deploy)
before = deploy.all_parameters({}, {})
releases = {name: deploy.release({**before, name: before[name] + '1'}) for name in before}
json.dump({**releases, '': deploy.release(before)}, sys.stdout)
";

#[test]
fn every_parameter_makes_another_release() {
    let workshop = Workshop::new();
    if workshop.parameters("prod").is_none() {
        return;
    }
    std::fs::write(workshop.at("each.py"), OF_EACH_PARAMETER).unwrap();
    let output = run_python(&workshop.at("each.py"), &[workshop.at("deploy").to_str().unwrap()], "").unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let releases: BTreeMap<String, String> = serde_json::from_slice(&output.stdout).unwrap();
    let declared = template()["Parameters"].as_object().unwrap().len();
    assert_eq!(releases.len(), declared, "a parameter besides the release is left out");
    assert_eq!(releases.values().collect::<BTreeSet<_>>().len(), releases.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deploy_command_asks_nothing_passes_every_parameter_and_protects_the_stack() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev", "AlarmEmail=ops@example.com"], &url) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = workshop.at(".aws-sam/parameters-dev.yaml");
    let deploys = format!("sam deploy --config-env dev --parameter-overrides file://{}", file.display());
    // A new stack gets the address of its distribution by a second deployment.
    let expected = [
        "lint eu-central-1".to_owned(),
        "replacements check".to_owned(),
        "sam build --config-env dev".to_owned(),
        deploys.clone(),
        deploys,
    ];
    let expected = expected.map(|line| line.replace(workshop.folder.path().to_str().unwrap(), ""));
    let calls = workshop.calls().into_iter().map(|line| line.replace(workshop.folder.path().to_str().unwrap(), ""));
    assert_eq!(calls.collect::<Vec<_>>(), expected);
    let passed: BTreeMap<String, String> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let declared: BTreeSet<String> = template()["Parameters"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(passed.keys().cloned().collect::<BTreeSet<_>>(), declared);
    assert_eq!(passed["AlarmEmail"], "ops@example.com");
    // Before the first deployment there is no stack; then the policy is set. An existing stack is protected before it
    // changes.
    assert_eq!(sent.lock().unwrap().policies.len(), 3);
    assert!(workshop.deploy(&["dev"], &url).unwrap().status.success());
    let policies = sent.lock().unwrap().policies.clone();
    assert!(policies.len() == 4 && policies[3].contains("Update%3AReplace"), "{policies:?}");
    assert_eq!(workshop.calls().iter().filter(|call| call.starts_with("sam deploy")).count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deploy_command_ends_before_the_build_where_a_check_of_the_template_fails() {
    for (failing, calls) in
        [("is-odd", &["lint eu-central-1"][..]), ("is-replaced", &["lint eu-central-1", "replacements check"])]
    {
        let workshop = Workshop::new();
        let (url, sent) = aws(workshop.at("calls")).await;
        std::fs::write(workshop.at(failing), "").unwrap();
        let Some(output) = workshop.deploy(&["dev"], &url) else { return };
        assert!(!output.status.success());
        assert_eq!(workshop.calls(), calls);
        assert!(sent.lock().unwrap().policies.is_empty() && sent.lock().unwrap().files.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stack_gives_up_its_search_domain_only_when_the_deploy_command_is_told_to() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev"], &url) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let name = "ExistingSearchDomainName=shared";
    let protected = || {
        let policies = std::mem::take(&mut sent.lock().unwrap().policies);
        policies.iter().map(|policy| policy.contains("OpenSearchService")).collect::<Vec<_>>()
    };
    protected();
    assert!(workshop.deploy(&["dev", name], &url).unwrap().status.success());
    assert_eq!(protected(), [true]);
    let refused = workshop.deploy(&["dev", "--detach-search-domain"], &url).unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("needs ExistingSearchDomainName"), "{refused:?}");
    assert!(protected().is_empty());
    // The domain is protected again afterwards, also when the deployment fails.
    assert!(workshop.deploy(&["dev", name, "--detach-search-domain"], &url).unwrap().status.success());
    assert_eq!(protected(), [false, true]);
    std::fs::write(workshop.at("sam-fails"), "").unwrap();
    assert!(!workshop.deploy(&["dev", name, "--detach-search-domain"], &url).unwrap().status.success());
    assert_eq!(protected(), [false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deploy_command_uploads_the_widget_under_its_version() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev"], &url) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = sent.lock().unwrap().files.clone();
    let files: Vec<&Upload> = files.iter().filter(|file| file.path.starts_with("/widget-files/widget/")).collect();
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["de.js", "support-chat.js"].map(|name| format!("/widget-files/widget/1.2.3-abc/{name}")));
    assert!(files.iter().all(|file| file.kind == "text/javascript; charset=utf-8"), "{files:?}");
    // Nothing else was sent: older versions stay.
    let others = sent.lock().unwrap().policies.clone();
    assert!(others.iter().all(|body| body.contains("Action=SetStackPolicy")), "{others:?}");
    assert!(files.iter().any(|file| file.content.contains("Deutsch")));
    let told = String::from_utf8_lossy(&output.stdout);
    let line = script_element("https://cdn.example/widget/1.2.3-abc", b"chat");
    assert!(told.lines().any(|told| told == line), "{told}");
}

/// The page comes last, and is asked for again each time; what it names is kept by its hash.
#[tokio::test(flavor = "multi_thread")]
async fn the_deploy_command_uploads_the_desk_and_tells_the_functions_its_address() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev"], &url) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = sent.lock().unwrap().files.clone();
    let files: Vec<_> = files.iter().filter(|file| file.path.starts_with("/widget-files/desk/")).collect();
    let told: Vec<_> =
        files.iter().map(|f| (&f.path["/widget-files/desk/".len()..], f.kind.as_str(), f.lasting.as_str())).collect();
    let expected = [
        ("assets/index-B9.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("icon.svg", "image/svg+xml", "no-cache"),
        ("index.html", "text/html; charset=utf-8", "no-cache"),
    ];
    assert_eq!(told, expected);
    let passed = || {
        let file = std::fs::read(workshop.at(".aws-sam/parameters-dev.yaml")).unwrap();
        serde_json::from_slice::<BTreeMap<String, String>>(&file).unwrap()
    };
    let first = passed();
    assert_eq!(first["DeskUrl"], "https://cdn.example/desk/");
    // The same code and parameters are the same release.
    assert!(workshop.deploy(&["dev"], &url).unwrap().status.success());
    assert_eq!(passed(), first);
    assert!(workshop.deploy(&["dev", "DeskUrl=https://desk.example/desk/"], &url).unwrap().status.success());
    assert_eq!(passed()["DeskUrl"], "https://desk.example/desk/");
    std::fs::write(workshop.at("web/desk/dist/index.exe"), "").unwrap();
    let refused = workshop.deploy(&["dev"], &url).unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("index.exe: a file of an unknown kind"), "{refused:?}");
}

#[test]
fn the_deploy_command_says_which_python_it_needs() {
    let older = "import runpy, sys; sys.version_info = (3, 10, 14); runpy.run_path(sys.argv[1], run_name='__main__')";
    let file = Workshop::new();
    std::fs::write(file.at("older.py"), older).unwrap();
    let Some(output) = run_python(&file.at("older.py"), &[file.at("deploy").to_str().unwrap()], "") else { return };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.starts_with("deploy needs Python 3.11 or newer"), "{error}");
}

#[test]
fn a_parameter_that_the_template_does_not_have_is_refused() {
    let workshop = Workshop::new();
    for (arguments, reason) in [
        (["dev", "Tabel=x"], "not a parameter to set: Tabel"),
        (["dev", "Release=x"], "not a parameter to set: Release"),
        (["test", "A=x"], "samconfig.toml has no environment test"),
    ] {
        let Some(output) = workshop.deploy(&arguments, "http://127.0.0.1:1") else { return };
        assert!(!output.status.success());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(reason), "{error}");
        assert!(!workshop.calls().iter().any(|call| call.starts_with("sam deploy")), "{arguments:?}");
    }
}

#[test]
fn the_stack_policy_denies_the_replacement_and_deletion_of_every_retained_resource() {
    let policy: Value =
        serde_json::from_slice(&std::fs::read(root().join("infra/aws/stack-policy.json")).unwrap()).unwrap();
    let deny = policy["Statement"].as_array().unwrap().iter().find(|statement| statement["Effect"] == "Deny").unwrap();
    assert_eq!(deny["Action"], json!(["Update:Replace", "Update:Delete"]));
    let denied: BTreeSet<String> = texts(&deny["Condition"]["StringEquals"]["ResourceType"]).into_iter().collect();
    let template = template();
    let resources = template["Resources"].as_object().unwrap().values();
    let kept =
        |resource: &&Value| resource["DeletionPolicy"].as_str().is_some_and(|policy| policy.starts_with("Retain"));
    let retained: BTreeSet<String> = resources.filter(kept).map(|r| r["Type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(denied, retained);
    assert_eq!(template["Resources"]["Search"]["UpdatePolicy"], json!({"EnableVersionUpgrade": true}));
}

#[test]
fn build_output_and_local_files_stay_out_of_the_repository() {
    let ignored = std::fs::read_to_string(root().join(".gitignore")).unwrap();
    for path in [".aws-sam/", ".env"] {
        assert!(ignored.lines().any(|line| line == path), "{path} is not ignored");
    }
}

/// CloudFormation's limit is 500 resources.
#[test]
fn the_stack_has_room_for_more_resources() {
    let Some(template) = transformed() else { return };
    let count = template["Resources"].as_object().unwrap().len();
    assert!((200..450).contains(&count), "{count} resources");
}
