#!/usr/bin/env bash
# html-to-markdown-rs 3.19.1: numbers of an HTML page in the Markdown that `convert` makes with its default options.
#
# Guess: something stands between a number and a raised one (`5^1`, `5 1` or an HTML tag); a list with `reversed` counts
# down, as browsers show it; a table whose heads are those of rows gets an empty head row.
# Behaviour: raised digits are joined to the number before them, so five devices with a footnote become 51, and a million
# becomes 106. The reversed list counts up. The first row of the table becomes its head.
# Output seen on 2026-11-30:
#   "Up to 51 devices and 106 rows.\n"
#   "1. Third\n2. Second\n"
#   "| Plan  | Starter |\n| ----- | ------- |\n| Price | 5 EUR   |\n"
#
# Needs cargo. Exits with 1 if the output is another one.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
cat >"$work/Cargo.toml" <<'TOML'
[package]
name = "numbers"
version = "0.0.0"
edition = "2024"

[dependencies]
html-to-markdown-rs = "=3.19.1"
TOML
cat >"$work/src/main.rs" <<'RUST'
fn main() {
    for html in [
        "<p>Up to 5<sup>1</sup> devices and 10<sup>6</sup> rows.</p>",
        "<ol reversed><li>Third</li><li>Second</li></ol>",
        "<table><tr><th>Plan</th><td>Starter</td></tr><tr><th>Price</th><td>5 EUR</td></tr></table>",
    ] {
        println!("{:?}", html_to_markdown_rs::convert(html, None).unwrap().content.unwrap());
    }
}
RUST
seen=$(cargo run --quiet --manifest-path "$work/Cargo.toml" --target-dir "$work/target")
expected='"Up to 51 devices and 106 rows.\n"
"1. Third\n2. Second\n"
"| Plan  | Starter |\n| ----- | ------- |\n| Price | 5 EUR   |\n"'
echo "$seen"
[ "$seen" = "$expected" ] || { echo "it has changed; expected: $expected" >&2; exit 1; }
