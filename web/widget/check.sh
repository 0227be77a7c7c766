#!/usr/bin/env bash
# Checks the widget: types, that a build gives the committed bytes of dist/, the size of the main file, and that npm takes
# the package. Needs Node 20. Works in target/widget; exits with 75 if the tools cannot be fetched.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${CARGO_TARGET_DIR:-$here/../../target}/widget
limit=18944
export npm_config_cache=$work/cache npm_config_update_notifier=false

mkdir -p "$work/package"
exec 8>"$work/.lock"
flock 8
if ! cmp -s "$here/package-lock.json" "$work/.complete"; then
  cp "$here/package.json" "$here/package-lock.json" "$work/package/"
  npm ci --prefix "$work/package" --silent --no-audit --no-fund >&2 || { echo "the tools cannot be fetched" >&2; exit 75; }
  cp "$here/package-lock.json" "$work/.complete"
fi
rm -rf "$work/package/src" "$work/package/languages" "$work/package/dist"
cp -r "$here"/{src,languages,build.mjs,tsconfig.json,package.json,README.md,support-chat.d.ts} "$work/package/"
cd "$work/package"
node_modules/.bin/tsc
node build.mjs
diff -rq dist "$here/dist" || { echo "web/widget/dist is out of date: run npm ci && npm run build in web/widget" >&2; exit 1; }
size=$(gzip -9 -c dist/support-chat.js | wc -c)
[ "$size" -le "$limit" ] || { echo "the main file has $size bytes (gzip), more than $limit" >&2; exit 1; }
npm pack --dry-run --silent >/dev/null
echo "the main file has $size bytes (gzip)"
