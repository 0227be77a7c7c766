// The service is killed while an agent writes. The test starts a service of its own, the binary that LOCAL names, so that
// it can kill it; without LOCAL it says so and ends.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Customer, Person, assert, until } from "./person.mjs";
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

export default {
  async "a service that is killed while an agent sends loses and doubles nothing"(person) {
    if (!process.env.LOCAL) return console.log("        skipped: LOCAL names no binary of the local service");
    const service = new Service();
    try {
      await service.start();
      person.service = service;
      const customer = await person.answers();
      const { page } = person;
      await person.press("n");
      await page.keyboard.type("A draft for colleagues");
      await page.keyboard.press("Escape");
      const written = [];
      // Before the request goes, while the service has it, and after it.
      for (const ms of [0, 10, 40, 120]) {
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
    } finally {
      await person.leave();
      await service.remove();
    }
  },
};
