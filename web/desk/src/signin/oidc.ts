// The way to the provider and back: authorization code with PKCE (RFC 7636). What must outlive the redirect is in the
// session storage of this tab, under the `state`, and is taken out once.

import type { DeskSignIn, Mode } from "../../../../clients/typescript/src/generated";

/** The provider asks for the password again if the last time is longer ago, in seconds: as long as a sign-in lasts. */
const MAX_AGE_S = 12 * 3_600;
const PREFIX = "desk:redirect:";
const INVITATION = "desk:invitation";

export interface Redirect {
  codeVerifier: string;
  returnTo: string;
  invitation?: string;
  tenantId?: string;
  mode?: Mode;
}

export interface Return {
  code?: string;
  error?: string;
  redirect: Redirect | null;
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const random = () => base64Url(crypto.getRandomValues(new Uint8Array(32)));

/** A path of the desk; anything else is its first page. */
export function safeReturn(path: string): string {
  try {
    const url = new URL(path, location.origin);
    const isOwn = url.origin === location.origin && path.startsWith("/desk/") && !path.includes("\\");
    return isOwn && url.pathname.startsWith("/desk/") ? url.pathname + url.search : "/desk/";
  } catch {
    return "/desk/";
  }
}

/** The question of the provider to the person: the password, whenever it was given last, or which account. */
export type Prompt = "login" | "select_account";

/** Leaves for the provider. */
export async function leaveForProvider(
  provider: DeskSignIn,
  redirect: Omit<Redirect, "codeVerifier">,
  prompt?: Prompt,
): Promise<void> {
  const [codeVerifier, state] = [random(), random()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const challenge = base64Url(new Uint8Array(digest));
  sessionStorage.setItem(PREFIX + state, JSON.stringify({ ...redirect, codeVerifier } satisfies Redirect));
  const address = new URL(provider.authorizationEndpoint);
  const parameters = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri,
    scope: provider.scope,
    state,
    nonce: challenge,
    code_challenge: challenge,
    code_challenge_method: "S256",
    max_age: `${MAX_AGE_S}`,
    ...(prompt ? { prompt } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  location.assign(address);
}

/** The return from the provider, if this page was opened by it. Its parameters leave the address at once. */
export function takeReturn(): Return | null {
  const query = new URLSearchParams(location.search);
  const state = query.get("state");
  const [code, error] = [query.get("code"), query.get("error")];
  if (!state || !(code || error)) return null;
  const stored = sessionStorage.getItem(PREFIX + state);
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  const redirect = stored ? (JSON.parse(stored) as Redirect) : null;
  history.replaceState(null, "", safeReturn(redirect?.returnTo ?? "/desk/"));
  return { code: code ?? undefined, error: error ?? undefined, redirect };
}

/** Keeps an invitation while the person signs out at the provider, which leads back to the desk's first page. */
export function keepInvitation(invitation: string): void {
  sessionStorage.setItem(INVITATION, invitation);
}

/** The invitation in the fragment of the address, which leaves the address at once, or the one that was kept. */
export function takeInvitation(): string | undefined {
  const kept = sessionStorage.getItem(INVITATION) ?? undefined;
  sessionStorage.removeItem(INVITATION);
  const invitation = new URLSearchParams(location.hash.slice(1)).get("invitation") ?? undefined;
  if (invitation) history.replaceState(null, "", location.pathname + location.search);
  return invitation ?? kept;
}
