// A provider that somebody else wrote, in a real browser: its own page, the way back to the desk, and the cookie of the
// sign-in.

import { createHash } from "node:crypto";
import { API, asAgent, assert } from "./visitor.mjs";

const VERIFIER = "a-verifier-of-a-browser-0123456789-abcdefghij";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** Posts to the API from the page's own origin. */
async function post(page, path, body) {
  return page.evaluate(
    async ([path, body]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return [answer.status, await answer.json()];
    },
    [path, body],
  );
}

export default {
  async "an invited person signs in at the provider's page, and the cookie renews the token"(visitor) {
    const member = { email: "eve@example.com", name: "Eve Hill", roles: ["agent"] };
    const { memberId, invitationUrl } = await asAgent("POST", "/members", member);
    const { authorizationEndpoint, clientId, redirectUri, scope } = await (await fetch(`${API}/auth/desk`)).json();
    const asked = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      nonce: CHALLENGE,
      max_age: "3600",
    };
    const page = await visitor.visit({ url: `${authorizationEndpoint}?${new URLSearchParams(asked)}` });
    await page.locator("input[name=login]").fill("eve");
    await page.locator("input[name=password]").fill("x");
    const back = page.waitForRequest((one) => one.url().startsWith(`${redirectUri}?code=`));
    await page.locator("button[type=submit]").click();
    const code = new URL((await back).url()).searchParams.get("code");
    await page.waitForURL((url) => url.href.startsWith(redirectUri));
    const invitation = invitationUrl.split("#invitation=")[1];
    const [status, token] = await post(page, "/auth/desk-token", { code, codeVerifier: VERIFIER, invitation });
    assert.deepEqual([status, token.member?.memberId], [200, memberId], JSON.stringify(token));
    assert.ok(!(await page.evaluate(() => document.cookie)).includes("desk="), "no script reads the cookie");
    const [again, renewed] = await post(page, "/auth/desk-token/renew", {});
    assert.deepEqual([again, renewed.signedInAt], [200, token.signedInAt]);
  },
};
