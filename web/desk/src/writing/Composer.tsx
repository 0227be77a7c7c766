// The field to write in: a reply to the customer, or a note for colleagues.

import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { ToggleButtonGroup } from "react-aria-components/ToggleButtonGroup";

import { nameOfCase, type Conversation } from "../inbox/data";
import { endLater } from "../inbox/deferred";
import type { Standing } from "../inbox/standing";
import { useObservable } from "../store/observable";
import { field } from "../ui/dialogs";
import type { Command } from "../ui/keys";
import { Button, Icon, Prose } from "../ui/parts";
import { count, t } from "../ui/texts";
import { draftOf, write } from "./drafts";
import { MAX_LENGTH } from "./insert";
import { send } from "./outbox";

/** From here on the field says how much is left. */
const NEAR_LIMIT = MAX_LENGTH - 500;

interface Props {
  conversation: Conversation;
  can: Standing;
  commands: Command[];
}

export function Composer({ conversation, can, commands }: Props): ReactNode {
  const { session, escalation, turns } = conversation;
  const { sessionId } = session;
  const draft = useObservable(draftOf(sessionId));
  const [isPreview, setPreview] = useState(false);
  const kind = can.canReply && (draft.kind === "reply" || !can.canNote) ? "reply" : "note";
  const text = draft[kind];
  const area = useArea(text, isPreview);
  const isSendable = !!text.trim() && [...text].length <= MAX_LENGTH && (kind === "reply" ? can.canReply : can.canNote);
  const submit = () => {
    if (!isSendable) return;
    const after = turns.at(-1)?.turn ?? 0;
    const escalationId = escalation?.escalationId ?? null;
    void send({ sessionId, escalationId, content: text.trim(), isNote: kind === "note", after });
    write(sessionId, { [kind]: "", kind: "reply" });
    setPreview(false);
    area.current?.focus();
  };
  const isEnding = kind === "reply" && can.canReply && !!escalation;
  const submitAndResolve = () => {
    if (!isEnding || !isSendable) return;
    submit();
    endLater({ kind: "resolve", escalationId: escalation.escalationId, sessionId, customer: nameOfCase(conversation), text: "", lastSeenMessageId: turns.at(-1)?.messageId });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (event.shiftKey) submitAndResolve();
      else submit();
    } else if (event.key === "Escape") area.current?.blur();
  };
  const tools = ["savedReplies", "suggestion"].flatMap((id) => commands.find((one) => one.id === id) ?? []);
  const save = commands.find((one) => one.id === "saveReply");
  return (
    <form
      className={`composer ${kind}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="composer-bar">
        <KindToggle kind={kind} can={can} choose={(next) => write(sessionId, { kind: next })} />
        {kind === "reply" &&
          tools.map(({ id, name, key, run }) => (
            <Button key={id} kind="quiet" hint={key} onPress={run}>
              <Icon name={id === "suggestion" ? "spark" : "text"} />
              <span className="tool-name">{name}</span>
            </Button>
          ))}
      </div>
      {isPreview ? (
        <div className="preview" role="region" aria-label={t("compose.preview")} tabIndex={0}>
          <Prose text={text} />
        </div>
      ) : (
        <textarea
          ref={area}
          rows={3}
          dir="auto"
          value={text}
          aria-label={kind === "note" ? t("compose.note") : t("compose.reply")}
          placeholder={kind === "note" ? t("compose.note") : t("compose.reply")}
          onChange={(event) => write(sessionId, { [kind]: event.target.value })}
          onKeyDown={press}
        />
      )}
      <div className="composer-foot">
        <span className="hint">{kind === "note" ? t("compose.noteHint") : t("compose.hint")}</span>
        {text.length > NEAR_LIMIT && (
          <span className={text.length > MAX_LENGTH ? "late" : "hint"} role="status">
            {t("compose.left", { count: count(MAX_LENGTH - [...text].length) })}
          </span>
        )}
        {kind === "reply" && text.trim() && save && (
          <Button kind="quiet" onPress={save.run}>
            {save.name}
          </Button>
        )}
        <ToggleButton translate="no" className="act quiet" isSelected={isPreview} onChange={setPreview} isDisabled={!text.trim()}>
          {t("compose.preview")}
        </ToggleButton>
        {isEnding && (
          <Button kind="quiet send-resolve" isDisabled={!isSendable} onPress={submitAndResolve}>
            {t("compose.sendResolve")}
          </Button>
        )}
        <Button type="submit" kind="primary" isDisabled={!isSendable}>
          {kind === "note" ? t("compose.keepNote") : t("compose.send")}
        </Button>
      </div>
    </form>
  );
}

function KindToggle({ kind, can, choose }: { kind: "reply" | "note"; can: Standing; choose: (kind: "reply" | "note") => void }): ReactNode {
  if (!can.canReply) return <span className="only-note">{t("compose.onlyNote")}</span>;
  return (
    <ToggleButtonGroup
      className="kinds"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[kind]}
      onSelectionChange={(keys) => choose([...keys][0] as "reply" | "note")}
      aria-label={t("compose.kind")}
    >
      <ToggleButton translate="no" id="reply">{t("act.reply")}</ToggleButton>
      {can.canNote && <ToggleButton translate="no" id="note">{t("act.note")}</ToggleButton>}
    </ToggleButtonGroup>
  );
}

/** The field grows with its text, to a third of the screen, and is the one that keys and dialogs write into. */
function useArea(text: string, isPreview: boolean) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current = area.current;
    return () => {
      field.current = null;
    };
  }, [isPreview]);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight + 2, innerHeight / 3)}px`;
  }, [text, isPreview]);
  return area;
}
