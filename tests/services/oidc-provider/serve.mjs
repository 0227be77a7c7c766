// A certified OpenID provider on a free port of loopback. Anybody signs in by a name, which becomes the person's subject
// and the first part of the address.
//
// Two clients: `desk`, which has no secret, gets ID tokens by RS256; `desk-with-secret` by ES256. Both may send people to
// any address, because the port of the service under test is not known here.

import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

// The libraries are in the folder that the argument names.
const { Provider } = createRequire(join(process.argv[2], "package.json"))("oidc-provider");

const key = (kid, type, options) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: "jwk" }), kid, use: "sig" });
const client = { redirect_uris: ["http://127.0.0.1/desk/"], post_logout_redirect_uris: ["http://127.0.0.1/desk/"] };

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      { ...client, client_id: "desk", token_endpoint_auth_method: "none" },
      {
        ...client,
        client_id: "desk-with-secret",
        client_secret: "a-secret-of-the-desk-~:+%",
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [key("one", "rsa", { modulusLength: 2048 }), key("two", "ec", { namedCurve: "P-256" })] },
    cookies: { keys: ["for tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true }) }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = () => true;
  provider.Client.prototype.postLogoutRedirectUriAllowed = () => true;
  server.on("request", provider.callback());
  console.log(`listening on ${port}`);
});
