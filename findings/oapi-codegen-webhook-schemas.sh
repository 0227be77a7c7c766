#!/usr/bin/env bash
# oapi-codegen 2.8.2 over an OpenAPI 3.1 document in which only `webhooks` uses a schema.
#
# Guess: the schema becomes a Go type, as those of `paths` do, because the types of the webhook's body name it.
# Behaviour: it exits with 0 and leaves the type out, so what it wrote does not compile. `output-options: skip-prune: true`
# keeps the type, as does any use of the schema in `paths`.
# Output seen on 2026-11-29:
#   generated: 0
#   ./client.go: undefined: Event
#   with skip-prune: compiles
#
# Needs Go 1.26. Exits with 1 if the output is another one.
set -euo pipefail

work=$(mktemp -d)
export GOPATH=$work/gopath GOFLAGS="-mod=mod -modcacherw" GOTOOLCHAIN=local
trap 'rm -rf "$work"' EXIT
mkdir "$work/example" && cd "$work/example"
cat >openapi.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": {"title": "Orders", "version": "1"},
  "paths": {"/orders": {"get": {"operationId": "listOrders", "responses": {"204": {"description": "None."}}}}},
  "webhooks": {
    "event": {
      "post": {
        "operationId": "receiveEvent",
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {"204": {"description": "Taken."}}
      }
    }
  },
  "components": {"schemas": {"Event": {"type": "object", "properties": {"id": {"type": "string"}}}}}
}
JSON
printf 'package: example\noutput: client.go\ngenerate: {models: true, client: true}\n' >pruned.yaml
(cat pruned.yaml && printf 'output-options: {skip-prune: true}\n') >whole.yaml
printf 'module example\n\ngo 1.26\n' >go.mod
go get -tool github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 >/dev/null 2>&1
go get github.com/oapi-codegen/runtime@v1.9.0 >/dev/null 2>&1
built() { go build ./... 2>&1 | sed -n 's/^\(\.\/client\.go\):[0-9:]*/\1:/p'; }
seen=$(
  status=0
  go tool oapi-codegen --config pruned.yaml openapi.json >/dev/null 2>&1 || status=$?
  echo "generated: $status"
  built
  go tool oapi-codegen --config whole.yaml openapi.json >/dev/null 2>&1
  [ -n "$(built)" ] || echo "with skip-prune: compiles"
)
expected='generated: 0
./client.go: undefined: Event
with skip-prune: compiles'
echo "$seen"
[ "$seen" = "$expected" ] || { echo "it has changed; expected: $expected" >&2; exit 1; }
