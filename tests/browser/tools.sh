#!/usr/bin/env bash
# The Node modules and the browser of the tests; sourced. Sets `target`, `tools` (the folder of the modules) and CHROMIUM,
# or exits with 75.

browser_tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$browser_tests/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
tools=$target/browser
export npm_config_cache=$tools/cache PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1

fetch() {
  command -v node >/dev/null || return 1
  if ! cmp -s "$browser_tests/package-lock.json" "$tools/.complete"; then
    cp "$browser_tests/package.json" "$browser_tests/package-lock.json" "$tools/"
    npm ci --prefix "$tools" --silent --no-audit --no-fund >&2 || return 1
    cp "$browser_tests/package-lock.json" "$tools/.complete"
  fi
}

browser() {
  local package
  for package in chromium-headless-shell chromium; do
    command -v "$package" && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      apt-get install -y -qq "$package" >&2 || { apt-get update -qq >&2 && apt-get install -y -qq "$package" >&2; } || true
    fi
    command -v "$package" && return
  done
  command -v chromium-browser
}

# Runs beside each other install once, and then do not wait for each other.
mkdir -p "$tools"
exec 8>"$tools/.lock"
flock 8
fetch || { echo "the tools cannot be fetched" >&2; exit 75; }
CHROMIUM=$(browser) || { echo "Chromium is not installed" >&2; exit 75; }
export CHROMIUM
exec 8>&-
