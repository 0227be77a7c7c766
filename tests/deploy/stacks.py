"""Two stacks of template.yaml in a local AWS, side by side.

Checks:
- The transformed template deploys as it is, except for `LACKING`.
- A first deployment that fails half-way leaves nothing in the way: the same stack deploys afterwards.
- No physical name of one stack occurs in the other.
- In each stack: a tenant writes an entry and gets an answer that cites it, a webhook gets the event of the session, and
  an ingest job becomes entries that are found. The event sources and the functions are those of the stack.

What the local AWS lacks is in `LACKING`, with the test that checks it in the transformed template instead.
"""

import argparse
import http.server
import io
import json
import os
import pathlib
import string
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile

import boto3

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUCKET = "artifacts"
RELEASE = "0" * 64

# What ministack does not have, and the test that checks it in the transformed template instead.
LACKING = {
    "AWS::CodeDeploy::Application": "template::operation::a_new_version_takes_over_slowly_and_steps_back_by_an_alarm",
    "AWS::CodeDeploy::DeploymentGroup": "template::operation::a_new_version_takes_over_slowly_and_steps_back_by_an_alarm",
    "AWS::CloudWatch::Alarm/Metrics": "template::operation::somebody_is_told_when_something_breaks",
    "AWS::ApiGatewayV2::Api/Body": "template::the_template_spells_out_every_route_and_no_other",
    "AWS::OpenSearchService::Domain (its index)": "search_adapters over a real OpenSearch",
    "AWS::SecretsManager::Secret/GenerateSecretString": "template::access::the_generated_widget_secret_is_what_a_function_reads",
}


def transformed():
    """The template as CloudFormation gets it."""
    request = json.dumps({"template": (ROOT / "template.yaml").read_text(), "parameters": {"Release": RELEASE}})
    script = [sys.executable, str(ROOT / "tests/services/sam/transform.py")]
    return json.loads(subprocess.run(script, input=request, capture_output=True, text=True, check=True).stdout)


def deployable(template, opensearch, environment):
    """The template without what ministack lacks, and with its routes as resources instead of a document."""
    resources = template["Resources"]
    for name, resource in list(resources.items()):
        kind, properties = resource["Type"], resource.get("Properties", {})
        if kind.startswith("AWS::CodeDeploy::") or "Metrics" in properties:
            del resources[name]
        elif kind == "AWS::Lambda::Alias":
            resource.pop("UpdatePolicy", None)
        elif kind == "AWS::Lambda::Function":
            properties["Code"] = {"S3Bucket": BUCKET, "S3Key": resource["Metadata"]["BuildProperties"]["Binary"]}
            variables = properties["Environment"]["Variables"]
            variables.update(environment)
            if "SEARCH_ENDPOINT" in variables:
                variables["SEARCH_ENDPOINT"] = opensearch
    add_routes(resources)
    # Of the exclusions of a generated secret, ministack knows only the characters.
    generated = resources["WidgetTokenSecret"]["Properties"]["GenerateSecretString"]
    generated["ExcludeCharacters"] += string.ascii_uppercase + string.punctuation
    # On AWS a reference to a secret is its ARN, in ministack its name.
    reference, arn = json.dumps({"Ref": "WidgetTokenSecret"}), json.dumps({"Fn::GetAtt": ["WidgetTokenSecret", "Id"]})
    return json.loads(json.dumps(template).replace(reference, arn))


def add_routes(resources):
    """Each operation of the API's document as a route with its integration."""
    body = resources["Api"]["Properties"].pop("Body")
    resources["Api"]["Properties"].update({"Name": {"Ref": "AWS::StackName"}, "ProtocolType": "HTTP"})
    number = 0
    for path, operations in body["paths"].items():
        for method, operation in operations.items():
            number += 1
            integration = operation["x-amazon-apigateway-integration"]
            key = "$default" if path.lstrip("/") == "$default" else f"{method.upper()} {path}"
            resources[f"Integration{number}"] = {
                "Type": "AWS::ApiGatewayV2::Integration",
                "Properties": {
                    "ApiId": {"Ref": "Api"},
                    "IntegrationType": "AWS_PROXY",
                    "IntegrationUri": integration["uri"],
                    "PayloadFormatVersion": integration["payloadFormatVersion"],
                    "TimeoutInMillis": integration["timeoutInMillis"],
                },
            }
            target = {"Fn::Join": ["/", ["integrations", {"Ref": f"Integration{number}"}]]}
            resources[f"Route{number}"] = {
                "Type": "AWS::ApiGatewayV2::Route",
                "Properties": {"ApiId": {"Ref": "Api"}, "RouteKey": key, "Target": target},
            }


class Aws:
    def __init__(self, url):
        self.url = url
        self.cloudformation, self.s3 = self.client("cloudformation"), self.client("s3")

    def client(self, service):
        return boto3.client(service, endpoint_url=self.url)

    def upload(self, key, content):
        self.s3.put_object(Bucket=BUCKET, Key=key, Body=content)

    def deploy(self, name, template, parameters):
        """Creates a stack; its status in the end."""
        self.upload(f"{name}.json", json.dumps(template).encode())
        given = [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
        self.cloudformation.create_stack(
            StackName=name,
            TemplateURL=f"{self.url}/{BUCKET}/{name}.json",
            Parameters=given,
            Capabilities=["CAPABILITY_IAM"],
        )
        return self.wait(name)

    def wait(self, name):
        for _ in range(600):
            stacks = self.cloudformation.describe_stacks(StackName=name)["Stacks"]
            status = stacks[0]["StackStatus"]
            if not status.endswith("_IN_PROGRESS"):
                return status
            time.sleep(0.5)
        raise SystemExit(f"{name} does not come to an end")

    def delete(self, name):
        self.cloudformation.delete_stack(StackName=name)
        for _ in range(600):
            try:
                if self.cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"] == "DELETE_COMPLETE":
                    return
            except self.cloudformation.exceptions.ClientError:
                return
            time.sleep(0.2)
        raise SystemExit(f"{name} is not deleted")

    def reasons(self, name):
        events = self.cloudformation.describe_stack_events(StackName=name)["StackEvents"]
        failed = [event for event in events if "FAILED" in event["ResourceStatus"]]
        return "\n".join(f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason')}" for event in failed)

    def resources(self, name):
        """Physical ids by logical ones."""
        pages = self.cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
        return {
            resource["LogicalResourceId"]: (resource["ResourceType"], resource.get("PhysicalResourceId", ""))
            for page in pages
            for resource in page["StackResourceSummaries"]
        }


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


def seeded(aws, table, work, binaries):
    """A tenant with an admin key, made by the service itself on the stack's table."""
    folder = work / f"data-{table}"
    environment = {**os.environ, "TABLE_NAME": table}
    command = [str(binaries / "local"), "--port", "0", "--data", str(folder), "--dynamodb", aws.url]
    with (work / f"local-{table}.log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for _ in range(300):
            if (folder / "demo.env").exists():
                lines = dict(line.split("=", 1) for line in (folder / "demo.env").read_text().splitlines() if "=" in line)
                return lines["SUPPORT_API_KEY"]
            if process.poll() is not None:
                break
            time.sleep(0.2)
        raise SystemExit((work / f"local-{table}.log").read_text())
    finally:
        process.kill()
        process.wait()


def use(aws, name, work, binaries):
    """Tenant, wiki, answer, webhook, ingest."""
    resources = aws.resources(name)
    receiver = Receiver()
    tenant = Tenant(aws, resources["Api"][1], seeded(aws, resources["Table"][1], work, binaries))
    health = tenant.call("GET", "/health")
    assert health["status"] in ("ok", "degraded"), health
    hook = {"url": receiver.url, "events": ["*"], "secret": "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY="}
    tenant.call("POST", "/webhooks", hook)
    entry = {"path": "help/penguins", "title": "Penguins", "content": "A penguin sleeps for eleven hours a day."}
    tenant.call("POST", "/wiki", entry)
    session = tenant.call("POST", "/sessions", {})["sessionId"]
    question = {"content": "How many hours a day does a penguin sleep?"}
    answer = tenant.call("POST", f"/sessions/{session}/messages", question)
    assert "help/penguins" in json.dumps(answer) and "eleven" in json.dumps(answer), answer
    job = tenant.call("POST", "/ingest", {"text": "# Walruses\n\nA walrus eats four thousand clams.", "pathPrefix": "sea"})
    tenant.until("ingest", "GET", f"/ingest/{job['ingestId']}", lambda job: job["status"] == "completed")
    found = tenant.until("search", "GET", "/wiki?q=walrus", lambda page: page["items"])
    assert found["items"][0]["path"].startswith("sea"), found
    for _ in range(240):
        if any(event.get("type") == "session.created" for event in receiver.events):
            break
        time.sleep(0.5)
    else:
        raise SystemExit(f"no webhook: {receiver.events}")
    print(f"{name}: tenant, wiki, answer, webhook, ingest")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--aws", "--opensearch"):
        parser.add_argument(option, required=True)
    for option in ("--work", "--binaries"):
        parser.add_argument(option, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    aws = Aws(arguments.aws)
    aws.s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    upload_functions(aws, arguments.work, arguments.binaries)
    # A function of a stack calls the local AWS, and receivers on loopback.
    environment = {"AWS_ENDPOINT_URL": arguments.aws, "OUTBOUND_ALLOW_HTTP": "true", "OUTBOUND_ALLOW_LOOPBACK": "true"}
    as_transformed = json.dumps(transformed())
    parameters = {"EmbeddingProvider": "none", "Release": RELEASE}

    def template():
        return deployable(json.loads(as_transformed), arguments.opensearch, environment)

    # A resource that ministack refuses, after everything stateful and the functions.
    broken = template()
    broken["Resources"]["Refused"] = {
        "Type": "AWS::CloudWatch::Alarm",
        "DependsOn": ["Table", "Search", "DeadLetterBucket", "WidgetTokenSecret", "SecretsKey", "SweeperFunction"],
        "Properties": {"ComparisonOperator": "GreaterThanThreshold", "EvaluationPeriods": 1, "Metrics": [{"Id": "m"}]},
    }
    status = aws.deploy("one", broken, parameters)
    assert status.startswith("ROLLBACK"), status
    aws.delete("one")

    for name in ("one", "two"):
        status = aws.deploy(name, template(), parameters)
        assert status == "CREATE_COMPLETE", f"{name}: {status}\n{aws.reasons(name)}"
        print(f"{name}: {len(aws.resources(name))} resources")
    assert_nothing_shared(aws.resources("one"), aws.resources("two"))
    for name in ("one", "two"):
        use(aws, name, arguments.work, arguments.binaries)
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


def assert_nothing_shared(one, two):
    def named(resources):
        return {physical for kind, physical in resources.values() if kind not in LOCAL_NAMES}

    shared = named(one) & named(two)
    assert not shared, f"both stacks have {shared}"


main()
