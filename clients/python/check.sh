#!/usr/bin/env bash
# Checks the client against the service that SUPPORT_API_URL and SUPPORT_API_KEY name: the generated files are what the OpenAPI
# document says, types, tests, and the built package in a folder of its own.
#
# The tools are fetched once, in the versions of requirements.txt, into target/clients/python. Needs Python 3.10 or newer. Exits
# with 75 if they cannot be fetched.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${CARGO_TARGET_DIR:-$root/target}"
tools=$(cd "${CARGO_TARGET_DIR:-$root/target}" && pwd)/clients/python
mkdir -p "$tools"
export PIP_CACHE_DIR=$tools/cache PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
export OPENAPI=$root/functions/health/openapi.json

# A second run waits: what is built is shared, too.
exec 8>"$tools/.lock"
flock 8
if ! cmp -s "$here/requirements.txt" "$tools/.complete"; then
  python3 -m venv --clear "$tools/venv" >&2 && "$tools/venv/bin/pip" install -q -r "$here/requirements.txt" >&2 ||
    { echo "the tools cannot be fetched" >&2; exit 75; }
  cp "$here/requirements.txt" "$tools/.complete"
fi

# The work tree stays as it is.
copy=$tools/client
rm -rf "$copy" "$tools/made" "$tools/user"
mkdir -p "$copy" "$tools/user"
cp -RL "$here/." "$copy/"
cd "$copy"
PYTHON=$tools/venv/bin/python "$here/generate.sh" --check
"$tools/venv/bin/ruff" check -q --no-cache src generate tests
"$tools/venv/bin/ruff" format -q --no-cache --check src generate tests
"$tools/venv/bin/mypy" --cache-dir "$tools/mypy" src

# What is built is installed beside the pinned libraries, and tested and type-checked from there.
"$tools/venv/bin/python" -m build -q --no-isolation --outdir "$tools/made" . >&2
python3 -m venv "$tools/user/venv"
echo "$tools/venv/lib/python"*/site-packages >"$(echo "$tools/user/venv/lib/python"*/site-packages)/pinned.pth"
user=$tools/user/venv/bin/python
"$user" -m pip install -q --no-index --no-deps "$tools/made/"*.whl >&2
cp tests/sample.py tests/wrong.py "$tools/user/"
cd "$tools/user"
checked() {
  "$tools/venv/bin/mypy" --cache-dir "$tools/mypy-user" --strict --python-executable "$user" "$@"
}
checked sample.py
diff <(checked wrong.py | sed -n 's/^wrong.py:\([0-9]*\): error.*/\1/p' | sort -nu) <(grep -n '# wrong$' wrong.py | cut -d: -f1) ||
  { echo "other lines of wrong.py are refused than those marked" >&2; exit 1; }
"$user" sample.py
"$user" -m pytest -q -p no:cacheprovider --rootdir "$copy/tests" "$copy/tests"
ls -l "$tools/made" | awk 'NR > 1 { print $NF ": " $5 " bytes" }'
echo "the Python client works"
