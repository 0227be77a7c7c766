#!/usr/bin/env bash
# standardwebhooks 1.1.1 of npm beside standardwebhooks 1.1.0 of PyPI: the signature by a secret that is no base64, given
# as its text (`format: "raw"`) there, and as its UTF-8 bytes here.
#
# Guess: npm's signs with the UTF-8 bytes of the secret, too, so that a sender in one language and a receiver in the other
# agree whatever the secret's letters are.
# Behaviour: they agree on ASCII alone. npm's takes `ü` as its one byte in Latin-1.
# Output seen on 2026-12-01:
#   npm plain-secret v1,p6NQsMzLWth/nlsTq5oslSVPNvyHmbQZrni4qovDPj4=
#   npm schlüssel v1,xs5RRf99xv7FB8R9tGP2lDwx5tn5uMg/aqYD8kYs5rY=
#   PyPI plain-secret v1,p6NQsMzLWth/nlsTq5oslSVPNvyHmbQZrni4qovDPj4=
#   PyPI schlüssel v1,mFf88VJwKPwqVdXCenHhxOmHpLwIrTVIrSZUFZVUMfY=
#   PyPI schlüssel in Latin-1 v1,xs5RRf99xv7FB8R9tGP2lDwx5tn5uMg/aqYD8kYs5rY=
#
# Needs Node 20 and Python 3.10. Exits with 1 if the output is another one.
set -euo pipefail

expected=$(sed -n 's/^#   //p' "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund standardwebhooks@1.1.1 >&2
python3 -m venv venv >&2
venv/bin/pip install -q --disable-pip-version-check standardwebhooks==1.1.0 >&2
cat >sign.mjs <<'JS'
import { Webhook } from "standardwebhooks";
for (const secret of ["plain-secret", "schlüssel"]) {
  const signed = new Webhook(secret, { format: "raw" }).sign("msg_1", new Date(1_700_000_000_000), "{}");
  console.log("npm", secret, signed);
}
JS
cat >sign.py <<'PY'
import datetime
from standardwebhooks import Webhook
at = datetime.datetime.fromtimestamp(1_700_000_000, datetime.timezone.utc)
sign = lambda secret: Webhook(secret).sign("msg_1", at, "{}")
for secret in ["plain-secret", "schlüssel"]:
    print("PyPI", secret, sign(secret.encode()))
print("PyPI schlüssel in Latin-1", sign("schlüssel".encode("latin-1")))
PY
seen=$(node sign.mjs && venv/bin/python sign.py)
echo "$seen"
[ "$seen" = "$expected" ] || { echo "it has changed; expected: $expected" >&2; exit 1; }
