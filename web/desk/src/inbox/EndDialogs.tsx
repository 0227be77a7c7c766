// Ends and changes of hands: resolve, hand back, snooze, transfer.

import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent, type KeyboardEvent, type ReactNode } from "react";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";

import { api, call, CallFailed } from "../api/client";
import { signIn } from "../signin/session";
import { dialog } from "../ui/dialogs";
import { tell } from "../ui/notices";
import { Act } from "../ui/parts";
import { moment, straight, t } from "../ui/texts";
import { Window } from "../ui/Window";
import { snooze, transfer } from "./acts";
import { listQuery, type Conversation } from "./data";
import { endLater } from "./deferred";

const MAX_TEXT = 1_000;
const DAY_MS = 86_400_000;
const MAX_SNOOZE_MS = 7 * DAY_MS;

const close = () => dialog.set(null);

/** Sends a form by Ctrl-Enter from its text field. */
function submitByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

export function EndDialog({ kind, conversation }: { kind: "resolve" | "handback"; conversation: Conversation }): ReactNode {
  const [text, setText] = useState("");
  const { escalation, session, turns } = conversation;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    close();
    if (!escalation) return;
    const customer = straight(session.user?.name ?? "") || t("customer.unnamed");
    const lastSeenMessageId = turns.at(-1)?.messageId;
    endLater({ kind, escalationId: escalation.escalationId, sessionId: session.sessionId, customer, text: text.trim(), lastSeenMessageId });
  };
  return (
    <Window title={t(`${kind}.title`)}>
      <form onSubmit={submit}>
        <p id="end-text">{t(`${kind}.text`)}</p>
        <textarea
          autoFocus
          rows={3}
          dir="auto"
          maxLength={MAX_TEXT}
          value={text}
          aria-label={t(`${kind}.field`)}
          placeholder={t(`${kind}.field`)}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={submitByKey}
        />
        <div className="dialog-foot">
          <span className="hint">{t("dialog.hint")}</span>
          <Act onPress={close}>{t("cancel")}</Act>
          <Act type="submit" kind="primary">
            {t(`${kind}.do`)}
          </Act>
        </div>
      </form>
    </Window>
  );
}

function at(days: number, hour: number): Date {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(hour, 0, 0, 0);
  return date;
}

/** A moment as `datetime-local` fields have it. */
function local(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

export function SnoozeDialog({ conversation }: { conversation: Conversation }): ReactNode {
  const now = Date.now();
  const toMonday = (8 - new Date().getDay()) % 7 || 7;
  const choices = [
    { id: "hour", until: new Date(now + 3_600_000) },
    { id: "threeHours", until: new Date(now + 3 * 3_600_000) },
    { id: "tomorrow", until: at(1, 9) },
    { id: "monday", until: at(toMonday, 9) },
  ] as const;
  const [own, setOwn] = useState("");
  const put = (until: Date) => {
    close();
    if (conversation.escalation) void snooze(conversation.escalation.escalationId, until);
  };
  const chosen = own ? new Date(own) : null;
  const isGood = chosen !== null && chosen.getTime() > now && chosen.getTime() <= now + MAX_SNOOZE_MS;
  return (
    <Window title={t("snooze.title")}>
      <p>{t("snooze.text")}</p>
      <ListBox
        className="menu"
        aria-label={t("snooze.title")}
        autoFocus="first"
        selectionMode="none"
        onAction={(id) => {
          const choice = choices.find((one) => one.id === id);
          if (choice) put(choice.until);
        }}
      >
        {choices.map(({ id, until }) => (
          <ListBoxItem key={id} id={id} className="menu-item" textValue={t(`snooze.${id}`)}>
            {t(`snooze.${id}`)}
            <span className="hint">{moment(until.toISOString())}</span>
          </ListBoxItem>
        ))}
      </ListBox>
      <form
        className="row-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isGood) put(chosen);
        }}
      >
        <label>
          {t("snooze.own")}
          <input
            type="datetime-local"
            value={own}
            min={local(new Date(now))}
            max={local(new Date(now + MAX_SNOOZE_MS))}
            onChange={(event) => setOwn(event.target.value)}
          />
        </label>
        <Act type="submit" isDisabled={!isGood}>
          {t("snooze.do")}
        </Act>
      </form>
    </Window>
  );
}

interface Colleague {
  id: string;
  name: string;
  isAway: boolean;
}

/** Who can be handed a customer: the members with the inbox, or, for who may not list them, those who answer now. */
function useColleagues(): Colleague[] | undefined {
  const me = signIn.get().desk?.member.memberId;
  const members = useQuery({
    queryKey: ["colleagues"],
    staleTime: 60_000,
    queryFn: async () => {
      try {
        return (await call(api.GET("/members", { params: { query: { limit: 100 } } }))).items;
      } catch (error) {
        if (error instanceof CallFailed && error.status === 403) return null;
        throw error;
      }
    },
  }).data;
  const claimed = useQuery({ ...listQuery("everybody", null), enabled: members === null }).data;
  if (members) {
    return members
      .filter((one) => one.memberId !== me && one.status === "active")
      .filter((one) => one.roles.some((role) => role === "admin" || role === "agent"))
      .map((one) => ({ id: one.memberId, name: one.name, isAway: one.availability === "away" }));
  }
  if (members === undefined || !claimed) return undefined;
  const holders = new Map(claimed.items.flatMap(({ holder }) => (holder ? [[holder.agentId, holder.name]] : [])));
  return [...holders]
    .filter(([id]) => id !== me && id !== undefined)
    .map(([id, name]) => ({ id: id!, name: name ?? id!, isAway: false }));
}

export function TransferDialog({ conversation }: { conversation: Conversation }): ReactNode {
  const colleagues = useColleagues();
  const [to, setTo] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const colleague = colleagues?.find((one) => one.id === to);
    if (!colleague || !conversation.escalation) return;
    close();
    if (await transfer(conversation.escalation.escalationId, colleague.id, note.trim())) {
      tell(t("transfer.done", { name: straight(colleague.name) }));
    }
  };
  return (
    <Window title={t("transfer.title")}>
      <form onSubmit={(event) => void submit(event)}>
        <ListBox
          className="menu tall"
          aria-label={t("transfer.to")}
          autoFocus="first"
          selectionMode="single"
          selectedKeys={to ? [to] : []}
          onSelectionChange={(keys) => setTo(([...keys][0] as string | undefined) ?? null)}
          renderEmptyState={() => <p className="quiet">{colleagues ? t("transfer.nobody") : t("loading")}</p>}
        >
          {(colleagues ?? []).map(({ id, name, isAway }) => (
            <ListBoxItem key={id} id={id} className="menu-item" textValue={name}>
              <bdi>{straight(name)}</bdi>
              {isAway && <span className="hint">{t("availability.away")}</span>}
            </ListBoxItem>
          ))}
        </ListBox>
        <textarea
          rows={2}
          dir="auto"
          maxLength={MAX_TEXT}
          value={note}
          aria-label={t("transfer.note")}
          placeholder={t("transfer.note")}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={submitByKey}
        />
        <div className="dialog-foot">
          <Act onPress={close}>{t("cancel")}</Act>
          <Act type="submit" kind="primary" isDisabled={!to}>
            {t("act.transfer")}
          </Act>
        </div>
      </form>
    </Window>
  );
}

