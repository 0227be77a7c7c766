// The kinds of events, each with what it tells, and secrets for those who receive them.

import type { ReactNode } from "react";

import { CheckboxGroup } from "./parts";
import { s, word } from "./texts";

const KINDS = [
  "session.created",
  "session.closed",
  "session.resumed",
  "message.created",
  "answer.unanswered",
  "reaction.created",
  "handover.requested",
  "handover.claimed",
  "handover.transferred",
  "handover.reopened",
  "handover.released",
  "handover.returned",
  "handover.resolved",
  "handover.cancelled",
  "handover.waiting",
  "rating.created",
  "entry.created",
  "entry.updated",
  "entry.deleted",
  "ingest.completed",
  "ingest.failed",
  "webhook.disabled",
  "webhook.test",
] as const;

export const SLACK_KINDS: string[] = KINDS.filter((one) => one.startsWith("handover.") || one === "rating.created" || one === "webhook.test");

interface Props {
  value: string[];
  change: (to: string[]) => void;
  isSlack: boolean;
}

export function KindCheckboxes({ value, change, isSlack }: Props): ReactNode {
  const kinds = isSlack ? SLACK_KINDS : ["*", ...KINDS];
  const options = kinds.map((id) => ({ id, name: word("kind", id === "*" ? "all" : id), hint: id === "*" ? s("kind.allHint") : id }));
  // All of them, or some: never both.
  const choose = (to: string[]) => {
    const isAllNew = to.includes("*") && !value.includes("*");
    change(isAllNew ? ["*"] : to.length > 1 ? to.filter((one) => one !== "*") : to);
  };
  return <CheckboxGroup name="events" kind="kinds-list" label={s("webhooks.kinds")} value={value} change={choose} options={options} />;
}

/** A secret as Standard Webhooks writes it: 32 random bytes. */
export function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
