// The author of a version or a draft, by name as far as this person may know it.

import { useQuery } from "@tanstack/react-query";

import { api } from "../api/client";
import { keysQuery, membersQuery } from "../settings/data";
import { hasRole, signIn } from "../signin/session";
import { straight } from "../ui/texts";
import { k } from "./texts";

const colleaguesQuery = { queryKey: ["colleagues"], queryFn: () => api.listAgents() };

/** Admins know members and keys, agents who works in the inbox; a trainer knows who it is not. */
export function useAuthor(): (by: string | null) => string {
  const { desk, mode } = signIn.get();
  const isAdmin = hasRole("admin") && mode === "live";
  const members = useQuery({ ...membersQuery, staleTime: 60_000, enabled: isAdmin });
  const keys = useQuery({ ...keysQuery, staleTime: 60_000, enabled: isAdmin });
  const colleagues = useQuery({ ...colleaguesQuery, staleTime: 60_000, enabled: !isAdmin && hasRole("admin", "agent") });
  const names = new Map<string, string>([
    ...(colleagues.data?.items ?? []).map((one) => [one.agentId, one.name] as const),
    ...(members.data ?? []).map((one) => [one.memberId, one.name] as const),
    ...(keys.data ?? []).map((one) => [one.keyId, k("by.key", { name: one.name })] as const),
  ]);
  return (by) => {
    if (by === null) return k("by.nobody");
    if (by === desk?.member.memberId) return k("by.me");
    const name = names.get(by);
    if (name) return straight(name);
    if (by.startsWith("ing_")) return k("by.ingest");
    return k(by.startsWith("mem_") ? "by.member" : "by.aKey");
  };
}
