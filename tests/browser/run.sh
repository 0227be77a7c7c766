#!/usr/bin/env bash
# Tests the chat widget in a real browser, headless Chromium, against the local service.
#
#   run.sh [FILTER]      the tests whose name contains FILTER
#   run.sh chat          the chat alone
#   run.sh desk          the desk alone, with its sign-in
#   run.sh figures       the times of chat and desk; `run.sh desk-figures` those of the desk alone
#   run.sh pictures      the pictures of the widget's README
#   run.sh limits        the widget's polling under the limits of the API (two minutes)
#
# Needs Node 20 and Chromium without a window: Debian's package chromium-headless-shell, which takes two thirds of the
# processor time of chromium. As root it is installed where it is missing; without it, chromium is used. The tools are
# fetched once, in the pinned versions, into target/browser; a screenshot of each state is kept in
# target/browser/screenshots, or with SCREENSHOTS=failures one of each failure. Exits with 75 if tools or browser cannot
# be had, or the browser does not start.
#
# The service is the one that SUPPORT_API_URL, SUPPORT_API_KEY and SUPPORT_DESK_URL (the printed address of the desk) name,
# with a demo tenant; LOCAL then names the binary for the test that starts and kills a service of its own. Without them,
# the local service is built (or is the binary that LOCAL names), started on a free port with an empty data folder, and
# stopped at the end.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
tools=$target/browser
export npm_config_cache=$tools/cache PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1

fetch() {
  if ! cmp -s "$here/package-lock.json" "$tools/.complete"; then
    cp "$here/package.json" "$here/package-lock.json" "$tools/"
    npm ci --prefix "$tools" --silent --no-audit --no-fund >&2 || return 1
    cp "$here/package-lock.json" "$tools/.complete"
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

# shellcheck source=../services/local.sh
. "$here/../services/local.sh"

# Runs beside each other install once, and then do not wait for each other.
mkdir -p "$tools"
exec 8>"$tools/.lock"
flock 8
fetch || { echo "the tools cannot be fetched" >&2; exit 75; }
CHROMIUM=$(browser) || { echo "Chromium is not installed" >&2; exit 75; }
export CHROMIUM
exec 8>&-
tests=$(mktemp -d "$tools/tests.XXXXXX")
trap 'stop_service; rm -rf "$tests"' EXIT
if [ -z "${SUPPORT_API_URL:-}" ] || [ -z "${SUPPORT_API_KEY:-}" ]; then
  limits=
  [ "${1:-}" != limits ] || limits=real
  start_service "$target" "$tools" ${limits:+--rate-limits "$limits"}
fi
# Modules are found from the folder of the script that imports them.
cp "$here"/*.mjs "$tests/"
node "$tests/main.mjs" "$tools/screenshots" "${1:-}"
