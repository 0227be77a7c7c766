// The service is killed while an agent writes and while a trainer publishes. Each test starts a service of its own, the
// binary that LOCAL names, so that it can kill it; without LOCAL it says so and ends.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { open, sheet, text, writing } from "./knowledge-pages.mjs";
import { Person, asAgent, assert, until } from "./person.mjs";
import { pause } from "./visitor.mjs";

export const as = Person;

/** A port that is free, and the next one, too: the desk's. */
async function freePort() {
  const listen = (port) =>
    new Promise((done) => {
      const server = createServer();
      server.once("error", () => done(null));
      server.listen(port, "127.0.0.1", () => done(server));
    });
  for (;;) {
    const first = await listen(0);
    const { port } = first.address();
    const second = await listen(port + 1);
    await Promise.all([first, second].map((one) => one && new Promise((done) => one.close(done))));
    if (second) return port;
  }
}

/** A service with a data folder and a port that stay while it is killed and started. */
class Service {
  data = mkdtempSync(join(tmpdir(), "desk-kill-"));

  async start() {
    this.port ??= await freePort();
    const options = ["--port", `${this.port}`, "--data", this.data];
    this.process = spawn(process.env.LOCAL, options, { stdio: ["ignore", "pipe", "inherit"] });
    this.ended = new Promise((done) => this.process.once("exit", done));
    const lines = createInterface(this.process.stdout);
    for await (const line of lines) {
      this.desk = /^ {2}desk +(\S+)/.exec(line)?.[1] ?? this.desk;
      if (line.startsWith("Ctrl-C")) break;
    }
    // Its output from here on is not read, and must not fill the pipe.
    this.process.stdout.resume();
    const env = readFileSync(join(this.data, "demo.env"), "utf8");
    [this.api, this.key] = ["SUPPORT_API_URL", "SUPPORT_API_KEY"].map((name) => new RegExp(`^${name}=(.*)$`, "m").exec(env)[1]);
  }

  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  async remove() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** When it is killed, in milliseconds after a key: before the request goes, while the service has it, and after it. */
const MOMENTS = [0, 10, 40, 120];

/** A test of a person at a service of its own. */
const withService = (run) => async (person) => {
  if (!process.env.LOCAL) return console.log("        skipped: LOCAL names no binary of the local service");
  const service = new Service();
  try {
    await service.start();
    person.service = service;
    await run(person, service);
  } finally {
    await person.leave();
    await service.remove();
  }
};

export default {
  "a service that is killed while an agent sends loses and doubles nothing": withService(async (person, service) => {
    const customer = await person.answers();
    const { page } = person;
    await person.press("n");
    await page.keyboard.type("A draft for colleagues");
    await page.keyboard.press("Escape");
    const written = [];
    for (const ms of MOMENTS) {
      written.push(`Message after ${ms} ms`);
      await person.reply(written.at(-1));
      await pause(ms);
      await service.kill();
      await page.locator(".trouble").waitFor();
      if (ms === 0) await person.shoot("killed");
      await service.start();
      await until("nothing is on its way", async () => (await page.locator(".pending").count()) === 0);
      await until("the service is back", async () => (await page.locator(".trouble").count()) === 0);
    }
    assert.deepEqual(await customer.replies(), written);
    assert.deepEqual(await person.bubbles("agent"), written);
    await page.reload();
    await person.shows(customer);
    assert.deepEqual(await person.bubbles("agent"), written);
    await page.locator(".log").focus();
    await person.press("n");
    assert.equal(await person.field.inputValue(), "A draft for colleagues");
  }),

  "a service that is killed while a trainer publishes and saves does each once, and says so": withService(async (person, service) => {
    const asTrainer = (method, path, body) => asAgent(method, path, body, service);
    const entry = await asTrainer("POST", "/wiki", { path: "alps/killed", title: "Killed", content: "Nothing yet.", visibility: "internal" });
    const at = `?path=${encodeURIComponent(entry.path)}`;
    const versions = [entry.content];
    /** Presses the sheet's button, kills the service, and tries again when it is back, until the entry is shown. */
    const press = async (ms, name, act, again) => {
      const { page } = person;
      const button = sheet(page, name).getByRole("button", { name: act });
      await button.press("Enter");
      await pause(ms);
      await service.kill();
      await service.start();
      await until("the change is made", async () => {
        if (await page.getByRole("article").getByText(versions.at(-1)).count()) return true;
        if (!(await button.count())) await again?.().catch(() => {});
        await button.press("Enter", { timeout: 1_000 }).catch(() => {});
        return false;
      });
    };
    for (const ms of MOMENTS) {
      versions.push(`Published after ${ms} ms.`);
      const draft = await asTrainer("POST", "/drafts", { path: entry.path, content: versions.at(-1) });
      const page = await open(person, `/drafts/${draft.draftId}`);
      await page.getByRole("button", { name: "Publish" }).press("Enter");
      await press(ms, "What publishing changes", "Publish");
      assert.equal((await asTrainer("GET", `/drafts/${draft.draftId}`)).status, "published");

      versions.push(`Saved after ${ms} ms.`);
      await open(person, `/edit${at}`);
      await (await writing(page)).fill(versions.at(-1));
      await page.getByText("kept on this computer").waitFor();
      const submit = () => text(page).press("Control+Enter", { timeout: 1_000 });
      await submit();
      await press(ms, "What saving changes", "Save", submit);
    }
    const { items } = await asTrainer("GET", `/wiki-revisions${at}`);
    assert.deepEqual(items.map((one) => one.version).sort((one, other) => one - other), versions.map((_, place) => place + 1));
    for (const [place, content] of versions.entries()) {
      assert.equal((await asTrainer("GET", `/wiki/${entry.path}?version=${place + 1}`)).content.trim(), content);
    }
  }),
};
