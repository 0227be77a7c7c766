// A proxy before the service, which does to each request what the test asked for.

import { createServer, request as send } from "node:http";

/** Closes the connection before the service gets the request. */
export const DROP_BEFORE = { drop: "before" };
/** Closes the connection when the service has answered. */
export const DROP_AFTER = { drop: "after" };
/** Closes the connection in the middle of the answer. */
export const DROP_WITHIN = { drop: "within" };
/** Gives the answer of the service that late. */
export const late = (ms) => ({ ms });
/** Answers in the place of the service. */
export const says = (status, body = "", headers = {}) => ({ status, body: typeof body === "string" ? body : JSON.stringify(body), headers });
export const PAGE = "<!DOCTYPE html><title>Bad gateway</title><p>Sorry.";

export async function startProxy(target) {
  const { hostname, port, pathname } = new URL(target);
  const faults = [];
  /** What came: method, path, headers, body, and the time. */
  const seen = [];

  const forward = ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const asked = send({ hostname, port, method, path: url, headers: { ...headers, host: `${hostname}:${port}` } }, async (answer) => {
        const chunks = await answer.toArray();
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) });
      });
      asked.on("error", reject).end(body);
    });

  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const asked = { method: incoming.method, url: incoming.url, headers: incoming.headers, body, at: performance.now() };
    seen.push(asked);
    const fault = faults.shift() ?? {};
    if (fault.drop === "before") return incoming.socket.destroy();
    const answer = fault.status ? fault : await forward(asked);
    if (fault.drop === "after") return incoming.socket.destroy();
    if (fault.ms) await new Promise((passed) => setTimeout(passed, fault.ms).unref());
    const text = typeof answer.body === "function" ? answer.body(asked) : answer.body;
    outgoing.writeHead(answer.status, { ...answer.headers });
    if (fault.drop !== "within") return outgoing.end(text);
    outgoing.write(text.subarray(0, 10), () => incoming.socket.destroy());
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}${pathname}`,
    seen,
    /** The next requests meet these; what comes after them is forwarded. */
    next(...following) {
      faults.length = 0;
      faults.push(...following);
      seen.length = 0;
    },
    left: () => faults.length,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
