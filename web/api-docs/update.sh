#!/usr/bin/env bash
# Replaces the viewer by the one of another version of its npm package.
#
#   update.sh VERSION
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent "openapi-explorer@$1" >/dev/null
tar -xzf openapi-explorer-*.tgz
cp package/dist/browser/openapi-explorer.min.js package/LICENSE "$here/"
