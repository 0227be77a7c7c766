#!/usr/bin/env bash
# Builds FOLDER/shop, an application around examples, and checks its types: `next`, or `vite` for React and Vue, whose
# pages are in FOLDER/shop/dist. Exits with 75 if the libraries cannot be fetched.
#
#   build.sh next|vite FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
libraries=$("$here/../fetch.sh" frameworks-npm) || { echo "the frameworks cannot be fetched" >&2; exit 75; }
rm -rf "$2"
mkdir -p "$2/shop/node_modules/@support-assistant"
cd "$2/shop"
# The chat is no package of a registry, so it stands beside the others.
ln -s "$libraries/node_modules" ..
ln -s "$root/web/widget" node_modules/@support-assistant/chat
cp -R "$here/$1/." "$root/examples/react/Chat.tsx" .
case $1 in
  next)
    cp -R "$root/examples/next/app" .
    # Turbopack follows no link out of the folder.
    NEXT_TELEMETRY_DISABLED=1 ../node_modules/.bin/next build --webpack
    ;;
  vite)
    cp "$root/examples/vue/Chat.vue" .
    ../node_modules/.bin/vue-tsc
    ../node_modules/.bin/vite build
    ;;
esac
