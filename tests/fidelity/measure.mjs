// Measures sources and prints a table by repository; with `--show` every difference too.
//
//   node measure.mjs MIRROR SOURCES [--show] [--repo NAME]
//
// MIRROR holds clones: owner+name/repo, bare or with a work tree. FIDELITY names the binary.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Judge } from "./judge.mjs";

const [mirror, list, ...options] = process.argv.slice(2);
const only = options.includes("--repo") ? options[options.indexOf("--repo") + 1] : "";
const sets = readFileSync(list, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));

/** The files of a set: text, name, and for pages their address. */
function files({ repo, commit, paths, every = 1, html, main, python }) {
  const folder = join(mirror, repo.replace("/", "+"), "repo");
  const git = (...args) =>
    execFileSync("git", [`--git-dir=${existsSync(join(folder, ".git")) ? join(folder, ".git") : folder}`, ...args], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
  const all = git("ls-tree", "-r", "-z", "--name-only", commit)
    .split("\0")
    .filter((path) => new RegExp(paths).test(path));
  const found = all
    .filter((_, at) => at % every === 0)
    .map((path) => ({
      id: `${repo}:${path}`,
      text: git("show", `${commit}:${path}`),
      name: path
        .split("/")
        .pop()
        .replace(/\.\w+$/, "")
        .split(/[-_+]+/)
        .join(" "),
      ...(html && { kind: "html", url: `https://pages.example/${encodeURI(path)}`, main }),
    }))
    .filter((file) => file.text.trim().length > 40);
  return python ? rendered(found) : found;
}

/** The files with the HTML that the generator of their site makes of them. */
function rendered(found) {
  const script = fileURLToPath(new URL("mkdocs.py", import.meta.url));
  const input = JSON.stringify(found.map(({ text }) => text));
  const pages = JSON.parse(execFileSync(process.env.PYTHON, [script], { input, encoding: "utf8", maxBuffer: 2 ** 28 }));
  return found.map((file, at) => ({ ...file, rendered: pages[at] }));
}

const judge = await Judge.start();
const total = {};
for (const set of sets.filter(({ repo }) => repo.includes(only))) {
  const sum = { files: 0 };
  const kinds = {};
  for (const { source, figures, differences, error } of await judge.judge(files(set))) {
    sum.files += 1;
    if (error) kinds[`refused: ${error}`] = (kinds[`refused: ${error}`] ?? 0) + 1;
    for (const [name, count] of Object.entries(figures)) sum[name] = (sum[name] ?? 0) + count;
    for (const { kind, context, lost, added } of differences) {
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      const short = (list) => (list.length > 30 ? `${list.slice(0, 30).join(" ")} … (${list.length})` : list.join(" "));
      if (options.includes("--show"))
        console.log(`${source.id}\t${kind}\t${context.replace(/\s+/g, " ")}\t[-${short(lost)}-] [+${short(added)}+]`);
    }
  }
  for (const [name, count] of Object.entries(sum)) total[name] = (total[name] ?? 0) + count;
  print(`${set.repo} (${set.form})`, sum);
  console.log(
    `  ${Object.entries(kinds)
      .sort((a, b) => b[1] - a[1])
      .map(([kind, count]) => `${kind}: ${count}`)
      .join("; ")}`,
  );
}
print("all", total);
await judge.end();

function print(name, sum) {
  const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
  console.log(
    `${name}: ${sum.files} files | words ${sum.words}, lost or changed ${sum.lost} (${share(sum.lost, sum.words)}), added ${sum.added}, moved ${sum.moved}` +
      ` | numbers ${sum.numbers}, lost or changed ${sum.numbersLost} (${share(sum.numbersLost, sum.numbers)}), added ${sum.numbersAdded}` +
      ` | links ${sum.links}, lost ${sum.linksLost} (${share(sum.linksLost, sum.links)}) | addresses ${sum.addresses}, lost ${sum.addressesLost}` +
      ` | items ${sum.items}, lost ${sum.itemsLost}, renumbered ${sum.itemsRenumbered}, outside of lists ${sum.itemsUnlisted} | cells ${sum.cells}, apart ${sum.cellsLost} (${share(sum.cellsLost, sum.cells)})`,
  );
}
