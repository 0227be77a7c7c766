"""Checks signatures (SigV4) of requests with botocore, the signer of AWS's own Python SDK.

Reads a list of {"method", "target", "headers", "body"} from standard input. Signs each request anew, with the same
headers and at the same time, and ends with 1 where a signature differs. A request with one letter of its body or of its
path changed must not match.
"""

import datetime
import hashlib
import json
import sys
from unittest import mock

from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

SECRET = "local"


def computed(request, **changed):
    """The Authorization header that botocore gives the request."""
    request = {**request, **changed}
    given = {name.lower(): value for name, value in request["headers"]}
    scope, signed, _ = given["authorization"].removeprefix("AWS4-HMAC-SHA256 ").split(", ")
    key, _, region, service, _ = scope.removeprefix("Credential=").split("/")
    names = signed.removeprefix("SignedHeaders=").split(";")
    headers = {name: given[name] for name in names if name not in ("host", "x-amz-date")}
    if "x-amz-content-sha256" in headers:
        headers["x-amz-content-sha256"] = hashlib.sha256(request["body"].encode()).hexdigest()
    signer = auth.SigV4Auth(Credentials(key, SECRET), service, region)
    again = AWSRequest(request["method"], f"http://{given['host']}{request['target']}", headers, request["body"].encode())
    time = datetime.datetime.strptime(given["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    with mock.patch.object(auth, "get_current_datetime", return_value=time):
        signer.add_auth(again)
    return again.headers["Authorization"]


def main():
    requests = json.load(sys.stdin)
    wrong = 0
    for request in requests:
        given = {name.lower(): value for name, value in request["headers"]}["authorization"]
        wanted = computed(request)
        if given != wanted:
            wrong += 1
            print(f"{request['method']} {request['target']}:\n  {given}\n  {wanted}", file=sys.stderr)
        for changed in ({"body": request["body"] + "x"}, {"target": "/x" + request["target"]}):
            assert computed(request, **changed) != given, "a changed request has the same signature"
    sys.exit(1 if wrong else 0)


main()
