"""Transforms a SAM template as CloudFormation does when it is deployed.

Reads {"template": YAML text, "parameters": {name: value}} from standard input and writes the transformed template as
JSON. A parameter without a value has its default. Code is taken as uploaded: each function's `CodeUri` becomes an object
that is named after its logical id.
"""

import json
import os
import sys

os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse


class NoManagedPolicies:
    """The template names managed policies by their ARNs."""

    def load(self):
        return {}


def transformed(text, parameters):
    template = yaml_parse(text)
    template["Globals"]["Function"].pop("CodeUri", None)
    for name, resource in template["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = f"s3://artifacts/{name}"
    return transform(template, parameters, NoManagedPolicies())


if __name__ == "__main__":
    request = json.load(sys.stdin)
    json.dump(transformed(request["template"], request.get("parameters", {})), sys.stdout)
