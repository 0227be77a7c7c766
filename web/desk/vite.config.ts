import locales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** The snippets for a company's site stand in the README, where tests run it; the desk shows the same. */
const snippets: Plugin = {
  name: "snippets",
  resolveId: (id) => (id === "virtual:snippets" ? `\0${id}` : undefined),
  load(id) {
    if (id !== "\0virtual:snippets") return undefined;
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const part = readme.split("\n## Put the chat on your site\n")[1]?.split("\n## ")[0] ?? "";
    const block = (language: string) => {
      const found = part.split(`\n\`\`\`${language}\n`)[1]?.split("\n```")[0];
      if (!found) throw new Error(`README.md has no ${language} for the chat`);
      return found;
    };
    const all = { html: block("html"), node: block("js"), python: block("python"), php: block("php") };
    return `export default ${JSON.stringify(all)};`;
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
