import locales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** The desk shows the lines of the README and the servers of `examples`, which tests run. */
const snippets: Plugin = {
  name: "snippets",
  resolveId: (id) => (id === "virtual:snippets" ? `\0${id}` : undefined),
  load(id) {
    if (id !== "\0virtual:snippets") return undefined;
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8").trimEnd();
    const html = read("README.md").split("\n```html\n")[1]?.split("\n```")[0];
    if (!html) throw new Error("README.md has no html for the chat");
    const [node, python, php] = ["node/server.mjs", "python/server.py", "php/token.php"].map((file) => read(`examples/${file}`));
    return `export default ${JSON.stringify({ html, node, python, php })};`;
  },
};

export default defineConfig({
  base: "/desk/",
  plugins: [
    react({ jsxImportSource: "#jsx" }),
    snippets,
    // React Aria's own texts in the languages of the page alone.
    { ...locales.vite({ locales: ["en-US", "de-DE"] }), enforce: "pre" },
  ],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    // Nothing as a data address: the policy of the page has none.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    // The texts that the licences of the libraries ask to be handed on.
    license: { fileName: "licenses.md" },
    // What the page loads at once is one file, which is smaller than its parts.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "desk", tags: ["$initial"] }] } } },
  },
});
