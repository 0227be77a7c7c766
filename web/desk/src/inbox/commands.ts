// Everything that can be done, by name. Buttons, keys, the palette and the help all take it from here.

import { useObservable } from "../store/observable";
import { preferences, prefer, preferNotifications } from "../preferences";
import { go, here, VIEWS } from "../place";
import { knowledgePages } from "../knowledge/pages";
import { pagesOf } from "../settings/pages";
import { hasRole, signIn, signOut, switchTo } from "../signin/session";
import { dialog, focusField, pane, toTag } from "../ui/dialogs";
import type { Command } from "../ui/keys";
import { t } from "../ui/texts";
import { write } from "../writing/drafts";
import { release, renew, reopen, setPriority, snooze, stepIn, take, takeNext } from "./actions";
import { setAvailability } from "./availability";
import type { Conversation } from "./data";
import { endings, undo } from "./deferred";
import { tellFailure } from "./failures";
import { barCommands, markHere } from "./marks";
import { standingOf } from "./standing";

/** The commands that can be run now, with the conversation that is shown. */
export function useCommands(conversation: Conversation | undefined, move?: (by: 1 | -1) => void): Command[] {
  const waiting = useObservable(endings);
  const { keys, sound, notifications } = useObservable(preferences);
  const { desk, mode } = useObservable(signIn);
  const ofMarked = useObservable(barCommands);
  const commands: Command[] = [];
  if (move) {
    commands.push({ id: "next", name: t("key.next"), key: "j", isPlain: true, run: () => move(1) });
    commands.push({ id: "previous", name: t("key.previous"), key: "k", isPlain: true, run: () => move(-1) });
    commands.push({ id: "mark", name: t("act.mark"), key: "x", run: () => markHere(false) });
    commands.push({ id: "markTo", name: t("act.markTo"), key: "X", run: () => markHere(true) });
    commands.push(...ofMarked);
  }
  const add: Add = (id, name, run, key, byKey) => commands.push({ id, name, key, run, byKey });
  const isTakeable = conversation && standingOf(conversation, waiting).canTake;
  add("takeNext", t("act.takeNext"), () => void takeNext(), isTakeable ? undefined : "t", () => dialog.set("takeNext"));
  if (conversation) ofConversation(conversation, waiting, add);
  const last = waiting.filter((one) => !one.isGoing).at(-1);
  if (last) add("undo", t("undo"), () => undo(last.key));
  for (const view of VIEWS) add(`view.${view}`, `${t("view.go")} ${t(`view.${view}`)}`, () => go({ view }));
  if (desk) {
    const isAway = desk.member.availability === "away";
    add("availability", isAway ? t("act.available") : t("act.away"), () => void setAvailability(isAway));
    const other = mode === "live" ? "test" : "live";
    add("mode", t(`act.mode.${other}`), () => switchTo({ tenantId: desk.tenant.tenantId, mode: other }));
    for (const { tenantId, name } of desk.tenants) {
      if (tenantId !== desk.tenant.tenantId) add(`tenant.${tenantId}`, t("act.tenant", { name }), () => switchTo({ tenantId, mode }));
    }
  }
  add("knowledge", t("knowledge.title"), () => go({ knowledge: "" }));
  if (hasRole("admin", "trainer")) add("knowledge.new", t("knowledge.new"), () => go({ knowledge: "/new" }));
  for (const page of knowledgePages()) add(`knowledge.${page}`, `${t("knowledge.go")} ${t(`knowledge.${page}`)}`, () => go({ knowledge: `/${page}` }));
  add("area", hasRole("admin", "trainer") ? t("area.company") : t("area.own"), () => go({ settings: "" }));
  for (const page of pagesOf()) add(`area.${page}`, `${t("area.go")} ${t(`area.${page}`)}`, () => go({ settings: page }));
  add("sound", sound ? t("act.soundOff") : t("act.soundOn"), () => prefer({ sound: !sound }));
  add("notifications", notifications ? t("act.notificationsOff") : t("act.notificationsOn"), () => {
    void preferNotifications(!notifications);
  });
  add("keys", keys ? t("act.keysOff") : t("act.keysOn"), () => prefer({ keys: !keys }));
  add("help", t("help.title"), () => dialog.set("help"), "?");
  add("settings", t("settings.title"), () => dialog.set("settings"));
  add("signOut", t("signOut"), () => void signOut());
  return commands;
}

/** The dialog is loaded before it opens: one that cannot be loaded says so, and the next press tries again. */
async function saveReply(): Promise<void> {
  const { sessionId, escalationId } = here();
  try {
    await import("../settings/SaveReply");
  } catch (error) {
    tellFailure(error);
    return;
  }
  const now = here();
  const isSame = now.sessionId === sessionId && now.escalationId === escalationId;
  if (isSame && !dialog.get()) dialog.set("saveReply");
}

type Add = (id: string, name: string, run: () => void, key?: string, byKey?: () => void) => void;

function ofConversation(conversation: Conversation, waiting: Parameters<typeof standingOf>[1], add: Add): void {
  const { escalation, session } = conversation;
  const can = standingOf(conversation, waiting);
  const id = escalation?.escalationId ?? "";
  const { sessionId } = session;
  const compose = (kind: "reply" | "note") => () => {
    pane.set("conversation");
    write(sessionId, { kind });
    focusField();
  };
  const current = session.escalationId;
  if (current && current !== id) add("current", t("act.current"), () => go({ escalationId: current }));
  if (can.canTake) add("take", t("act.take"), () => void take(id), "t", () => dialog.set("take"));
  if (can.canStepIn) add("stepIn", t("act.stepIn"), () => void stepIn(sessionId));
  if (can.canReply) add("reply", t("act.reply"), compose("reply"), "r");
  if (can.canNote) add("note", t("act.note"), compose("note"), "n");
  if (can.canReply) {
    add("savedReplies", t("act.savedReply"), () => dialog.set("savedReplies"), "/");
    add("saveReply", t("act.saveReply"), () => void saveReply());
    add("suggestion", t("act.suggestion"), () => dialog.set("suggestion"), "s");
    add("handback", t("act.handback"), () => dialog.set("handback"), "b");
    add("resolve", t("act.resolve"), () => dialog.set("resolve"), "e");
  }
  if (can.canSnooze && can.isSnoozed) add("unsnooze", t("act.unsnooze"), () => void snooze(id, null), "z");
  else if (can.canSnooze) add("snooze", t("act.snooze"), () => dialog.set("snooze"), "z");
  if (can.snoozeAgain) add("snoozeAgain", t("act.snoozeAgain"), () => void snooze(id, can.snoozeAgain));
  if (can.canTransfer) add("transfer", t("act.transfer"), () => dialog.set("transfer"), "h");
  add("tag", t("act.tag"), toTag, "l");
  if (can.canRelease) add("release", t("act.release"), () => void release(id));
  if (can.isMine && !can.isSnoozed) add("renew", t("act.renew"), () => void renew(id));
  if (can.canReopen) add("reopen", t("act.reopen"), () => void reopen(id), "o");
  if (can.isWaiting || can.isMine) {
    const isUrgent = escalation?.priority === "high";
    add("priority", isUrgent ? t("act.priority.normal") : t("act.priority.high"), () => {
      void setPriority(id, isUrgent ? "normal" : "high");
    });
  }
  add("close", t("act.close"), () => go({ ...here(), escalationId: null, sessionId: null }));
}
