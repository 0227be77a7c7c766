"""A function that makes the calls of a message by the usual means of Python: boto3 and urllib3."""

import json
import os
import urllib.request

import boto3
import urllib3

API = f"http://{os.environ['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation"
TABLE = os.environ["TABLE_NAME"]
CERTIFICATES = os.environ.get("SSL_CERT_FILE")
database = boto3.client("dynamodb", endpoint_url=os.environ["AWS_ENDPOINT_URL_DYNAMODB"], verify=CERTIFICATES)
index = urllib3.PoolManager(ca_certs=CERTIFICATES)


def key(name):
    return {"pk": {"S": name}, "sk": {"S": name}}


def handle():
    database.get_item(TableName=TABLE, Key=key("a"))
    database.get_item(TableName=TABLE, Key=key("b"))
    database.query(
        TableName=TABLE, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "c"}}
    )
    index.request("POST", f"{os.environ['SEARCH_ENDPOINT']}/wiki/_search", json={"scope": "s"}).json()
    database.put_item(TableName=TABLE, Item={**key("d"), "text": {"S": "message"}})
    return {"statusCode": 201, "body": "{}"}


while True:
    with urllib.request.urlopen(f"{API}/next") as invocation:
        request_id = invocation.headers["lambda-runtime-aws-request-id"]
        invocation.read()
    answer = json.dumps(handle()).encode()
    urllib.request.urlopen(urllib.request.Request(f"{API}/{request_id}/response", data=answer, method="POST")).read()
