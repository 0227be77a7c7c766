#!/usr/bin/env bash
# Compares entries with what Chromium shows of their sources.
#
#   MIRROR=FOLDER run.sh [--show] [--repo NAME]      real files, a table by repository
#   run.sh property [SEED]                           fixtures and generated pages: any difference fails
#
# FOLDER holds clones of the repositories of sources.jsonl as owner+name/repo; nothing of them is stored here. `--show`
# prints each difference. Needs what tests/browser/run.sh needs, for real files Python 3 too, and ends with 75 if that
# cannot be had. FIDELITY names the binary that makes the entries; without it, it is built.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../browser/tools.sh
. "$here/../browser/tools.sh"

if [ -z "${FIDELITY:-}" ]; then
  cargo build -q --manifest-path "$root/Cargo.toml" -p fidelity
  FIDELITY=$target/debug/fidelity
fi
export FIDELITY
tests=$(mktemp -d "$tools/tests.XXXXXX")
trap 'rm -rf "$tests"' EXIT
# Modules are found from the folder of the script that imports them.
cp "$here"/*.mjs "$here/mkdocs.py" "$here/../browser/launch.mjs" "$tests/"
if [ "${1:-}" = property ]; then
  node "$tests/property.mjs" "$root/shared/page/tests/pages" "${@:2}"
else
  # Python-Markdown renders the sources of MkDocs.
  PYTHON=$tools/python/bin/python
  export PYTHON
  if [ ! -e "$tools/python/.complete" ]; then
    python3 -m venv "$tools/python" &&
      "$tools/python/bin/pip" install -q Markdown==3.11.3 pymdown-extensions==13.1.2 Pygments==2.21.0 >&2 ||
      { echo "Python-Markdown cannot be fetched" >&2; exit 75; }
    touch "$tools/python/.complete"
  fi
  node "$tests/measure.mjs" "${MIRROR:?the folder of the clones}" "$here/sources.jsonl" "$@"
fi
