// The owner of what is kept: one member, tenant and mode.

import { signIn } from "../signin/session";

export function owner(): string {
  const { desk, mode } = signIn.get();
  return `${desk?.tenant.tenantId ?? ""}:${mode}:${desk?.member.memberId ?? ""}`;
}
