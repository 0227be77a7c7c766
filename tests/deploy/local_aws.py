"""The local AWS (ministack): what it lacks, the template without that, and its stacks."""

import json
import pathlib
import re
import string
import subprocess
import sys
import time

import boto3

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUCKET = "artifacts"

# What ministack does not have, and the test that checks it in the transformed template instead.
LACKING = {
    "AWS::CodeDeploy::Application": "template::operation::a_new_version_takes_over_slowly_and_steps_back_by_an_alarm",
    "AWS::CodeDeploy::DeploymentGroup": "template::operation::a_new_version_takes_over_slowly_and_steps_back_by_an_alarm",
    "AWS::CloudWatch::Alarm/Metrics": "template::operation::somebody_is_told_when_something_breaks",
    "AWS::Cognito::ManagedLoginBranding": "template::desk::the_stack_owns_a_user_pool_in_which_nobody_signs_up_unless_a_provider_is_given",
    "AWS::ApiGatewayV2::Api/Body": "routes::the_committed_document_route_list_router_and_template_are_those_of_the_declarations",
    "AWS::OpenSearchService::Domain (its server)": "search_adapters::opensearch::a_write_becomes_searchable_by_itself",
    "AWS::OpenSearchService::Domain (TLS)": "template::existing_domain::with_an_existing_domain_the_stack_makes_none_and_everything_uses_the_existing_one",
    "AWS::OpenSearchService::Domain (IAM)": "permissions::roles::two_stacks_in_one_domain_have_no_right_to_each_others_index",
    "Conditions/Fn::Join": "template::parameters::functions_and_domain_are_in_the_given_vpc",
    "SetStackPolicy": "template::release::a_stack_gives_up_its_search_domain_only_when_the_deploy_command_is_told_to",
    "AWS::SecretsManager::Secret/GenerateSecretString": "template::access::the_generated_widget_secret_is_what_a_function_reads",
}


def transformed(release):
    """The template of a release as CloudFormation gets it."""
    request = json.dumps({"template": (ROOT / "template.yaml").read_text(), "parameters": {"Release": release}})
    script = [sys.executable, str(ROOT / "infra/aws/transform.py")]
    return json.loads(subprocess.run(script, input=request, capture_output=True, text=True, check=True).stdout)


def deployable(template, opensearch, environment):
    """The template without what ministack lacks, and with its routes as resources instead of a document.

    `opensearch` is the host and port of every search domain.
    """
    resources = template["Resources"]
    # A list is one text in the conditions of ministack, which does not join it.
    conditions = re.sub(r'{"Fn::Join": \["", ({"Ref": "\w+"})\]}', r"\1", json.dumps(template["Conditions"]))
    template["Conditions"] = json.loads(conditions)
    for name, resource in list(resources.items()):
        kind, properties = resource["Type"], resource.get("Properties", {})
        if kind in LACKING or kind.startswith("AWS::CodeDeploy::") or "Metrics" in properties:
            del resources[name]
        elif kind == "AWS::Lambda::Alias":
            resource.pop("UpdatePolicy", None)
        elif kind == "AWS::Lambda::Function":
            properties["Code"] = {"S3Bucket": BUCKET, "S3Key": resource["Metadata"]["BuildProperties"]["Binary"]}
            properties["Environment"]["Variables"].update(environment)
    add_routes(resources)
    text = json.dumps(with_secrets(template))
    # A domain has no TLS here. Its endpoint comes with a port, which the parameter for an existing domain does not take.
    text = text.replace("https://${Search.DomainEndpoint}", "http://${Search.DomainEndpoint}")
    port = opensearch.rpartition(":")[2]
    text = text.replace("https://${ExistingSearchDomainEndpoint}", f"http://${{ExistingSearchDomainEndpoint}}:{port}")
    return json.loads(text)


def with_secrets(template):
    """The template with generated secrets and references to them as on AWS."""
    secrets = [name for name, of in template["Resources"].items() if of["Type"] == "AWS::SecretsManager::Secret"]
    for name in secrets:
        # Of the exclusions of a generated secret, ministack knows only the characters.
        generated = template["Resources"][name]["Properties"]["GenerateSecretString"]
        excluded = string.punctuation + (string.ascii_uppercase if generated.get("ExcludeUppercase") else "")
        generated["ExcludeCharacters"] = generated.get("ExcludeCharacters", "") + excluded
    text = json.dumps(template)
    for name in secrets:
        # On AWS a reference to a secret is its ARN, in ministack its name.
        text = text.replace(json.dumps({"Ref": name}), json.dumps({"Fn::GetAtt": [name, "Id"]}))
    return json.loads(text)


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

    def create(self, name, template, parameters):
        """Creates a stack; its status in the end."""
        self.cloudformation.create_stack(**self.deployment(name, template, parameters))
        return self.wait(name)

    def update(self, name, template, parameters):
        """Changes a stack; its status in the end."""
        self.cloudformation.update_stack(**self.deployment(name, template, parameters))
        return self.wait(name)

    def deployment(self, name, template, parameters):
        self.upload(f"{name}.json", json.dumps(template).encode())
        return {
            "StackName": name,
            "TemplateURL": f"{self.url}/{BUCKET}/{name}.json",
            "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
            "Capabilities": ["CAPABILITY_IAM"],
        }

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

    def outputs(self, name):
        outputs = self.cloudformation.describe_stacks(StackName=name)["Stacks"][0]["Outputs"]
        return {output["OutputKey"]: output["OutputValue"] for output in outputs}

    def resources(self, name):
        """Physical ids by logical ones."""
        pages = self.cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
        return {
            resource["LogicalResourceId"]: (resource["ResourceType"], resource.get("PhysicalResourceId", ""))
            for page in pages
            for resource in page["StackResourceSummaries"]
        }
