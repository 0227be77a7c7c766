#!/usr/bin/env bash
# Fetches the libraries of one service or tool of the tests, once, into .services/ at the root of the repository, and
# prints their folder. Two runs at a time share them.
#
#   fetch.sh NAME      e.g. fetch.sh opensearch
#
# Libraries come by Maven where there is a NAME/pom.xml, by npm where there is a NAME/package-lock.json, by Go where there
# is a NAME/go.sum, as packages of Debian or Ubuntu, which are only unpacked, where there is a NAME/packages.txt, otherwise
# from PyPI into a Python environment by NAME/requirements.txt. Needs Java 17 and Maven, Node 20, Go 1.21, apt-get, or
# Python 3.10 (`sam`: 3.11).
set -euo pipefail

# Makes bin/PROGRAM in a folder, which runs the interpreter of that name with the packages of a list, and those that they
# need, as far as they are not installed. Needs no root.
unpack() {
  local program=$1 folder=$2 wanted names package
  mkdir -p "$folder/bin" "$folder/apt/archives/partial" "$folder/apt/lists/partial"
  apt() {
    apt-get -qq -o Dir::Cache="$folder/apt" -o Dir::State::Lists="$folder/apt/lists" -o Debug::NoLocking=1 \
      -o APT::Sandbox::User=root "$@"
  }
  mapfile -t wanted <"$3"
  apt update
  names=$(apt install --no-install-recommends -s "${wanted[@]}" | awk '/^Inst/ && $3 !~ /^\[/ { print $2 }')
  # shellcheck disable=SC2086
  (cd "$folder/apt" && apt download $names)
  for package in "$folder"/apt/*.deb; do
    dpkg -x "$package" "$folder"
  done
  rm -rf "$folder/apt"
  cat >"$folder/bin/$program" <<END
#!/usr/bin/env bash
shopt -s nullglob
interpreters=($folder/usr/bin/$program[0-9]* /usr/bin/$program)
native=($folder/usr/lib/*-linux-gnu*/) modules=($folder/usr/{lib,lib/*-linux-gnu*}/ruby/{vendor_ruby,vendor_ruby/[0-9]*,[0-9]*}/)
gems=($folder/usr/{share,lib/*-linux-gnu*}/rubygems-integration/*/)
IFS=:
export LD_LIBRARY_PATH=\${native[*]} RUBYLIB=\${modules[*]} GEM_PATH=\${gems[*]}
exec "\$interpreters" "\$@"
END
  chmod +x "$folder/bin/$program"
}

name=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$here/../../.services/$name"
# npm takes a folder behind a link for another package.
libraries=$(cd "$here/../../.services/$name" && pwd -P)

exec 8>"$libraries/.lock"
flock 8
wanted=$here/$name/pom.xml
[ -e "$wanted" ] || wanted=$here/$name/package-lock.json
[ -e "$wanted" ] || wanted=$here/$name/go.sum
[ -e "$wanted" ] || wanted=$here/$name/packages.txt
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
    *packages.txt) unpack "$name" "$libraries" "$wanted" >&2 ;;
    *) python3 -m venv "$libraries" >&2 && "$libraries/bin/pip" install -q --disable-pip-version-check -r "$wanted" >&2 ;;
  esac
  cp "$wanted" "$libraries/.complete"
fi
echo "$libraries"
