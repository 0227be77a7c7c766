// Builds dist/: the main file with English inside, and one file for each other language. The same sources give the same
// bytes, which a test of the repository compares with the committed files.
//
//   node build.mjs [FOLDER]      FOLDER instead of dist/

import { build, transform } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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
const styleSheets = {
  name: "style-sheets",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};
await build({
  absWorkingDir: here,
  entryPoints: ["src/support-chat.ts"],
  outfile: join(target, "support-chat.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  // Names that no page sees, and that are not the browser's.
  mangleProps: /^(inSession|is(Answering|Ready|Sending|Temporary|Trusted)|leaveSession|retryAfter|\w+Changed)$/,
  plugins: [styleSheets],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});

// Files are kept for ever under their version, so it is also made of their content.
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const hash = createHash("sha256");
for (const file of readdirSync(target).sort()) hash.update(file).update(readFileSync(join(target, file)));
writeFileSync(join(target, "version.txt"), `${version}-${hash.digest("hex").slice(0, 8)}\n`);
