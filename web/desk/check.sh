#!/usr/bin/env bash
# Checks the desk: its types against those of the TypeScript client, that a build gives the committed bytes of dist/, and
# the size of what the inbox loads. Needs Node 20. Works in target/desk; exits with 75 if the tools cannot be fetched.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${CARGO_TARGET_DIR:-$root/target}/desk
limit=200000
export npm_config_cache=$work/cache npm_config_update_notifier=false

mkdir -p "$work/web/desk" "$work/web/widget" "$work/clients/typescript"
exec 8>"$work/.lock"
flock 8
if ! cmp -s "$here/package-lock.json" "$work/.complete"; then
  cp "$here/package.json" "$here/package-lock.json" "$work/web/desk/"
  npm ci --prefix "$work/web/desk" --silent --no-audit --no-fund >&2 || { echo "the tools cannot be fetched" >&2; exit 75; }
  cp "$here/package-lock.json" "$work/.complete"
fi
# The same folders beside each other as in the repository: the desk shows Markdown by the code of the chat, and calls the
# API by the client.
rm -rf "$work/web/desk"/{src,languages,dist} "$work/web/widget/src" "$work/clients/typescript/src"
cp -r "$here"/{src,languages,index.html,vite.config.ts,tsconfig.json,package.json} "$work/web/desk/"
cp -r "$root/web/widget/src" "$work/web/widget/"
cp -r "$root/clients/typescript/src" "$work/clients/typescript/"
cp -r "$root/README.md" "$root/examples" "$work/"
cd "$work/web/desk"
npm run --silent build >/dev/null
diff -rq dist "$here/dist" || { echo "web/desk/dist is out of date: run npm ci && npm run build in web/desk" >&2; exit 1; }
size=0
# What the page names is loaded with it; the rest when it is opened.
for file in dist/index.html $(grep -o 'assets/[^"]*' dist/index.html | sed 's|^|dist/|'); do size=$((size + $(gzip -9 -c "$file" | wc -c))); done
[ "$size" -le "$limit" ] || { echo "the inbox loads $size bytes (gzip), more than $limit" >&2; exit 1; }
echo "the inbox loads $size bytes (gzip)"
