// Ends of a human part, and putting it off: resolve, hand back, snooze.

import { useState, type FormEvent, type ReactNode } from "react";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";

import { submitByKey, Dialog } from "../ui/Dialog";
import { dialog } from "../ui/dialogs";
import { Button } from "../ui/parts";
import { moment, t } from "../ui/texts";
import { snooze } from "./actions";
import { nameOfCase, type Conversation } from "./data";
import { endLater } from "./deferred";

const MAX_TEXT = 1_000;
const DAY_MS = 86_400_000;
const MAX_SNOOZE_MS = 7 * DAY_MS;

const close = () => dialog.set(null);

interface EndProps {
  kind: "resolve" | "handback";
  conversation: Conversation;
}

export function EndDialog({ kind, conversation }: EndProps): ReactNode {
  const { escalation, session, turns } = conversation;
  const submit = (text: string) => {
    close();
    if (!escalation) return;
    const customer = nameOfCase(conversation);
    const lastSeenMessageId = turns.at(-1)?.messageId;
    endLater({ kind, escalationId: escalation.escalationId, sessionId: session.sessionId, customer, text, lastSeenMessageId });
  };
  return (
    <Dialog title={t(`${kind}.title`)}>
      <p>{t(`${kind}.text`)}</p>
      <EndForm kind={kind} submit={submit} close={close} />
    </Dialog>
  );
}

/** The text of an end, and the button that ends. */
export function EndForm({ kind, submit, close }: Pick<EndProps, "kind"> & { submit: (text: string) => void; close: () => void }): ReactNode {
  const [text, setText] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(text.trim());
  };
  return (
    <form onSubmit={send}>
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
        <Button onPress={close}>{t("cancel")}</Button>
        <Button type="submit" kind="primary">
          {t(`${kind}.do`)}
        </Button>
      </div>
    </form>
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
    <Dialog title={t("snooze.title")}>
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
        <Button type="submit" isDisabled={!isGood}>
          {t("snooze.do")}
        </Button>
      </form>
    </Dialog>
  );
}
