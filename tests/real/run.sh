#!/usr/bin/env bash
# Runs the end-to-end tests with real servers in the place of the embedded ones.
#
#   run.sh [--opensearch] [--sqs] [--dynamodb] [--part] [FILTER…]
#
# --opensearch, --sqs and --dynamodb start OpenSearch, ElasticMQ and ministack (tests/services/start.sh) and stop them at
# the end; --opensearch=URL, --sqs=URL and --dynamodb=URL use a server that runs already. Without any of them the tests run
# on all three, one after the other. --part runs the subjects that depend most on the servers, for .ci/run, and fails if
# its tests take more than five minutes. FILTER selects tests as in `cargo test`.
# Needs Java 17 and Maven for OpenSearch and ElasticMQ, Python 3.10 for ministack.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# --part: the subjects that write and read the index, the queues and the table most, without 64 requests at once, which
# take a slow server longer than a request may last.
part=(wiki:: messages:: ingest:: --skip sixty_four)
# The whole suite leaves out what uses none of these servers, what starts processes with servers of their own, and the
# browser tests of the widget, which take minutes and use the servers as other tests do. All of these run in
# `cargo test --workspace` anyway.
unrelated=(--skip structure:: --skip template:: --skip browser:: --skip commands:: --skip process::)
# What a server cannot do:
declare -A cannot=(
  # ministack reports no consumed capacity.
  [dynamodb]=costs::
)
part_seconds=300
# A real server takes a core for itself.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-2}
is_part=
names=() filters=() urls=()
for argument in "$@"; do
  case $argument in
    --opensearch | --sqs | --dynamodb) names+=("${argument#--}") urls+=("") ;;
    --opensearch=* | --sqs=* | --dynamodb=*)
      name=${argument%%=*}
      names+=("${name#--}") urls+=("${argument#*=}")
      ;;
    --part) is_part=true filters+=("${part[@]}") ;;
    -*)
      sed -n 's/^# \{0,1\}//; 2,11p' "${BASH_SOURCE[0]}" >&2
      exit 2
      ;;
    *) filters+=("$argument") ;;
  esac
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Starts a service and sets $url. It runs until this script closes $input or ends.
start() {
  mkfifo "$work/$1.in"
  tests/services/start.sh "$1" <"$work/$1.in" >"$work/$1.out" &
  exec {input}>"$work/$1.in"
  url=
  while [ -z "$url" ]; do
    sleep 0.2
    url=$(sed -n 's/^ready //p' "$work/$1.out")
    kill -0 $! 2>/dev/null || { echo "$1 did not start" >&2; exit 1; }
  done
}

# Sets the environment variable of the server $1, which is at $2 or is started.
use() {
  local service
  case $1 in opensearch) service=opensearch ;; sqs) service=elasticmq ;; dynamodb) service=ministack ;; esac
  url=$2
  [ -n "$url" ] || start "$service"
  export "SUPPORT_TEST_${1^^}=$url"
}

# Runs tests; those of a part until its deadline.
tests() {
  local limit=() status=0
  [ -z "$is_part" ] || limit=(timeout --kill-after 10 "$((deadline > SECONDS ? deadline - SECONDS : 1))")
  "${limit[@]}" cargo test --workspace --test e2e -- "$@" || status=$?
  [ "$status" != 124 ] || echo "the part took more than $part_seconds seconds" >&2
  return "$status"
}

run() {
  local begin=$SECONDS name skipped=()
  echo "end-to-end tests over real servers: $*"
  [ ${#filters[@]} -gt 0 ] || skipped=("${unrelated[@]}")
  for name in "$@"; do
    [ -z "${cannot[$name]:-}" ] || skipped+=(--skip "${cannot[$name]}")
  done
  tests "${filters[@]}" "${skipped[@]}"
  # What changes a whole node for a moment runs alone.
  if [ -n "${SUPPORT_TEST_OPENSEARCH:-}" ] && { [ -n "$is_part" ] || [ ${#filters[@]} = 0 ]; }; then
    tests --ignored --test-threads 1 real_servers::alone
  fi
  echo "end-to-end tests over $*: $((SECONDS - begin)) s"
}

cargo test --workspace --test e2e --no-run
deadline=$((SECONDS + part_seconds))
if [ ${#names[@]} -gt 0 ]; then
  for at in "${!names[@]}"; do
    use "${names[$at]}" "${urls[$at]}"
  done
  run "${names[@]}"
else
  for name in opensearch sqs dynamodb; do
    (use "$name" "" && run "$name")
    rm -f "$work"/*.in "$work"/*.out
  done
fi
