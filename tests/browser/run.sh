#!/usr/bin/env bash
# Tests the chat widget in a real browser, headless Chromium, against the local service.
#
#   run.sh [FILTER]      the tests whose name contains FILTER
#   run.sh chat          the chat alone
#   run.sh desk          the desk alone, with its sign-in
#   run.sh figures       the times of chat and desk; `run.sh desk-figures` those of the desk alone
#   run.sh pictures      the pictures of the widget's README
#   run.sh examples      the pages of `examples` in plain HTML, React and Vue
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
# shellcheck source=tools.sh
. "$here/tools.sh"
# shellcheck source=../services/local.sh
. "$here/../services/local.sh"

tests=$(mktemp -d "$tools/tests.XXXXXX")
trap 'stop_service; rm -rf "$tests"' EXIT
if [ -z "${SUPPORT_API_URL:-}" ] || [ -z "${SUPPORT_API_KEY:-}" ]; then
  limits=
  [ "${1:-}" != limits ] || limits=real
  start_service "$target" "$tools" ${limits:+--rate-limits "$limits"}
fi
if [ "${1:-}" = examples ]; then
  VITE_API=$SUPPORT_API_URL "$root/tests/services/frameworks-npm/build.sh" vite "$tests/pages" >&2
  export BUILT=$tests/pages/shop/dist EXAMPLES=$root/examples
fi
# Modules are found from the folder of the script that imports them.
cp "$here"/*.mjs "$tests/"
node "$tests/main.mjs" "$tools/screenshots" "${1:-}"
