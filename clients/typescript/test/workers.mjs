// Runs smoke.mjs in Cloudflare's runtime, with no compatibility with Node.

import { build } from "esbuild";
import { Miniflare } from "miniflare";

const [, , smoke] = process.argv;
const contents = `import { smoke } from ${JSON.stringify(smoke)}; export default { fetch: async (_, env) => new Response(await smoke(env)) };`;
const stdin = { contents, resolveDir: process.cwd() };
const { outputFiles } = await build({ stdin, bundle: true, format: "esm", target: "es2022", write: false, minify: true });
const { SUPPORT_API_URL, SUPPORT_API_KEY } = process.env;
const workers = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: "2026-07-01",
  bindings: { SUPPORT_API_URL, SUPPORT_API_KEY },
});
try {
  console.log(await (await workers.dispatchFetch("http://worker.test/")).text(), `(${outputFiles[0].text.length} bytes)`);
} finally {
  await workers.dispose();
}
