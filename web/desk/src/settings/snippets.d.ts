// Made by vite.config.ts from the README.
declare module "virtual:snippets" {
  const snippets: { html: string; node: string; python: string; php: string };
  export default snippets;
}
