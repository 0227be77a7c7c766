#!/usr/bin/env bash
# Fetches the libraries of one service or tool of the tests, once, into .services/ at the root of the repository, and
# prints their folder. Two runs at a time share them.
#
#   fetch.sh NAME      e.g. fetch.sh opensearch
#
# Libraries come by Maven where there is a NAME/pom.xml, by npm where there is a NAME/package-lock.json, by Go where there
# is a NAME/go.sum, otherwise from PyPI into a Python environment by NAME/requirements.txt. Needs Java 17 and Maven,
# Node 20, Go 1.21, or Python 3.10 (`sam`: 3.11).
set -euo pipefail

name=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$here/../../.services/$name"
libraries=$(cd "$here/../../.services/$name" && pwd)

exec 8>"$libraries/.lock"
flock 8
wanted=$here/$name/pom.xml
[ -e "$wanted" ] || wanted=$here/$name/package-lock.json
[ -e "$wanted" ] || wanted=$here/$name/go.sum
[ -e "$wanted" ] || wanted=$here/$name/requirements.txt
if ! cmp -s "$wanted" "$libraries/.complete"; then
  case $wanted in
    *.xml)
      # A plugin comes as a zip: its libraries join the others.
      mvn -B -q -f "$wanted" dependency:copy-dependencies -DexcludeTypes=zip -DoutputDirectory="$libraries" >&2
      mvn -B -q -f "$wanted" dependency:unpack-dependencies -DincludeTypes=zip -Dmdep.unpack.includes='*.jar' \
        -DoutputDirectory="$libraries" >&2
      ;;
    *.json)
      cp "$here/$name/package.json" "$wanted" "$libraries/"
      npm ci --prefix "$libraries" --silent --no-audit --no-fund >&2
      ;;
    *.sum)
      cp "$here/$name/go.mod" "$wanted" "$libraries/"
      GOMODCACHE=$libraries/modules GOFLAGS=-modcacherw go -C "$libraries" mod download >&2
      ;;
    *) python3 -m venv "$libraries" >&2 && "$libraries/bin/pip" install -q --disable-pip-version-check -r "$wanted" >&2 ;;
  esac
  cp "$wanted" "$libraries/.complete"
fi
echo "$libraries"
