// Builds dist/: the main file with English inside, and one file for each other language. The same sources give the same
// bytes, which a test of the repository compares with the committed files.
//
//   node build.mjs [FOLDER]      FOLDER instead of dist/, and no README is changed

import { build, transform } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { minify } from "terser";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "dist");
const english = JSON.parse(readFileSync(join(here, "languages/en.json"), "utf8"));
const keys = Object.keys(english);
const slots = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const file of readdirSync(join(here, "languages")).sort()) {
  const texts = JSON.parse(readFileSync(join(here, "languages", file), "utf8"));
  for (const key of keys) {
    if (!texts[key] || slots(texts[key]) !== slots(english[key])) throw new Error(`languages/${file}: ${key}`);
  }
  const unknown = Object.keys(texts).find((key) => !keys.includes(key));
  if (unknown) throw new Error(`languages/${file}: ${unknown} is not a text of en.json`);
  if (file !== "en.json") {
    writeFileSync(join(target, file.replace(".json", ".js")), `export default ${JSON.stringify(texts)};\n`);
  }
}
/** Texts that only a part shows: the English ones stand in its file, not in the main one. */
const OWN_TEXTS = {
  articles: ["none", "assist", "missing", "website", "return", "loading", "openImage", "closeImage", "noImage"],
  actions: ["copied", "whole", "openImage", "closeImage", "noImage"],
  look: [],
  cards: ["about", "dismiss", "email", "address", "save", "reach", "change", "invalid", "rate", "score", "word"],
};
const englishTexts = (part) => ({
  name: "english-texts",
  setup({ onLoad }) {
    const others = Object.values(OWN_TEXTS).flat();
    const wanted = OWN_TEXTS[part] ?? keys.filter((key) => !others.includes(key));
    const texts = Object.fromEntries(wanted.map((key) => [key, english[key]]));
    onLoad({ filter: /en\.json$/ }, () => ({ contents: JSON.stringify(texts), loader: "json" }));
  },
});
const styleSheets = {
  name: "style-sheets",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};
// Names that no page and no other version of the widget sees, and that are not the browser's or the service's.
const INTERNAL = new RegExp(
  `^(${[
    "inSession|is(Answering|Open|Ready|Sending|Temporary|Trusted)|leaveSession|retryAfter|\\w+Changed|exclusively",
    "leads|seek|leave|newest|sorted|forget|announce|toEnd|write|act|merge|take|quiet|changed|news|emit",
    "missesAgain|turns|saved|outbox|notice|kind|seconds|speak|render|panel|make|element|indent|lines|mark|delimiters|depth|plain",
    "draft|escalate|mayAsk|question|humanPart|asksAbout|changesEmail|rates|keepFocus|openArticle|askPerson|use|author|agentName|eventText",
    "arrange|goes|isTooLong|follow|all|call|keep|storage|refused|arrived|drop|read|update|client|options|votes|paused|failures|put|tell|ask|explain",
  ].join("|")})$`,
);
const main = join(target, "support-chat.js");
// The parts that are loaded when they are opened use the short names of the main file.
let names = {};
for (const part of ["support-chat", "articles", "cards", "actions", "look"]) {
  const outfile = join(target, `${part}.js`);
  const { mangleCache } = await build({
    absWorkingDir: here,
    entryPoints: [`src/${part}.ts`],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    mangleProps: INTERNAL,
    mangleCache: names,
    plugins: [styleSheets, englishTexts(part)],
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  names = mangleCache;
  const { code } = await minify(readFileSync(outfile, "utf8"), { module: true, ecma: 2022, compress: { passes: 3, pure_getters: true } });
  writeFileSync(outfile, `${code}\n`);
}

// Files are kept for ever under their version, so it is also made of their content.
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const hash = createHash("sha256");
for (const file of readdirSync(target).sort()) hash.update(file).update(readFileSync(join(target, file)));
const release = `${version}-${hash.digest("hex").slice(0, 8)}`;
writeFileSync(join(target, "version.txt"), `${release}\n`);

// The lines that pages copy name the version, and the main file's hash.
const integrity = `sha384-${createHash("sha384").update(readFileSync(main)).digest("base64")}`;
const line = /widget\/[^/]+\/support-chat\.js" integrity="[^"]+"/;
for (const name of process.argv[2] ? [] : ["README.md", "../../README.md", "../../examples/plain/index.html"]) {
  const page = join(here, name);
  if (!existsSync(page)) continue;
  const text = readFileSync(page, "utf8");
  writeFileSync(page, text.replace(line, `widget/${release}/support-chat.js" integrity="${integrity}"`));
}
