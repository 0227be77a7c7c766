// The pages of the repository's `examples` on a site of their own, with the token route of the example in Node.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request as pass } from "node:http";
import { join } from "node:path";
import { API, assert, REFUND, SERVICE, SHOP, until } from "./visitor.mjs";

/** Built pages, and the folder `examples`. */
const { BUILT, EXAMPLES } = process.env;
const listening = async (server) => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server.address().port;
};

/** Serves a page and what it loads until `act` has ended. */
async function serve(html, act) {
  const unused = createServer();
  const port = await listening(unused);
  await once(unused.close(), "close");
  const env = { ...process.env, SUPPORT_API_URL: API, SUPPORT_API_KEY: SERVICE.key, PORT: String(port) };
  const route = spawn("node", [join(EXAMPLES, "node/server.mjs")], { env, stdio: "inherit" });
  const site = createServer(({ method, url, headers, socket }, response) => {
    if (url === "/support-chat/token") {
      const forwarded = { ...headers, "x-forwarded-for": socket.remoteAddress };
      const asked = pass({ port, method, path: url, headers: forwarded }, (answer) => {
        answer.pipe(response.writeHead(answer.statusCode, answer.headers));
      });
      return asked.on("error", () => response.writeHead(502).end()).end();
    }
    if (method === "POST") {
      const cookie = "chat_visitor=; Max-Age=0; Path=/; HttpOnly; Secure";
      return response.writeHead(303, { location: "/", "set-cookie": cookie }).end();
    }
    if (url === "/") return response.writeHead(200, { "content-type": "text/html" }).end(html);
    if (!url.startsWith("/assets/")) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(join(BUILT, url)));
  });
  try {
    const origin = `http://127.0.0.1:${await listening(site)}`;
    const answers = () => fetch(`http://127.0.0.1:${port}`).then(() => true, () => false);
    await until("the token route listens", answers);
    await act(`${origin}/`);
  } finally {
    site.close();
    site.closeAllConnections();
    route.kill();
  }
}

async function asksAndSignsOut(visitor, html) {
  await serve(html, async (url) => {
    const page = await visitor.visit({ url });
    const hasSession = () => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('"sessionId"')));
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    assert.equal(await hasSession(), true);
    await visitor.shoot("answered");
    await page.getByRole("button", { name: "Sign out" }).click();
    await until("the visitor is forgotten", async () => !(await hasSession().catch(() => true)));
    await visitor.open();
    assert.deepEqual(await visitor.shown(), [], "the next visitor begins anew");
  });
}

/** The element that loads the chat, from the service. */
const [script] = /<script [^>]*\/support-chat\.js"[^>]*><\/script>/.exec(await (await fetch(SHOP)).text());
const built = (name) => readFileSync(join(BUILT, name), "utf8").replace("</title>", `$&${script.replace('src="/', `src="${SHOP}`)}`);

export default {
  async "a page of plain HTML"(visitor) {
    const html = readFileSync(join(EXAMPLES, "plain/index.html"), "utf8");
    const own = html.replace("https://WIDGET-ADDRESS/", SHOP).replace("https://API-ADDRESS/api/v1", API);
    await asksAndSignsOut(visitor, own);
  },
  async "a component of React"(visitor) {
    await asksAndSignsOut(visitor, built("react.html"));
  },
  async "a component of Vue"(visitor) {
    await asksAndSignsOut(visitor, built("vue.html"));
  },
};
