#!/usr/bin/env bash
# Holds the OpenAPI document and the service to each other, with tools of other languages.
#
#   run.sh schemathesis [OPTION...]   every operation, with generated requests; options go to `schemathesis run`
#   run.sh go                         a client that oapi-codegen generates, compiled and in use
#
# The service is the one that SUPPORT_API_URL and SUPPORT_API_KEY name. Without them, the local service is built,
# started on a free port with an empty data folder, and stopped at the end (or the binary that LOCAL names is).
#
# The tools are fetched once, in the versions that are pinned beside this script, into target/contract; nothing is written
# elsewhere. Needs Python 3.10 for the first, Go 1.26 for the last. Exits with 75 if the tools cannot be fetched.
set -euo pipefail

kind=$1
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${CARGO_TARGET_DIR:-$root/target}"
target=$(cd "${CARGO_TARGET_DIR:-$root/target}" && pwd)
tools=$target/contract/$kind
document=$root/functions/health/openapi.json
export PIP_CACHE_DIR=$target/contract/cache/pip
export GOMODCACHE=$target/contract/cache/go GOCACHE=$target/contract/cache/go-build GOFLAGS=-modcacherw GOTOOLCHAIN=local
export PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=$tools/hypothesis

# Fetches the tools unless they are there in the pinned versions. The lock is held to the end of the script: a second run
# waits, because what is generated is shared, too.
fetch() {
  mkdir -p "$tools"
  exec 8>"$tools/.lock"
  flock 8
  local wanted=$here/$kind/$pins
  if cmp -s "$wanted" "$tools/.complete"; then
    return
  fi
  rm -f "$tools/.generated"
  case $pins in
    requirements.txt)
      python3 -m venv --clear "$tools/venv" >&2 &&
        "$tools/venv/bin/pip" install -q --disable-pip-version-check -r "$wanted" >&2
      ;;
    go.sum) cp "$here/$kind/go.mod" "$wanted" "$tools/" && go -C "$tools" mod download >&2 ;;
  esac && cp "$wanted" "$tools/.complete"
}

# shellcheck source=../services/local.sh
. "$here/../services/local.sh"

run_schemathesis() {
  cd "$here/schemathesis"
  "$tools/venv/bin/schemathesis" run "$document" --url "$SUPPORT_API_URL" "$@"
}
# Whether the client was generated from these files; else they are noted, for `is_generated`.
is_new() {
  cat "$@" >"$tools/.generating"
  ! cmp -s "$tools/.generating" "$tools/.generated"
}
is_generated() {
  mv "$tools/.generating" "$tools/.generated"
}
run_go() {
  cd "$tools"
  if is_new "$document" "$here/go/client.go"; then
    mkdir -p support
    cp "$here/go/client.go" .
    go tool oapi-codegen -generate types,client -package support -o support/support.go "$document" >&2
    go build -o client . >&2
    is_generated
  fi
  ./client
}

case $kind in
  schemathesis) pins=requirements.txt ;;
  go) pins=go.sum ;;
  *) echo "usage: $0 schemathesis|go" >&2; exit 2 ;;
esac
fetch || { echo "the tools cannot be fetched" >&2; exit 75; }
trap stop_service EXIT
if [ -z "${SUPPORT_API_URL:-}" ] || [ -z "${SUPPORT_API_KEY:-}" ]; then
  start_service "$target" "$target/contract"
fi
"run_$kind" "$@"
