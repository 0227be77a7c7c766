#!/usr/bin/env bash
# Checks the client: that src/generated.ts is what the OpenAPI document gives, and dist what src gives, that the
# package installs into an empty folder as README.md says, stays there, and has types that a strict program can use, and the promises of README.md against the
# service that SUPPORT_API_URL and SUPPORT_API_KEY (of an admin) name. Without them, the local service is built and started
# (or the binary that LOCAL names).
# Needs Node 20. Works in target/clients/typescript; exits with 75 if the tools cannot be fetched.
#
#   check.sh [--runtimes]     also in Deno, Bun and Cloudflare's workerd, which are fetched
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${CARGO_TARGET_DIR:-$root/target}/clients/typescript
most_bytes=60000
export npm_config_cache=$work/cache npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false
export OPENAPI=$root/functions/health/openapi.json REDOCLY_TELEMETRY=off

mkdir -p "$work/package"
exec 8>"$work/.lock"
flock 8
not_fetched() { echo "the tools cannot be fetched" >&2; exit 75; }
if ! cmp -s "$here/package-lock.json" "$work/.complete"; then
  cp "$here/package.json" "$here/package-lock.json" "$work/package/"
  npm ci --prefix "$work/package" --silent >&2 || not_fetched
  cp "$here/package-lock.json" "$work/.complete"
fi
rm -rf "$work/package"/{src,dist,scripts} "$work/empty" "$work/clone"
cp -r "$here"/{src,scripts,generate.sh,tsconfig.json,package.json,README.md} "$work/package/"
cd "$work/package"
./generate.sh "$work/generated.ts"
diff -q "$work/generated.ts" "$here/src/generated.ts" >&2 ||
  { echo "clients/typescript/src/generated.ts is out of date: run npm ci && ./generate.sh in clients/typescript" >&2; exit 1; }
lines=$(cat src/{call,chat-token,client,errors,index,transport,webhooks}.ts | grep -cvE '^\s*(//|/?\*|$)')
[ "$lines" -le 350 ] || { echo "$lines lines are written by hand, more than 350" >&2; exit 1; }

npm run build --silent
diff -rq dist "$here/dist" >&2 || { echo "clients/typescript/dist is out of date: run npm ci && npm run build in clients/typescript" >&2; exit 1; }
# An empty folder, and a clone without tools: nothing is there but what a user gets.
mkdir -p "$work/empty" "$work/clone"
cp -r "$here"/{dist,package.json,README.md} "$work/clone/"
cd "$work/empty"
echo '{"private": true, "type": "module"}' >package.json
npm install --silent --prefer-offline "$(npm pack --silent "$work/clone")" >&2 || not_fetched
bytes=$(cat ./*.tgz | wc -c)
[ "$bytes" -le "$most_bytes" ] || { echo "the package has $bytes bytes, more than $most_bytes" >&2; exit 1; }
# On another machine, without the clone, and beside a later package.
rm -rf node_modules "$work/clone"
npm ci --silent --prefer-offline >&2
npm install --silent --prefer-offline fast-sha256 >&2
cp -r "$here"/test .
"$work/package/node_modules/.bin/tsc" -p test/types

# shellcheck source=../../tests/services/local.sh
. "$root/tests/services/local.sh"
trap stop_service EXIT
if [ -z "${SUPPORT_API_URL:-}" ] || [ -z "${SUPPORT_API_KEY:-}" ]; then
  start_service "${CARGO_TARGET_DIR:-$root/target}" "$work"
fi
node --test --test-reporter=spec test/*.test.mjs
node test/smoke.mjs

if [ "${1:-}" = --runtimes ]; then
  # Outside the empty folder, which stays one. Each has its program in a package of its own.
  mkdir -p "$work/runtimes"
  npm install --silent --prefix "$work/runtimes" deno@2.9.6 bun@1.4.5 miniflare@4.20260730.0 esbuild@0.28.2 >&2 || not_fetched
  bin=$work/runtimes/node_modules/.bin
  "$bin/deno" run --allow-net --allow-env test/smoke.mjs
  "$bin/bun" test/smoke.mjs
  cp test/workers.mjs "$work/runtimes/" && node "$work/runtimes/workers.mjs" "$work/empty/test/smoke.mjs"
fi
echo "the TypeScript client works: $lines lines by hand, $bytes bytes packed"
