// Made by vite.config.ts from the README and `examples`.
declare module "virtual:snippets" {
  const snippets: { html: string; node: string; python: string; php: string };
  export default snippets;
}
