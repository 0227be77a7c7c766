"""What schemathesis has to know of the service beside its document.

`RULES`, `MESSAGES` and `ERRORS` are the whole list of what is refused although the document allows it, each with the
reason why no schema says it. A refusal is on the list if every detail of its error is. How often each was met is
printed at the end.
"""

import atexit
import collections
import itertools
import json
import os
import re
import time
import urllib.parse
import urllib.request

import schemathesis

CURSOR = "a cursor is what an earlier answer to the same filters gave"
NOW = "the present moment is in no schema"
STORED = "a number that the table cannot store: other than 0, below 1e-130 or with too many digits"
DRY_RUN = "which fields go together depends on the action of a change, and on the source of the questions"
RANGES = "a range ends after it begins, and those of a day do not overlap"
# Field and code of a detail -> why no schema says it.
RULES = {
    ("cursor", "INVALID_FORMAT"): CURSOR,
    ("cursor", "UNKNOWN_MESSAGE"): CURSOR,
    ("cursor", "CONFLICT"): "after and cursor exclude each other: two parameters",
    ("after", "UNKNOWN_MESSAGE"): "a turn of this session",
    ("page", "OUT_OF_RANGE"): "page times limit is at most 10,000: a product of two parameters",
    ("expiresAt", "IN_THE_PAST"): NOW,
    ("snoozedUntil", "IN_THE_PAST"): NOW,
    ("snoozedUntil", "OUT_OF_RANGE"): NOW,
    ("snoozedUntil", "INVALID_FORMAT"): "a format of JSON Schema refuses nothing: an empty text is no time",
    ("email", "INVALID_FORMAT"): "the part before the @ has at most 64 characters",
    ("since", "IN_THE_FUTURE"): NOW,
    ("metadata", "TOO_LARGE"): "4 KiB of JSON in all: the size of an object is in no schema",
    ("metadata", "OUT_OF_RANGE"): STORED,
    ("noMatchThreshold", "OUT_OF_RANGE"): STORED,
    ("", "OUT_OF_RANGE"): "a number that is no 64-bit integer and has not the digits of a double, anywhere in a body",
    ("hours.timezone", "INVALID_TIMEZONE"): "the names of time zones",
    **{(f"hours.week.{day}[]", "INVALID_RANGE"): RANGES for day in "mon tue wed thu fri sat sun".split()},
    ("secret", "REQUIRED"): "events are signed, lines for a Slack channel are not",
    ("secret", "INVALID_SECRET"): "a text that begins as a key in base64 is one",
    ("events", "NOT_ALLOWED"): "a Slack channel is sent kinds of people alone",
    ("questions", "EXACTLY_ONE"): DRY_RUN,
    ("questions.days", "REQUIRED"): DRY_RUN,
    ("changes[]", "NOTHING_TO_CHANGE"): DRY_RUN,
    ("changes[].path", "INVALID_FORMAT"): "two changes of one dry run are of different entries",
    ("changes[].title", "REQUIRED"): DRY_RUN,
    ("changes[].content", "REQUIRED"): DRY_RUN,
    ("reaction", "REQUIRED"): "a query parameter that must be there",
    ("path", "REQUIRED"): "a query parameter that must be there",
    **{(field, "REQUIRED"): "a draft of a new entry has a text" for field in ["title", "content"]},
    ("visibility", "REQUIRED"): "a draft that changes who may read its entry",
    ("widgetOrigins[]", "INVALID_ORIGIN"): "a host has at most 253 characters, IPv6 has one spelling, the scheme's own port is not written",
}

# The message of a detail, of any field -> why no schema says it.
MESSAGES = {"must be a whole number": "JSON Schema takes 1.0 for an integer, the service does not"}

# The error of an answer -> why no schema says it.
ERRORS = {
    "IDEMPOTENCY_KEY_REUSED": "the same key or clientMessageId came before with another body",
    "PRECONDITION_FAILED": "the version that a thing has",
}

# Nobody listens there. Which addresses may be called depends on where a name leads (docs/ARCHITECTURE.md, `outbound`), and
# no request of a test leaves this machine: what is called is put there, its path and query kept.
NOWHERE = "127.0.0.1:9"

# Its paths have slashes. schemathesis sends them as `%2F` since the parameter has an example with one, and drops every
# generated path otherwise: with `filter_too_much` suppressed, nothing else would tell.
ENTRY = "/wiki/{path}"

# Of its items, each is judged by itself.
IMPORT = "/wiki-import"

NUMBERS = itertools.count()
met = collections.Counter()
# Requests of each method to ENTRY, and those with a slash in the path that the service took for one.
asked, slashed = collections.Counter(), collections.Counter()


def call(method: str, path: str, body: dict | None = None) -> dict:
    request = urllib.request.Request(
        os.environ["SUPPORT_API_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["SUPPORT_API_KEY"],
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def own_key() -> str:
    """The id of the key that the run uses."""
    keys = call("GET", "/api-keys?limit=100")["items"]
    [own] = [key["keyId"] for key in keys if os.environ["SUPPORT_API_KEY"].startswith(key["prefix"])]
    return own


def escalated() -> str:
    session = call("POST", "/sessions", {})["sessionId"]
    return call("POST", f"/sessions/{session}/escalate", {"reason": "made for the run"})["escalationId"]


def gap() -> str:
    session = call("POST", "/sessions", {})["sessionId"]
    call("POST", f"/sessions/{session}/messages", {"content": "Which zebra sings on Jupiter?"})
    for _ in range(100):
        if found := call("GET", "/analytics/kb-gaps")["items"]:
            return found[0]["gapId"]
        time.sleep(0.1)
    raise AssertionError("a question without an answer became no gap")


def draft() -> str:
    path = f"made/n{next(NUMBERS)}"
    return call("POST", "/drafts", {"path": path, "action": "create", "title": "t", "content": "c"})["draftId"]


def receiver() -> tuple[str, str]:
    body = {"url": f"http://{NOWHERE}/made-for-the-run", "events": ["webhook.test"], "secret": "made for the run"}
    webhook = call("POST", "/webhooks", body)["webhookId"]
    return webhook, call("POST", f"/webhooks/{webhook}/test", {})["deliveryId"]


OWN_KEY = own_key()
call("POST", "/wiki", {"path": "made/pinned", "title": "t", "content": "c"})
PIN = call("POST", "/pins", {"path": "made/pinned", "question": "Is it pinned?"})["pinId"]
WEBHOOK, DELIVERY = receiver()

# What stands in the place of an id that no answer gave, by its prefix: an id that is only well-formed is 404, and tells
# nothing of what lies behind. Nothing that is deleted is replaced.
MADE = {
    "ses": itertools.cycle([call("POST", "/sessions", {})["sessionId"] for _ in range(20)]),
    "esc": itertools.cycle([escalated() for _ in range(20)]),
    "ing": itertools.cycle([call("POST", "/ingest", {"text": "-", "pathPrefix": "made"})["ingestId"]]),
    "whk": itertools.cycle([WEBHOOK]),
    "dlv": itertools.cycle([DELIVERY]),
    "gap": itertools.cycle([gap()]),
    "drf": itertools.cycle([draft() for _ in range(20)]),
    "pin": itertools.cycle([PIN]),
}


@schemathesis.hook
def filter_case(context, case):
    return not (case.method == "DELETE" and OWN_KEY in (case.path_parameters or {}).values())


@schemathesis.hook
def before_call(context, case, kwargs):
    for name, value in (case.path_parameters or {}).items():
        known = re.fullmatch("([a-z]{3})_[0-9A-HJKMNP-TV-Za-z]+", str(value))
        if known and known[1] in MADE and case.method != "DELETE":
            case.path_parameters[name] = next(MADE[known[1]])
    if isinstance(case.body, dict) and "://" in str(case.body.get("url")):
        case.body["url"] = nowhere(str(case.body["url"]))


def nowhere(url: str) -> str:
    rest = url.split("://", 1)[1].split("#", 1)[0]
    at = min((rest.find(mark) for mark in "/?" if mark in rest), default=len(rest))
    return f"http://{NOWHERE}/" + urllib.parse.quote(rest[at:].lstrip("/"), safe="/?=&")[:1500]


@schemathesis.hook
def after_call(context, case, response):
    if case.path == ENTRY and case.method == case.operation.method.upper():
        asked[case.method] += 1
        sent = urllib.parse.urlsplit(response.request.url).path.partition("/wiki/")[2]
        slashed[case.method] += "/" in urllib.parse.unquote(sent) and response.status_code != 400


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    if case.path == IMPORT and response.status_code == 200 and "failed" in response.text:
        met.update(["an item of an import is refused by itself, with 200 for the others"])
        return False
    if "positive_data_acceptance" not in failure.checks:
        return True
    refusal = response.json()
    rules = [rule_of(detail) for detail in refusal["details"]]
    if refusal["error"] in ERRORS:
        rules = [ERRORS[refusal["error"]]]
    if not rules or None in rules:
        return True
    met.update(set(rules))
    return False


def rule_of(detail: dict) -> str | None:
    field = re.sub(r"\[\d+\]", "[]", detail.get("field") or "")
    return RULES.get((field, detail["code"])) or MESSAGES.get(detail["message"])


@atexit.register
def tell():
    for rule, times in sorted(met.items()):
        print(f"refused {times} times, and no schema says it: {rule}")
    if missing := [method for method in asked if not slashed[method]]:
        print(f"no request to {ENTRY} had a slash in its path: {', '.join(missing)}", flush=True)
        os._exit(1)  # The end of a process takes no other status.
