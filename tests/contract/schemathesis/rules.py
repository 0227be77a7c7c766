"""What schemathesis has to know of the service beside its document.

`RULES` and `ERRORS` are the whole list of what is refused although the document allows it, each with the reason why no
schema says it. A refusal is one of them if every detail of its error is. How often each was met is printed at the end.
"""

import atexit
import collections
import os
import urllib.parse
import urllib.request
import json

import schemathesis

# Field and code of a detail -> why no schema says it.
RULES = {
    ("cursor", "INVALID_FORMAT"): "a cursor is what an earlier answer to the same filters gave",
    ("after", "UNKNOWN_MESSAGE"): "a turn of this session",
    ("expiresAt", "IN_THE_PAST"): "the present moment is in no schema",
    ("page", "OUT_OF_RANGE"): "page times limit is at most 10,000: a product of two parameters",
    ("metadata", "TOO_LARGE"): "4 KiB of JSON in all: the size of an object is in no schema",
}

# The error of an answer -> why no schema says it.
ERRORS = {
    "IDEMPOTENCY_KEY_REUSED": "the same key or clientMessageId came before with another body",
    "PRECONDITION_FAILED": "the version that an entry has",
}

# Nobody listens there. Which addresses may be called depends on where a name leads (docs/ARCHITECTURE.md, `outbound`), and
# no request of a test leaves this machine: what is called is put there, its path and query kept.
NOWHERE = "127.0.0.1:9"

met = collections.Counter()


def own_key_id() -> str:
    """The id of the key that the run uses, which must not be deleted."""
    request = urllib.request.Request(
        os.environ["SUPPORT_API_URL"] + "/api-keys?limit=100",
        headers={"Authorization": "Bearer " + os.environ["SUPPORT_API_KEY"]},
    )
    with urllib.request.urlopen(request) as answer:
        keys = json.load(answer)["items"]
    [own] = [key["keyId"] for key in keys if os.environ["SUPPORT_API_KEY"].startswith(key["prefix"])]
    return own


OWN_KEY = own_key_id()


@schemathesis.hook
def filter_case(context, case):
    deletes_own_key = case.method == "DELETE" and OWN_KEY in (case.path_parameters or {}).values()
    return not deletes_own_key


@schemathesis.hook
def before_call(context, case, kwargs):
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("url"), str) and "://" in body["url"]:
        body["url"] = nowhere(body["url"])


def nowhere(url: str) -> str:
    rest = url.split("://", 1)[1].split("#", 1)[0]
    at = min((rest.find(c) for c in "/?" if c in rest), default=len(rest))
    return f"http://{NOWHERE}/" + urllib.parse.quote(rest[at:].lstrip("/"), safe="/?=&")[:1500]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    if "positive_data_acceptance" not in failure.checks:
        return True
    refusal = response.json()
    rules = [RULES.get((detail.get("field"), detail["code"])) for detail in refusal["details"]]
    if refusal["error"] in ERRORS:
        rules = [ERRORS[refusal["error"]]]
    if not rules or None in rules:
        return True
    met.update(set(rules))
    return False


@atexit.register
def tell():
    for rule, times in sorted(met.items()):
        print(f"refused {times} times, and no schema says it: {rule}")
