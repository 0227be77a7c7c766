#!/usr/bin/env python3
"""Prints how large the project is, as Markdown tables: lines, public items, types, words of the documents, binaries.

    tests/figures.py [TARGET]

TARGET is cargo's target folder (`target`); its release binaries are listed if they are built. A line counts if it holds
code of the product: blank lines, comments and tests do not. Lines of formatted code are read, so a module of tests ends
at the first line that is a brace under its first letter.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = re.compile(r"\s*pub (?:const |async |unsafe )*(?:fn|struct|enum|trait|type|const|static|mod|use)\b")
# An indented `type` belongs to an implementation.
TYPE = re.compile(r"\s*(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait) [A-Z]|(?:pub(?:\([^)]*\))? )?type [A-Z]")
TEST_MARK = "#[cfg(test)]"


def without_tests(text):
    """The lines of a file outside its modules of tests, and the names of those that are files of their own."""
    kept, files = [], []
    lines = iter(text.splitlines())
    for line in lines:
        if line.strip() != TEST_MARK:
            kept.append(line)
            continue
        marked = next(lines, "")
        path = re.match(r'\s*#\[path = "(.+)"\]', marked)
        if path:
            files.append(path[1])
            marked = next(lines, "")
        declared = re.match(r"\s*(?:pub(?:\([^)]*\))? )?mod (\w+)( \{|;)$", marked)
        if not declared:
            kept.append(marked)
        elif declared[2] == ";":
            files.append(declared[1])
        else:
            end = marked[: len(marked) - len(marked.lstrip())] + "}"
            while next(lines, end) != end:
                pass
    return kept, files


def product(crate):
    """The lines of code of each file of a crate that is shipped."""
    code, tests = {}, set()
    for path in sorted((crate / "src").rglob("*.rs")):
        lines, modules = without_tests(path.read_text())
        inner = path.parent if path.name in ("mod.rs", "lib.rs", "main.rs") else path.with_suffix("")
        for module in modules:
            tests.add(path.parent / module if module.endswith(".rs") else inner / f"{module}.rs")
        code[path] = [line for line in lines if line.strip() and not line.lstrip().startswith("//")]
    folders = {path.with_suffix("") for path in tests}
    return {
        path: lines
        for path, lines in code.items()
        if path not in tests and not folders.intersection(path.parents)
    }


def count(pattern, files):
    return sum(bool(pattern.match(line)) for lines in files.values() for line in lines)


def table(*rows):
    """A table whose first row is its head."""
    for number, row in enumerate(rows):
        print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in row) + " |")
        if number == 0:
            print("|---|" + "---:|" * (len(row) - 1))
    print()


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "target"
    crates = {}
    for manifest in sorted(ROOT.glob("*/*/Cargo.toml")):
        crate = manifest.parent
        if crate.parent.name in ("shared", "functions", "infra"):
            crates[crate.relative_to(ROOT).as_posix()] = product(crate)

    rows = [
        (name, len(files), sum(map(len, files.values())), count(PUBLIC, files)) for name, files in crates.items()
    ]
    total = ("**all**", *(sum(row[column] for row in rows) for column in (1, 2, 3)))
    table(("crate", "files", "lines", "public items"), *rows, total)

    store = {path: lines for path, lines in crates["shared/aws"].items() if "store" in path.parts}
    conversation = re.compile(r"impl(?:<[^>]*>)? ConversationService\b")
    turn = [path for files in crates.values() for path, lines in files.items() if any(map(conversation.match, lines))]
    words = {path.name: len(path.read_text().split()) for path in sorted((ROOT / "docs").glob("*.md"))}
    table(
        ("figure", "number"),
        ("types in `store`", count(TYPE, store)),
        ("files that hold `impl ConversationService`", len(turn)),
        *((f"words of docs/{name}", number) for name, number in words.items()),
        ("words of docs/", sum(words.values())),
    )

    names = [name.split("/")[1] for name in crates if not name.startswith("shared/")]
    built = [(name, path.stat().st_size) for name in names if (path := target / "release" / name).is_file()]
    if built:
        table(("binary", "bytes"), *built)


main()
