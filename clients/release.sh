#!/usr/bin/env bash
# Checks both clients, packs them into target/clients/release, and says how to publish them. Publishes nothing.
#
#   release.sh VERSION     the version that both have
set -euo pipefail

version=${1:?which version?}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../target}
mkdir -p "$target/clients/release"
packed=$(cd "$target/clients/release" && pwd)

for file in typescript/package.json typescript/package-lock.json typescript/src/client.ts python/pyproject.toml; do
  grep -qE "\"?(version|VERSION)\"?( =|:) \"$version\"" "$here/$file" || { echo "clients/$file has another version" >&2; exit 1; }
done
[ -z "$(git -C "$here" status --porcelain .)" ] || { echo "clients/ has changes that no commit has" >&2; exit 1; }
"$here/typescript/check.sh"
"$here/python/check.sh"
rm -f "$packed"/*
(cd "$here/typescript" && npm pack --silent --pack-destination "$packed" >/dev/null)
"$target/clients/python/venv/bin/python" -m build -q --no-isolation --outdir "$packed" "$target/clients/python/client" >&2
echo "git tag clients-$version && git push origin clients-$version"
echo "npm publish --access public $packed/support-assistant-client-$version.tgz"
echo "python3 -m twine upload $packed/*-$version*.whl $packed/*-$version.tar.gz"
