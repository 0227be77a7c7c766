"""Three stacks of template.yaml in a local AWS, side by side: two with a search domain of their own, and one that uses
the domain of the first.

Checks:
- The transformed template deploys as it is, except for `LACKING`.
- A first deployment that fails half-way leaves nothing in the way: the same stack deploys afterwards.
- No physical name of one stack occurs in another.
- In each stack: the operator's command line makes a tenant, who writes an entry and gets an answer that cites it. A widget
  token opens a session, a webhook gets the event of the session, and an ingest job becomes entries that are found. The
  event sources and the functions are those of the stack.
- An update takes the second stack from its own domain to that of the first. Its own domain stays. Questions get no
  answer until the operator rebuilds the index.
- Stacks that share a domain have an index each, with their own entries only, and answer from them only.
- The operator's command line adds a member, who has a user in the stack's user pool and an invitation to the stack's desk.
  The distribution sends the stack's secret along to the stack's API.
- The operator's command line finds no fault of table, index and queues, begins a rotation of the signing keys of widget tokens,
  and restores the table.

What the local AWS lacks is in `LACKING` (local_aws.py), with the test that checks it instead.
"""

import argparse
import http.server
import io
import json
import os
import pathlib
import subprocess
import threading
import time
import urllib.error
import urllib.request
import zipfile

from local_aws import BUCKET, LACKING, ROOT, Aws, deployable, transformed

# How many hours a penguin sleeps by the wiki of each stack.
HOURS = {"one": "eleven", "two": "twelve", "three": "thirteen"}
QUESTION = {"content": "How many hours a day does a penguin sleep?"}

class Receiver:
    """A webhook's receiver on loopback, which keeps what it gets."""

    def __init__(self):
        self.events = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.events.append(json.loads(body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"


class Tenant:
    """A tenant of a stack, over the stack's API."""

    def __init__(self, aws, api, key):
        self.base, self.key = f"{aws.url}/_aws/execute-api/{api}/$default/api/v1", key

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {self.key}", "content-type": "application/json"}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.loads(response.read() or b"null")
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}")

    def until(self, what, method, path, is_there):
        """Calls until the answer has what is waited for."""
        for _ in range(240):
            answer = self.call(method, path)
            if is_there(answer):
                return answer
            time.sleep(0.5)
        raise SystemExit(f"{what} does not happen: {answer}")


class Operator:
    """The operator's command line on a stack."""

    def __init__(self, aws, name, binaries):
        self.command = [str(binaries / "ops"), "--stack", name, "--json"]
        self.environment = {**os.environ, "AWS_ENDPOINT_URL": aws.url}

    def __call__(self, *arguments, codes=(0,)):
        done = subprocess.run([*self.command, *arguments], env=self.environment, capture_output=True, text=True)
        assert done.returncode in codes, f"{arguments}: {done}"
        return json.loads(done.stdout)


def use(aws, name, ops):
    """Tenant, wiki, answer, widget token, webhook, ingest. Returns the tenant and its id."""
    receiver = Receiver()
    created = ops("tenant", "create", "Aquarium", "--plan", "pro")
    tenant = Tenant(aws, aws.resources(name)["Api"][1], created["apiKey"]["key"])
    health = tenant.call("GET", "/health")
    assert health["status"] in ("ok", "degraded"), health
    hook = {"url": receiver.url, "events": ["*"], "secret": "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY="}
    tenant.call("POST", "/webhooks", hook)
    content = f"A penguin sleeps for {HOURS[name]} hours a day."
    entry = {"path": "help/penguins", "title": "Penguins", "content": content}
    tenant.call("POST", "/wiki", entry)
    # A write is searchable after the index's refresh interval.
    tenant.until("the search for an entry", "GET", "/wiki?q=penguin", lambda page: page["items"])
    assert_answers(tenant, name)
    widget = Tenant(aws, aws.resources(name)["Api"][1], tenant.call("POST", "/auth/widget-token", {})["token"])
    assert widget.call("POST", "/sessions", {})["sessionId"].startswith("ses_")
    job = tenant.call("POST", "/ingest", {"text": "# Walruses\n\nA walrus eats four thousand clams.", "pathPrefix": "sea"})
    tenant.until("ingest", "GET", f"/ingest/{job['ingestId']}", lambda job: job["status"] == "completed")
    found = tenant.until("the search for an ingested entry", "GET", "/wiki?q=walrus", lambda page: page["items"])
    assert found["items"][0]["path"].startswith("sea"), found
    for _ in range(240):
        if any(event.get("type") == "session.created" for event in receiver.events):
            break
        time.sleep(0.5)
    else:
        raise SystemExit(f"no webhook: {receiver.events}")
    print(f"{name}: tenant, wiki, answer, widget token, webhook, ingest")
    return tenant, created["tenant"]["tenantId"]


def ask(tenant):
    session = tenant.call("POST", "/sessions", {})["sessionId"]
    return tenant.call("POST", f"/sessions/{session}/messages", QUESTION)


def assert_answers(tenant, name):
    """Fails unless the answer is from the entry of this stack, and of no other."""
    answer = ask(tenant)
    assert answer["sources"][0]["path"] == "help/penguins", answer
    assert {hours for hours in HOURS.values() if hours in answer["answer"]} == {HOURS[name]}, answer


def existing_domain(aws, name):
    """The parameters for the search domain of a stack, as docs/DEPLOY.md reads them."""
    domain = aws.outputs(name)["SearchDomainName"]
    status = aws.client("opensearch").describe_domain(DomainName=domain)["DomainStatus"]
    host = status["Endpoint"].partition(":")[0]
    return {"ExistingSearchDomainName": domain, "ExistingSearchDomainEndpoint": host}


def detach_search_domain(aws, name, ops, tenant, template, parameters):
    """Takes a stack from its own search domain to an existing one."""
    own = aws.outputs(name)["SearchDomainName"]
    status = aws.update(name, template, parameters)
    assert status == "UPDATE_COMPLETE", f"{name}: {status}\n{aws.reasons(name)}"
    assert "Search" not in aws.resources(name)
    assert aws.client("opensearch").describe_domain(DomainName=own)["DomainStatus"]["Deleted"] is False
    assert aws.outputs(name)["SearchDomainName"] == parameters["ExistingSearchDomainName"], aws.outputs(name)
    answer = ask(tenant)
    assert (answer["disposition"], answer["sources"]) == ("no_answer", []), answer
    assert ops("reindex")["records"] == 2
    assert_answers(tenant, name)
    print(f"{name}: its own search domain detached, the index rebuilt in the domain of another stack")


def assert_own_entries_only(aws, opensearch, tenants):
    """Fails unless each stack has an index in the shared domain with the entries of its own tenants only, and answers
    from them."""
    for name, (tenant, tenant_id) in tenants.items():
        index = aws.outputs(name)["SearchIndex"]
        assert index == "wiki" if name == "one" else index.startswith("wiki-"), index
        with urllib.request.urlopen(f"{opensearch}/{index}/_search?size=100&_source=false") as response:
            hits = json.loads(response.read())["hits"]["hits"]
        others = {other for other, (_, other_id) in tenants.items() if any(other_id in hit["_id"] for hit in hits)}
        # Stack two had a domain of its own, which is here the same server.
        assert others - ({"two"} if name == "one" else set()) == {name}, (name, others, hits)
        assert_answers(tenant, name)
    print("one, two, three: an index each in one domain, with their own entries only")


def desk_url(name):
    return f"https://{name}.example/desk/"


def invite(aws, name, ops):
    """A member of a new tenant, and what the stack's desk needs."""
    tenant = ops("tenant", "create", "Invited")["tenant"]["tenantId"]
    email = f"ann@{name}.example"
    added = ops("member", "add", tenant, email, "--roles", "admin")
    assert added["providerUser"] == "created", added
    assert added["invitationUrl"].startswith(f"{desk_url(name)}#invitation="), added
    resources = aws.resources(name)
    users = aws.client("cognito-idp").list_users(UserPoolId=resources["UserPool"][1])["Users"]
    emails = [{a["Name"]: a["Value"] for a in user["Attributes"]}["email"] for user in users]
    assert emails == [email], users
    secret = aws.client("secretsmanager").get_secret_value(SecretId=resources["DistributionSecret"][1])["SecretString"]
    distribution = aws.client("cloudfront").get_distribution(Id=resources["WidgetDistribution"][1])["Distribution"]
    origins = {origin["Id"]: origin for origin in distribution["DistributionConfig"]["Origins"]["Items"]}
    assert origins["api"]["DomainName"].startswith(resources["Api"][1] + "."), origins
    assert [header["HeaderValue"] for header in origins["api"]["CustomHeaders"]["Items"]] == [secret], origins
    print(f"{name}: a member with a user in the user pool, the distribution before the API")


def operate(aws, name, ops):
    """A tenant, the doctor, the signing keys of widget tokens, and the table as it was."""
    tenant = ops("tenant", "create", "Operated")["tenant"]["tenantId"]
    checks = {check["check"]: check for check in ops("doctor", codes=(0, 6))["checks"]}
    for check in ("table", "index", "webhook queue", "ingest queue", "embedding queue", "scheduler", "dead letters"):
        assert checks[check]["status"] == "ok", checks[check]
    rotate_widget_key(aws, name, ops)
    restored = ops("restore", "--table", f"{name}-restored", "--yes")
    repeated = ops("restore", "--table", f"{name}-restored", "--yes")
    assert restored == repeated, (restored, repeated)
    dynamodb = aws.client("dynamodb")
    table = dynamodb.describe_table(TableName=f"{name}-restored")["Table"]
    assert table["StreamSpecification"]["StreamViewType"] == "NEW_AND_OLD_IMAGES", table
    assert table["LatestStreamArn"] == restored["streamArn"] and table["DeletionProtectionEnabled"], table
    ttl = dynamodb.describe_time_to_live(TableName=f"{name}-restored")["TimeToLiveDescription"]
    assert ttl["TimeToLiveStatus"] == "ENABLED" and ttl["AttributeName"] == "ttl", ttl
    key = {"pk": {"S": f"TENANT#{tenant}"}, "sk": {"S": "TENANT"}}
    assert dynamodb.get_item(TableName=f"{name}-restored", Key=key).get("Item"), "the restored table lacks the tenant"
    print(f"{name}: ops tenant, doctor, widget-key, restore")


def rotate_widget_key(aws, name, ops):
    """The first phase of a rotation, in the secret that the stack's output names."""
    secret = aws.outputs(name)["WidgetTokenSecretArn"]
    assert secret.startswith("arn:"), secret
    before = ops("widget-key", "show")
    prepared = ops("widget-key", "rotate", "--no-wait")
    assert prepared["signing"] == before["signing"] and prepared["next"] and not before["next"], (before, prepared)
    stored = aws.client("secretsmanager").get_secret_value(SecretId=secret)["SecretString"]
    assert prepared["next"] in stored and prepared["signing"] in stored, "the output names another secret"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--aws", "--opensearch"):
        parser.add_argument(option, required=True)
    for option in ("--work", "--binaries"):
        parser.add_argument(option, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    opensearch = arguments.opensearch.removeprefix("http://")
    aws = Aws(arguments.aws)
    aws.s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    upload_functions(aws, arguments.work, arguments.binaries)
    # A function of a stack calls the local AWS, and receivers on loopback.
    environment = {"AWS_ENDPOINT_URL": arguments.aws, "OUTBOUND_ALLOW_HTTP": "true", "OUTBOUND_ALLOW_LOOPBACK": "true"}
    parameters = {"EmbeddingProvider": "none"}

    def release(digit, **given):
        """The template and the parameters of a release."""
        release = digit * 64
        given.setdefault("DeskUrl", desk_url("none"))
        template = deployable(transformed(release), opensearch, environment)
        return template, {**parameters, **given, "Release": release}

    def create(name, **given):
        status = aws.create(name, *release("0", DeskUrl=desk_url(name), **given))
        assert status == "CREATE_COMPLETE", f"{name}: {status}\n{aws.reasons(name)}"
        print(f"{name}: {len(aws.resources(name))} resources")

    # A resource that ministack refuses, after everything stateful and the functions.
    broken, given = release("0")
    broken["Resources"]["Refused"] = {
        "Type": "AWS::CloudWatch::Alarm",
        "DependsOn": ["Table", "Search", "DeadLetterBucket", "WidgetTokenSecret", "SecretsKey", "SweeperFunction"],
        "Properties": {"ComparisonOperator": "GreaterThanThreshold", "EvaluationPeriods": 1, "Metrics": [{"Id": "m"}]},
    }
    status = aws.create("one", broken, given)
    assert status.startswith("ROLLBACK"), status
    aws.delete("one")

    create("one")
    create("two")
    shared = existing_domain(aws, "one")
    create("three", **shared)
    assert_nothing_shared([aws.resources(name) for name in HOURS])
    operators = {name: Operator(aws, name, arguments.binaries) for name in HOURS}
    tenants = {name: use(aws, name, ops) for name, ops in operators.items()}
    detach_search_domain(aws, "two", operators["two"], tenants["two"][0], *release("1", DeskUrl=desk_url("two"), **shared))
    assert_own_entries_only(aws, arguments.opensearch, tenants)
    for name, ops in operators.items():
        invite(aws, name, ops)
        operate(aws, name, ops)
    print("not in the local AWS, checked in the transformed template:")
    for lacking, test in LACKING.items():
        print(f"  {lacking}: {test}")


def upload_functions(aws, work, binaries):
    for folder in sorted((ROOT / "functions").iterdir()):
        stripped = work / "bootstrap"
        subprocess.run(["strip", "-o", str(stripped), str(binaries / folder.name)], check=True)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            bootstrap = zipfile.ZipInfo("bootstrap")
            bootstrap.external_attr = 0o755 << 16
            archive.writestr(bootstrap, stripped.read_bytes(), zipfile.ZIP_DEFLATED)
        aws.upload(folder.name, packed.getvalue())


# Names that count within their function, API or log group only.
LOCAL_NAMES = {"AWS::Lambda::Permission", "AWS::ApiGatewayV2::Stage", "AWS::Logs::MetricFilter"}


def assert_nothing_shared(stacks):
    seen = set()
    for resources in stacks:
        named = {physical for kind, physical in resources.values() if kind not in LOCAL_NAMES}
        assert not seen & named, f"two stacks have {seen & named}"
        seen |= named


main()
