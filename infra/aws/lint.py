"""Lints template.yaml as CloudFormation gets it.

    lint.py REGION          ends with 1 where SAM's transform or cfn-lint finds anything

cfn-lint no longer transforms SAM. In the template as it is written it passes odd values and names of an event source that
refers to another resource.
"""

import argparse
import json
import logging
import pathlib
import sys

import cfnlint
from samtranslator.model.exceptions import InvalidDocumentException
from transform import transformed

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def problems(text, region):
    try:
        template = transformed(text, {"Release": "0" * 64})
    except InvalidDocumentException as error:
        return [cause.message for cause in error.causes]
    # Its value is in the names of the versions now, and nothing refers to it.
    del template["Parameters"]["Release"]
    matches = cfnlint.lint(json.dumps(template), regions=[region])
    return [f"{match.rule.id} {'/'.join(map(str, match.path or []))}: {match.message}" for match in matches]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("region")
    parser.add_argument("--template", default=ROOT / "template.yaml", type=pathlib.Path)
    arguments = parser.parse_args()
    logging.disable(logging.ERROR)  # The transform tells of feature switches that it was not given.
    found = problems(arguments.template.read_text(), arguments.region)
    if found:
        sys.exit("\n".join(found))


main()
