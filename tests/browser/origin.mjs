// A site of its own origin that loads the widget from the service, under the strict policy.

import { createServer } from "node:http";
import { API, asAgent, assert, REFUND, SHOP } from "./visitor.mjs";

async function site(answer) {
  const server = createServer(answer);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return [server, `http://127.0.0.1:${server.address().port}`];
}

export default {
  async "a site elsewhere needs one script, one element and one route"(visitor) {
    const shop = await (await fetch(SHOP)).text();
    const [script] = /\/widget\/[^"]+/.exec(shop);
    const service = SHOP.slice(0, -1);
    const policy = `default-src 'none'; script-src ${service}; connect-src 'self' ${service}; require-trusted-types-for 'script'; trusted-types 'none'`;
    const [server, origin] = await site(async (request, response) => {
      if (request.method === "POST" && request.url === "/support-chat/token") {
        const headers = { authorization: `Bearer ${process.env.SUPPORT_API_KEY}`, "content-type": "application/json" };
        const told = await fetch(`${API}/auth/widget-token`, {
          method: "POST",
          headers,
          body: '{"externalUserId":"ann"}',
        });
        return response.writeHead(told.status, { "content-type": "application/json" }).end(await told.text());
      }
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
      response.end(
        `<!doctype html><html lang=de><title>Site</title><script type=module src="${service}${script}"></script><support-chat api="${API}"></support-chat>`,
      );
    });
    try {
      await asAgent("PATCH", "/settings", { widgetOrigins: [origin] });
      const page = await visitor.visit({ url: `${origin}/` });
      await visitor.part("launcher").click();
      await page.getByText("Hallo! Wie kann ich Ihnen helfen?").waitFor();
      await visitor.part("field").fill(REFUND);
      await page.keyboard.press("Enter");
      await page.getByText("five working days").first().waitFor();
      const hosts = new Set(visitor.requests.map((one) => new URL(one.url).origin));
      assert.deepEqual([...hosts].sort(), [origin, service].sort(), "nothing loads from elsewhere");
      await visitor.shoot("elsewhere");
    } finally {
      await asAgent("PATCH", "/settings", { widgetOrigins: [] });
      server.close();
    }
  },
};
