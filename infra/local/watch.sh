#!/usr/bin/env bash
# Runs the functions as on AWS, one process each, under `cargo lambda watch`, which builds a function again when its sources
# change, and the services that they need (`local --services-only`). Ctrl-C stops both.
#
#   watch.sh [OPTION of local…]        e.g. watch.sh --data=DIR --opensearch http://127.0.0.1:9200
#
# The API is at http://127.0.0.1:9100/api/v1; WATCH_PORT and SERVICES_PORT choose other ports than 9100 and 9001.
# Needs cargo-lambda; without it, Python 3.11 to install it into .services/cargo-lambda.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

port=${WATCH_PORT:-9100}
data=.local
for argument in "$@"; do
  [ "${previous:-}" != --data ] || data=$argument
  case $argument in --data=*) data=${argument#--data=} ;; esac
  previous=$argument
done
if ! command -v cargo-lambda >/dev/null; then
  tools=$(tests/services/fetch.sh cargo-lambda)
  PATH=$tools/bin:$PATH
fi

# With all members' features, as `cargo lambda watch` builds from the root with `--bin`.
cargo build --workspace --bins
rm -f "$data/functions.env"
"${CARGO_TARGET_DIR:-target}/debug/local" --services-only --port "${SERVICES_PORT:-9001}" --functions "http://127.0.0.1:$port" "$@" &
services=$!
watch=
stop() {
  # First the services, which wait for the work that functions do for them. The watcher ends its functions.
  kill "$services" 2>/dev/null && wait "$services" || true
  [ -z "$watch" ] || kill "$watch" 2>/dev/null || true
  wait
}
trap stop EXIT
trap 'exit 1' TERM INT HUP

until [ -e "$data/functions.env" ]; do
  kill -0 "$services" 2>/dev/null || exit 1
  sleep 0.1
done
cargo lambda watch -A 127.0.0.1 -P "$port" --disable-cors --env-file "$data/functions.env" &
watch=$!
wait -n "$services" "$watch"
