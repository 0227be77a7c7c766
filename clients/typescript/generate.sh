#!/usr/bin/env bash
# Writes src/generated.ts anew from the OpenAPI document, by the pinned tools of package-lock.json: run `npm ci` first.
#
#   generate.sh [FILE]     another file than src/generated.ts
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
node_modules/.bin/redocly generate-client "${OPENAPI:-../../functions/health/openapi.json}" --output "${1:-src/generated.ts}" \
  --generator ./scripts/generator.mjs >/dev/null 2>&1 ||
  { echo "src/generated.ts cannot be generated: see node_modules/.bin/redocly generate-client" >&2; exit 1; }
