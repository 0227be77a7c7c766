#!/usr/bin/env python3
"""Prints the slowest end-to-end tests as a table: processor and wall seconds, one test at a time.

    tests/slowest.py [NUMBER] [FILTER…]      20 by default; filters as of `cargo test`

Processor time is that of the tests' process and of the child processes that it waited for. It hardly depends on what
else the machine does; the difference to the wall time is waiting. Linux.
"""

import json
import os
import re
import subprocess
import sys

TICKS = os.sysconf("SC_CLK_TCK")


def main():
    filters = sys.argv[1:]
    number = int(filters.pop(0)) if filters and filters[0].isdigit() else 20
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    build = ["cargo", "test", "--workspace", "--test", "e2e", "--no-run"]
    built = subprocess.run(build, cwd=root, stderr=subprocess.PIPE, text=True, check=True).stderr
    binary = os.path.join(root, re.search(r"\((.*/e2e-[0-9a-f]+)\)", built)[1])
    options = ["--test-threads", "1", "-Z", "unstable-options", "--format", "json", "--report-time"]
    # The test library of the stable compiler gives times under this variable only.
    env = os.environ | {"RUSTC_BOOTSTRAP": "1"}
    command = [binary, *options, *filters]
    process = subprocess.Popen(command, cwd=os.path.join(root, "tests"), env=env, stdout=subprocess.PIPE, text=True)
    tests, before, failed = [], 0.0, []
    for line in process.stdout:
        event = json.loads(line)
        if event["type"] == "test" and event["event"] in ("ok", "failed"):
            now = processor_seconds(process.pid)
            tests.append((now - before, event["exec_time"], event["name"]))
            before = now
            if event["event"] == "failed":
                failed.append(f"{event['name']}\n{event.get('stdout', '')}")
    process.wait()
    processor, wall = (sum(test[column] for test in tests) for column in (0, 1))
    print(f"{len(tests)} tests: {processor:.0f} s of a processor, {wall:.0f} s\n")
    print("| test | processor s | s |\n|---|---|---|")
    for processor, wall, name in sorted(tests, reverse=True)[:number]:
        print(f"| `{name}` | {processor:.1f} | {wall:.1f} |")
    sys.exit("\n".join(["", *failed]) if failed else 0)


def processor_seconds(pid):
    """Of a process and of its children that have ended."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / TICKS


if __name__ == "__main__":
    main()
