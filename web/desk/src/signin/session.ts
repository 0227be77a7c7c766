// The sign-in. The token is in the memory of this page alone; a cookie that no script reads renews it on a reload and
// before it expires. When that ends, the page stays as it is and asks to sign in again.

import { Observable } from "../store/observable";
import { claimBrowser, closeVault, destroyVault } from "../store/vault";
import type { DeskSignIn, DeskToken, Mode } from "../../../../clients/typescript/src/generated";
import { keepInvitation, leaveForProvider, safeReturn, takeInvitation, takeReturn, type Prompt } from "./oidc";

export type Problem =
  | "none"
  | "ended"
  | "notAMember"
  | "refused"
  | "unavailable"
  | "notConfigured"
  | "unreachable"
  | "bound"
  | "tooMany";

export interface SignIn {
  state: "starting" | "out" | "in";
  problem: Problem;
  /** The address of the account that the provider signed in, if the service refused it. */
  account?: string;
  /** The sign-in is over; what is on the page stays. */
  hasEnded: boolean;
  invitation?: string;
  token?: string;
  desk?: Omit<DeskToken, "token" | "tokenType">;
  mode: Mode;
}

const PLACE = "desk:place";
/** The token is renewed when this much of its time is over. */
const RENEW_AT = 0.75;
const RETRY_MS = 5_000;

export const signIn = new Observable<SignIn>({ state: "starting", problem: "none", hasEnded: false, mode: "live" });

const change = (to: Partial<SignIn>) => signIn.set({ ...signIn.get(), ...to });
let timer: ReturnType<typeof setTimeout> | undefined;
let renewing: Promise<string | undefined> | undefined;

/** Other tabs of this browser sign out with this one. */
const tabs = new BroadcastChannel("desk");
tabs.onmessage = ({ data }) => {
  if (data !== "signed-out") return;
  closeVault();
  location.assign("/desk/");
};

interface Place {
  tenantId?: string;
  mode?: Mode;
}

/** The tenant and mode of this tab, kept over a reload. */
function place(): Place {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "{}") as Place;
  } catch {
    return {};
  }
}

async function post(path: string, body: object): Promise<Response | null> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const { token } = signIn.get();
  if (token && path === "/auth/sign-out") headers.authorization = `Bearer ${token}`;
  try {
    const init = { method: "POST", headers, body: JSON.stringify(body), cache: "no-store" } as const;
    return await fetch(`/api/v1${path}`, { ...init, signal: AbortSignal.timeout(35_000) });
  } catch {
    return null;
  }
}

function problemOf(response: Response | null, error?: string): Problem {
  if (!response) return "unreachable";
  if (response.status === 401) return "ended";
  if (error === "NOT_A_MEMBER") return "notAMember";
  if (response.status === 404) return "notConfigured";
  if (response.status === 409) return "bound";
  if (response.status === 429) return "tooMany";
  return response.status >= 500 ? "unavailable" : "refused";
}

/** Why the service refused, and whom. */
async function refusalOf(response: Response | null): Promise<Pick<SignIn, "problem" | "account">> {
  type Body = { error?: string; details?: { code: string; message?: string }[] };
  const { error, details } = ((await response?.json().catch(() => null)) ?? {}) as Body;
  const account = details?.find(({ code }) => code === "SIGNED_IN_AS")?.message;
  return { problem: problemOf(response, error), account };
}

/** Takes over the token and the member that the service answered. */
async function accept(response: Response, mode: Mode): Promise<void> {
  const { token, tokenType: _, ...desk } = (await response.json()) as DeskToken;
  sessionStorage.setItem(PLACE, JSON.stringify({ tenantId: desk.tenant.tenantId, mode } satisfies Place));
  await claimBrowser(desk.member.email);
  change({ state: "in", problem: "none", account: undefined, hasEnded: false, invitation: undefined, token, desk, mode });
  clearTimeout(timer);
  timer = setTimeout(() => void renewToken(), desk.expiresIn * 1_000 * RENEW_AT);
}

/** Begins: a way back from the provider, an invitation, or the cookie of an earlier sign-in. */
export async function start(): Promise<void> {
  const returned = takeReturn();
  const invitation = takeInvitation();
  if (returned) return redeem(returned);
  if (invitation) return change({ state: "out", problem: "none", invitation });
  const { tenantId, mode = "live" } = place();
  let response = await post("/auth/desk-token/renew", { tenantId, mode });
  // No longer a member of the tenant that this tab was at.
  if (response?.status === 403 && tenantId) response = await post("/auth/desk-token/renew", { mode });
  if (response?.ok) return accept(response, mode);
  const { problem } = await refusalOf(response);
  change({ state: "out", problem: problem === "ended" ? "none" : problem });
}

async function redeem({ code, error, redirect }: NonNullable<ReturnType<typeof takeReturn>>): Promise<void> {
  if (!code || !redirect || error) return change({ state: "out", problem: "refused", invitation: redirect?.invitation });
  const { codeVerifier, invitation, tenantId, mode = "live" } = redirect;
  const response = await post("/auth/desk-token", { code, codeVerifier, invitation, tenantId, mode });
  if (response?.ok) return accept(response, mode);
  const { problem, account } = await refusalOf(response);
  // The next time without the tenant of this tab: the person may be a member of another.
  if (problem === "notAMember") sessionStorage.removeItem(PLACE);
  // A code is good once; what can be tried again begins with the provider.
  change({
    state: "out",
    problem: problem === "ended" ? "refused" : problem,
    account,
    invitation,
  });
}

export const declineInvitation = (): void => change({ invitation: undefined });

/**
 * Leaves for the provider, and comes back to where the page is. For another account the sign-in at the provider ends first,
 * if it has a page for that: some providers sign the same account in again whatever they are asked.
 */
export async function goSignIn(prompt?: Prompt): Promise<void> {
  const { invitation, state, desk, mode } = signIn.get();
  let provider: Response | null;
  try {
    provider = await fetch("/api/v1/auth/desk", { cache: "no-store" });
  } catch {
    provider = null;
  }
  if (!provider?.ok) {
    return change(await refusalOf(provider));
  }
  const settings = (await provider.json()) as DeskSignIn;
  if (prompt === "select_account" && settings.endSessionUrl) {
    if (invitation) keepInvitation(invitation);
    return location.assign(settings.endSessionUrl);
  }
  const at = state === "in" ? { tenantId: desk?.tenant.tenantId, mode } : place();
  const returnTo = safeReturn(location.pathname + location.search);
  await leaveForProvider(settings, { returnTo, invitation, ...at }, prompt);
}

/** A new token for this tab; none if the sign-in has ended or the service cannot be reached. */
export function renewToken(): Promise<string | undefined> {
  renewing ??= renew().finally(() => (renewing = undefined));
  return renewing;
}

async function renew(): Promise<string | undefined> {
  const { desk, mode } = signIn.get();
  if (!desk) return undefined;
  const response = await post("/auth/desk-token/renew", { tenantId: desk.tenant.tenantId, mode });
  if (response?.ok) {
    await accept(response, mode);
    return signIn.get().token;
  }
  if (response && (response.status === 401 || response.status === 403)) {
    clearTimeout(timer);
    change({ token: undefined, hasEnded: true, ...(await refusalOf(response)) });
    return undefined;
  }
  clearTimeout(timer);
  timer = setTimeout(() => void renewToken(), RETRY_MS);
  return undefined;
}

/** Goes to another tenant or mode: a reload there, so that nothing of one world stays on the page of the other. */
export function switchTo(to: { tenantId: string; mode: Mode }): void {
  sessionStorage.setItem(PLACE, JSON.stringify(to));
  location.assign("/desk/");
}

/** Ends the sign-in here and at the provider, and clears what this browser kept. */
export async function signOut(): Promise<void> {
  clearTimeout(timer);
  const provider = await fetch("/api/v1/auth/desk", { cache: "no-store" }).catch(() => null);
  const { endSessionUrl } = provider?.ok ? ((await provider.json()) as DeskSignIn) : { endSessionUrl: null };
  const ended = await post("/auth/sign-out", {});
  closeVault();
  await destroyVault();
  localStorage.clear();
  sessionStorage.clear();
  tabs.postMessage("signed-out");
  signIn.set({ state: "out", problem: ended ? "none" : "unreachable", hasEnded: false, mode: "live" });
  if (ended) location.assign(endSessionUrl ?? "/desk/");
}

/** Whether this person has one of the roles. */
export function hasRole(...roles: string[]): boolean {
  return signIn.get().desk?.member.roles.some((role) => roles.includes(role)) ?? false;
}
