// How a conversation stands for the person who looks at it: whose it is, and what may be done.

import { hasRole, signIn } from "../signin/session";
import type { Conversation } from "./data";
import type { Ending } from "./deferred";

export interface Standing {
  isWaiting: boolean;
  isMine: boolean;
  isOthers: boolean;
  isResolved: boolean;
  isSnoozed: boolean;
  /** The end of the snooze, if it was cut short and may be set again. */
  snoozeAgain: Date | null;
  canTake: boolean;
  canStepIn: boolean;
  canReply: boolean;
  canNote: boolean;
  canRelease: boolean;
  canTransfer: boolean;
  canSnooze: boolean;
  canReopen: boolean;
}

export function standingOf({ escalation, session }: Conversation, endings: readonly Ending[] = []): Standing {
  const me = signIn.get().desk?.member.memberId;
  const isClaimed = escalation?.status === "claimed";
  const isMine = isClaimed && escalation.claimedBy?.agentId === me;
  const isEnding = endings.some((one) => one.escalationId === escalation?.escalationId);
  const canManage = isClaimed && (isMine || hasRole("admin"));
  const isWaiting = escalation?.status === "pending";
  const isResolved = escalation?.status === "resolved";
  const canSnooze = isMine && !isEnding;
  const was = canSnooze && escalation.wasSnoozedUntil ? new Date(escalation.wasSnoozedUntil) : null;
  const isInWindow = !session.resumableUntil || new Date(session.resumableUntil).getTime() > Date.now();
  return {
    isWaiting,
    isMine,
    isOthers: isClaimed && !isMine,
    isResolved,
    isSnoozed: isClaimed && !!escalation.snoozedUntil,
    snoozeAgain: was && was.getTime() > Date.now() ? was : null,
    canTake: isWaiting,
    canStepIn: !isWaiting && session.ownership === "ai",
    canReply: isMine && !isEnding,
    canNote: session.ownership !== "closed" && !isEnding,
    canRelease: canManage && !isEnding,
    canTransfer: canManage && !isEnding,
    canSnooze,
    canReopen: isResolved && ((session.ownership === "closed" && isInWindow) || session.ownership === "ai"),
  };
}
