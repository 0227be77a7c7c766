#!/usr/bin/env bash
# Deploys template.yaml three times, side by side, into a local AWS (ministack), with the real function binaries and a real
# OpenSearch, and uses the stacks from tenant to webhook. Everything is on loopback and ends with the script.
#
#   tests/deploy/run.sh      takes about four minutes; needs Rust, Python 3.11, Java 17 and Maven
#
# stacks.py says what is checked, and what the local AWS lacks and how that is replaced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cargo build --workspace --bins
python=$(tests/services/fetch.sh sam)/bin/python
work=$(mktemp -d)
services=()
stop() {
  for service in "${services[@]}"; do
    kill -TERM "$service" 2>/dev/null || true
  done
  wait
  rm -rf "$work"
}
trap stop EXIT

# Starts a service and prints its address. The service ends when this script does: it holds the other end of its input.
start() {
  mkfifo "$work/$1.in"
  sleep infinity >"$work/$1.in" &
  services+=($!)
  tests/services/start.sh "$1" <"$work/$1.in" >"$work/$1.out" &
  services+=($!)
  for _ in $(seq 1 1200); do
    if grep -q '^ready ' "$work/$1.out"; then
      address=$(sed -n 's/^ready //p' "$work/$1.out")
      return
    fi
    sleep 0.2
  done
  echo "$1 did not start" >&2
  exit 1
}
# The functions that ministack starts have its environment: a region, and credentials of nobody.
export AWS_DEFAULT_REGION=eu-central-1 AWS_REGION=eu-central-1 AWS_EC2_METADATA_DISABLED=true
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
start opensearch && opensearch=$address
# The endpoint of every search domain that ministack makes.
export MINISTACK_OPENSEARCH_ENDPOINT=${opensearch#http://}
start ministack && ministack=$address

"$python" tests/deploy/stacks.py --aws "$ministack" --opensearch "$opensearch" --work "$work" --binaries "${CARGO_TARGET_DIR:-target}/debug"
