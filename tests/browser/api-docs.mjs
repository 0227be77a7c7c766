// The OpenAPI document as a page of the local service.

import { assert, SHOP } from "./visitor.mjs";

export default {
  async "the document's operations are shown without anything from elsewhere"(visitor) {
    const page = await visitor.visit({ url: `${SHOP}docs` });
    await page.getByText("Send a customer's message and get the answer").first().click();
    await page.getByText("clientMessageId").first().waitFor();
    const asked = visitor.requests.map((one) => one.url).filter((url) => !url.startsWith("data:"));
    assert.deepEqual([...new Set(asked.map((url) => new URL(url).origin))], [new URL(SHOP).origin]);
    await visitor.shoot("operation");
  },
};
