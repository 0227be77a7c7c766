// The OpenAPI document as a page of the local service.

import { Person } from "./person.mjs";
import { assert, SHOP } from "./visitor.mjs";

export const as = Person;

/** The request body of the operation that sends a message. */
const operation = (page) => page.getByText("A message of a customer").first();

const tests = {
  async "the document's operations are shown without anything from elsewhere"(visitor) {
    const page = await visitor.visit({ url: `${SHOP}docs` });
    await page.getByRole("heading", { name: /Support Assistant Service/, level: 1 }).waitFor();
    await page.getByRole("link", { name: "Ask a question" }).click();
    await operation(page).waitFor();
    const asked = visitor.requests.map((one) => one.url).filter((url) => !url.startsWith("data:"));
    assert.deepEqual([...new Set(asked.map((url) => new URL(url).origin))], [new URL(SHOP).origin]);
    await visitor.shoot("operation");
  },
};

for (const width of [1280, 390]) {
  tests[`axe finds nothing on the page of the document (${width})`] = async (visitor) => {
    const page = await visitor.visit({ url: `${SHOP}docs`, context: { viewport: { width, height: 800 } } });
    await page.getByText("Who is calling").first().waitFor();
    await visitor.expectAccessibleInBoth("overview");
    await page.goto(`${SHOP}docs#?route=post-/sessions/-id-/messages`);
    await page.reload();
    await operation(page).waitFor();
    await visitor.expectAccessibleInBoth("operation");
    if (width < 768) return;
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await visitor.expectAccessibleInBoth("search");
  };
}

export default tests;
