"""Finds changes of template.yaml that would replace or remove a stateful resource.

    replacements.py check       compares with the last release; ends with 1 where something would be replaced
    replacements.py record      writes the last release, after a deployment of all environments

CloudFormation's resource schemas, which cfn-lint ships, say which properties cannot change on an existing resource.
`released.json` holds their values as of the last release, and the names of the parameters. A replaced resource is kept
(`UpdateReplacePolicy`), but the stack would continue with an empty one.

A resource may get a condition that holds while a new parameter has its default: every existing stack gets the default.
A later value of that parameter can remove the resource; the stack policy denies that.
"""

import argparse
import json
import pathlib
import sys

from cfnlint.decode import cfn_yaml
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

HERE = pathlib.Path(__file__).resolve().parent
STATEFUL = {
    "AWS::Cognito::UserPool",
    "AWS::DynamoDB::Table",
    "AWS::KMS::Key",
    "AWS::OpenSearchService::Domain",
    "AWS::S3::Bucket",
    "AWS::S3::BucketPolicy",
    "AWS::SecretsManager::Secret",
}
ABSENT = "(absent)"


def facts(template):
    """The parameters with their defaults, and what cannot change of each stateful resource: type, condition, and the
    properties by their paths."""
    resources = {}
    for name, resource in template["Resources"].items():
        if resource["Type"] in STATEFUL:
            condition = template["Conditions"][resource["Condition"]] if "Condition" in resource else ABSENT
            fixed = {path: at(resource, path) for path in fixed_paths(resource["Type"])}
            resources[name] = {"type": resource["Type"], "condition": condition, "fixed": fixed}
    parameters = {name: parameter.get("Default", ABSENT) for name, parameter in template["Parameters"].items()}
    return json.loads(json.dumps({"parameters": parameters, "resources": resources}))


def fixed_paths(kind):
    """The properties whose change replaces a resource of this type, always or on a condition."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", kind).schema
    paths = {*schema.get("createOnlyProperties", []), *schema.get("conditionalCreateOnlyProperties", [])}
    return sorted(path.removeprefix("/properties/") for path in paths)


def at(resource, path):
    value = resource.get("Properties", {})
    for part in path.split("/"):
        if not isinstance(value, dict) or part not in value:
            return ABSENT
        value = value[part]
    return value


def replacements(released, now):
    """One line for each change that loses a resource."""
    lines = []
    new = {name: default for name, default in now["parameters"].items() if name not in released["parameters"]}
    holds = [{"Fn::Equals": [{"Ref": name}, default]} for name, default in new.items()]
    for name, before in released["resources"].items():
        after = now["resources"].get(name)
        if after is None:
            lines.append(f"{name} is gone: the stack would drop it")
            continue
        if before["type"] != after["type"]:
            lines.append(f"{name}: its type changes from {before['type']} to {after['type']}")
        if before["condition"] != after["condition"] and not (
            before["condition"] == ABSENT and after["condition"] in holds
        ):
            lines.append(f"{name}: its condition changes from {before['condition']} to {after['condition']}")
        for path in sorted(before["fixed"].keys() | after["fixed"].keys()):
            old, new = before["fixed"].get(path, ABSENT), after["fixed"].get(path, ABSENT)
            if old != new:
                lines.append(f"{name}: {path} changes from {json.dumps(old)} to {json.dumps(new)}, which replaces it")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "record"])
    parser.add_argument("--template", default=HERE.parent.parent / "template.yaml", type=pathlib.Path)
    parser.add_argument("--released", default=HERE / "released.json", type=pathlib.Path)
    arguments = parser.parse_args()
    now = facts(cfn_yaml.load(str(arguments.template)))
    if arguments.command == "record":
        arguments.released.write_text(json.dumps(now, indent=2, sort_keys=True) + "\n")
        return
    lines = replacements(json.loads(arguments.released.read_text()), now)
    if lines:
        sys.exit("\n".join(lines))


main()
