#!/usr/bin/env python3
"""Prints how large the project is, as Markdown tables: lines, public items, types, words of the documents, binaries.

    tests/figures.py [--check] [TARGET]

TARGET is cargo's target folder (`target`); its release binaries are listed if they are built. With `--check`, only the budgets
are printed, and a figure above its budget fails. A budget is lowered with each change that makes the project smaller; it is
raised only by `LINES_OF_AN_OPERATION` and `FILES_OF_AN_OPERATION` for each operation that is added to the API. A line counts if it holds
code of the product: blank lines, comments and tests do not. Lines of formatted code are read, so a module of tests ends
at the first line that is a brace under its first letter.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = re.compile(r"\s*pub (?:const |async |unsafe )*(?:fn|struct|enum|trait|type|const|static|mod|use)\b")
# An indented `type` belongs to an implementation.
TYPE = re.compile(r"\s*(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait) [A-Z]|(?:pub(?:\([^)]*\))? )?type [A-Z]")
TEST_MARK = "#[cfg(test)]"
# Pure functions on text, pages and answers: they know no word of the product.
ENGINES = ("shared/text", "shared/page", "shared/answer")
# The most lines of code, files of all crates, and words of `docs/*.md`. The product's holds for `OPERATIONS` of the API.
BUDGETS = {"product": 40_040, "engines": 15_550, "local and ops": 9_020, "files": 402, "words of docs/": 30_000}
OPERATIONS, LINES_OF_AN_OPERATION, FILES_OF_AN_OPERATION = 97, 400, 1


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


def measured(crates, words):
    """The figures that have a budget, by its name."""
    part = lambda name: "engines" if name in ENGINES else "local and ops" if name.startswith("infra/") else "product"
    figures = dict.fromkeys(BUDGETS, 0)
    for name, files in crates.items():
        figures[part(name)] += sum(map(len, files.values()))
        figures["files"] += len(files)
    figures["words of docs/"] = words
    return figures


def check(figures):
    paths = json.loads((ROOT / "functions/health/openapi.json").read_text())["paths"].values()
    operations = sum(method in ("get", "put", "post", "patch", "delete") for path in paths for method in path)
    more = operations - OPERATIONS
    added = {"product": LINES_OF_AN_OPERATION * more, "files": FILES_OF_AN_OPERATION * more}
    rows = [(name, figures[name], budget + added.get(name, 0)) for name, budget in BUDGETS.items()]
    table(("figure", "number", "budget"), *rows)
    return all(number <= budget for _, number, budget in rows)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    target = Path(arguments[0]) if arguments else ROOT / "target"
    crates = {}
    for manifest in sorted(ROOT.glob("*/*/Cargo.toml")):
        crate = manifest.parent
        if crate.parent.name in ("shared", "functions", "infra"):
            crates[crate.relative_to(ROOT).as_posix()] = product(crate)

    words = {path.name: len(path.read_text().split()) for path in sorted((ROOT / "docs").glob("*.md"))}
    if "--check" in sys.argv:
        sys.exit(0 if check(measured(crates, sum(words.values()))) else "a figure is above its budget")

    rows = [
        (name, len(files), sum(map(len, files.values())), count(PUBLIC, files)) for name, files in crates.items()
    ]
    total = ("**all**", *(sum(row[column] for row in rows) for column in (1, 2, 3)))
    table(("crate", "files", "lines", "public items"), *rows, total)

    tables = {path: lines for path, lines in crates["shared/support"].items() if "table" in path.with_suffix("").parts}
    conversation = re.compile(r"impl(?:<[^>]*>)? ConversationService\b")
    turn = [path for files in crates.values() for path, lines in files.items() if any(map(conversation.match, lines))]
    table(
        ("figure", "number"),
        ("types in tables", count(TYPE, tables)),
        ("files that hold `impl ConversationService`", len(turn)),
        *((f"words of docs/{name}", number) for name, number in words.items()),
        ("words of docs/", sum(words.values())),
    )

    names = [name.split("/")[1] for name in crates if not name.startswith("shared/")]
    built = [(name, path.stat().st_size) for name in names if (path := target / "release" / name).is_file()]
    if built:
        table(("binary", "bytes"), *built)


main()
