#!/usr/bin/env bash
# The verifiers of Standard Webhooks: npm standardwebhooks 1.1.1 and svix 2.5.0, PyPI standardwebhooks 1.1.0 and svix 2.9.1,
# each over one delivery that is signed correctly.
#
# Guess: they take the `Headers` of a fetch request, and `verify` returns the parsed body.
# Behaviour: in Node neither finds a header in `Headers`, because they read the keys of a plain object;
# `Object.fromEntries(headers)` is taken. `verify` of svix returns nothing, in Node and in Python.
# Output seen on 2026-11-29:
#   npm standardwebhooks, Headers: Missing required headers
#   npm standardwebhooks, object: {"id":1}
#   npm svix, Headers: Missing required headers
#   npm svix, object: undefined
#   PyPI standardwebhooks: {'id': 1}
#   PyPI svix: None
#
# Needs Node 20 or newer (svix asks for 22) and Python 3.10 or newer. Exits with 1 if the output is another one.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --prefix "$work" --silent --no-audit --no-fund standardwebhooks@1.1.1 svix@2.5.0 >&2
python3 -m venv "$work/python"
"$work/python/bin/pip" install -q --disable-pip-version-check standardwebhooks==1.1.0 svix==2.9.1 >&2
cat >"$work/verify.mjs" <<'JS'
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = '{"id":1}';
const now = new Date();
const headers = new Headers({
  "webhook-id": "evt_1",
  "webhook-timestamp": String(Math.floor(now / 1000)),
  "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
});
for (const [name, webhook] of [["standardwebhooks", new Webhook(secret)], ["svix", new Svix(secret)]]) {
  for (const [kind, given] of [["Headers", headers], ["object", Object.fromEntries(headers)]]) {
    try {
      console.log(`npm ${name}, ${kind}: ${JSON.stringify(webhook.verify(body, given))}`);
    } catch (error) {
      console.log(`npm ${name}, ${kind}: ${error.message}`);
    }
  }
}
JS
cat >"$work/verify.py" <<'PYTHON'
import base64
from datetime import datetime, timezone

from standardwebhooks import Webhook
from svix.webhooks import Webhook as Svix

secret = "whsec_" + base64.b64encode(bytes([7] * 32)).decode()
body, now = '{"id":1}', datetime.now(timezone.utc)
headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": str(int(now.timestamp())),
    "webhook-signature": Webhook(secret).sign("evt_1", now, body),
}
print("PyPI standardwebhooks:", Webhook(secret).verify(body, headers))
print("PyPI svix:", Svix(secret).verify(body, headers))
PYTHON
seen=$(node "$work/verify.mjs" && "$work/python/bin/python" "$work/verify.py")
expected="npm standardwebhooks, Headers: Missing required headers
npm standardwebhooks, object: {\"id\":1}
npm svix, Headers: Missing required headers
npm svix, object: undefined
PyPI standardwebhooks: {'id': 1}
PyPI svix: None"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "it has changed; expected: $expected" >&2; exit 1; }
