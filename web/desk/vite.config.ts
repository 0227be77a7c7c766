import locales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/desk/",
  plugins: [
    react(),
    // React Aria's own texts in the languages of the page alone.
    { ...locales.vite({ locales: ["en-US", "de-DE"] }), enforce: "pre" },
  ],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    // Nothing as a data address: the policy of the page has none.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    // What the licences of the libraries ask to be handed on.
    license: { fileName: "licenses.md" },
  },
});
