// The head of a conversation: the customer's name, how it stands, and what can be done.

import { type ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components/Menu";

import { go, here } from "../place";
import { useObservable } from "../store/observable";
import { pane } from "../ui/dialogs";
import type { Command } from "../ui/keys";
import { Button, Icon, useNow } from "../ui/parts";
import { clockTime, duration, moment, named, straight, t } from "../ui/texts";
import { renew, snooze } from "./actions";
import type { Conversation } from "./data";
import { endings } from "./deferred";
import { standingOf } from "./standing";

const ENDS_SOON_MS = 5 * 60_000;

/** In this order; what does not fit on a row is in the menu. */
const SHOWN = ["current", "take", "reopen", "stepIn", "resolve", "handback"];
const IN_MENU = ["snooze", "snoozeAgain", "unsnooze", "transfer", "release", "renew", "priority"];

export function ConversationHeader({ conversation, name, commands }: { conversation: Conversation; name: string; commands: Command[] }): ReactNode {
  const find = (ids: string[]) => ids.flatMap((id) => commands.find((one) => one.id === id) ?? []);
  const waiting = useObservable(endings);
  const isEnding = waiting.some((one) => one.escalationId === conversation.escalation?.escalationId);
  const more = isEnding ? [] : find(IN_MENU);
  return (
    <header className="head">
      <AriaButton
        translate="no"
        className="act icon back"
        aria-label={t("back")}
        onPress={() => go({ ...here(), escalationId: null, sessionId: null })}
      >
        <Icon name="back" />
      </AriaButton>
      <div className="head-who">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <ConversationStatus conversation={conversation} />
      </div>
      <div className="head-acts">
        {find(SHOWN).map(({ id, name, key, run }, at) => (
          <Button key={id} hint={key} kind={at ? "" : "primary"} onPress={run}>
            {name}
          </Button>
        ))}
        {more.length > 0 && (
          <MenuTrigger>
            <AriaButton translate="no" className="act icon" aria-label={t("more")}>
              <Icon name="more" />
            </AriaButton>
            <Popover className="popover" placement="bottom end">
              <Menu className="menu" onAction={(id) => more.find((one) => one.id === id)?.run()}>
                {more.map(({ id, name, key }) => (
                  <MenuItem translate="no" key={id} id={id} className="menu-item" textValue={name}>
                    {name}
                    {key && <kbd aria-hidden="true">{key}</kbd>}
                  </MenuItem>
                ))}
              </Menu>
            </Popover>
          </MenuTrigger>
        )}
        <AriaButton
          translate="no"
          className="act icon customer-toggle"
          aria-label={t("customer.title")}
          onPress={() => pane.set(pane.get() === "customer" ? "conversation" : "customer")}
        >
          <Icon name="person" />
        </AriaButton>
      </div>
    </header>
  );
}

/** How it stands, in one line. */
function ConversationStatus({ conversation }: { conversation: Conversation }): ReactNode {
  const now = useNow(5_000);
  const { escalation, session } = conversation;
  const can = standingOf(conversation);
  const lease = escalation?.leaseExpiresAt ? Date.parse(escalation.leaseExpiresAt) - now : null;
  const holder = straight(escalation?.claimedBy?.name ?? escalation?.claimedBy?.agentId ?? "");
  const parts: ReactNode[] = [];
  if (can.isWaiting && escalation) parts.push(t("stand.waiting", { time: duration(now - Date.parse(escalation.createdAt)) }));
  else if (can.isSnoozed && escalation?.snoozedUntil) parts.push(t("stand.snoozed", { time: moment(escalation.snoozedUntil) }));
  else if (can.isMine) parts.push(<Lease key="lease" lease={lease} at={escalation?.leaseExpiresAt} id={escalation?.escalationId} />);
  else if (can.isOthers) parts.push(t("stand.others", { name: holder }));
  else if (escalation?.resolvedAt) parts.push(t("stand.resolved", { time: moment(escalation.resolvedAt) }));
  else parts.push(named("ownership", session.ownership));
  if (escalation && can.snoozeAgain) parts.push(<WasSnoozed key="was" until={can.snoozeAgain} id={escalation.escalationId} />);
  if (escalation && !can.isResolved) parts.push(named("category", escalation.reasonCategory));
  const former = straight(escalation?.formerAgent?.name ?? escalation?.formerAgent?.agentId ?? "");
  if (former && can.isWaiting) parts.push(t(escalation?.releaseReason === "lapsed" ? "stand.lapsed" : "stand.former", { name: former }));
  if (escalation?.rating) parts.push(t("stand.rating", { score: escalation.rating.score }));
  return (
    <p className="stand">
      {escalation?.priority === "high" && <span className="mark urgent">{t("priority.high")}</span>}
      {parts.map((part, at) => (
        <span key={at}>{part}</span>
      ))}
    </p>
  );
}

function Lease({ lease, at, id }: { lease: number | null; at: string | null | undefined; id: string | undefined }): ReactNode {
  if (lease === null || !at) return <span>{t("stand.mine")}</span>;
  if (lease > ENDS_SOON_MS) return <span>{t("stand.mineUntil", { time: clockTime(at) })}</span>;
  return (
    <span className="late" role="status">
      {lease > 0 ? t("stand.ends", { time: duration(lease) }) : t("stand.ended")}{" "}
      <Button kind="text" onPress={() => id && void renew(id)}>
        {t("act.renew")}
      </Button>
    </span>
  );
}

function WasSnoozed({ until, id }: { until: Date; id: string }): ReactNode {
  return (
    <span>
      {t("stand.wasSnoozed", { time: moment(until.toISOString()) })}{" "}
      <Button kind="text" onPress={() => void snooze(id, until)}>
        {t("act.snoozeAgain")}
      </Button>
    </span>
  );
}
