// Hands a customer to a colleague: found by name, with a note if there is something to know.

import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { SearchField } from "react-aria-components/SearchField";

import { api, type InboxAgent } from "../api/client";
import { signIn } from "../signin/session";
import { submitByKey, Dialog } from "../ui/Dialog";
import { dialog } from "../ui/dialogs";
import { tell } from "../ui/notices";
import { Button, Icon } from "../ui/parts";
import { straight, t } from "../ui/texts";
import { transfer } from "./actions";
import type { Conversation } from "./data";
import { codeOf, explain } from "./failures";

const MAX_NOTE = 1_000;

/** Agents who are there first, then by name. */
function inOrder(a: InboxAgent, b: InboxAgent): number {
  const isAway = (one: InboxAgent) => Number(one.availability === "away");
  return isAway(a) - isAway(b) || a.name.localeCompare(b.name);
}

export function TransferDialog({ conversation: { escalation } }: { conversation: Conversation }): ReactNode {
  const submit = async ({ agentId, name }: InboxAgent, note: string) => {
    dialog.set(null);
    const isDone = escalation && (await transfer(escalation.escalationId, agentId, note));
    if (isDone) tell(t("transfer.done", { name: straight(name) }));
  };
  return (
    <Dialog title={t("transfer.title")}>
      <TransferForm without={escalation?.claimedBy?.agentId} submit={(to, note) => void submit(to, note)} close={() => dialog.set(null)} />
    </Dialog>
  );
}

interface FormProps {
  /** A colleague who is not offered. */
  without?: string;
  submit: (to: InboxAgent, note: string) => void;
  close: () => void;
}

export function TransferForm({ without, submit, close }: FormProps): ReactNode {
  const { contains } = useFilter({ sensitivity: "base" });
  const { data, error } = useQuery({
    queryKey: ["agents"],
    staleTime: 10_000,
    queryFn: async () => (await api.listAgents()).items.sort(inOrder),
  });
  const me = signIn.get().desk?.member.memberId;
  const colleagues = data?.filter(({ agentId }) => agentId !== without && agentId !== me);
  const [to, setTo] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const chosen = colleagues?.find((one) => one.agentId === to);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (chosen) submit(chosen, note.trim());
  };
  const choose = (id: string | undefined) => {
    if (!id) return;
    setTo(id);
    field.current?.focus();
  };
  return (
    <form onSubmit={send}>
      <Autocomplete filter={contains}>
        <SearchField className="search" aria-label={t("transfer.field")} autoFocus>
          <Input translate="no" placeholder={t("transfer.field")} />
        </SearchField>
        <ListBox
          className="menu tall"
          aria-label={t("transfer.to")}
          selectionMode="single"
          selectedKeys={to ? [to] : []}
          // The one that is chosen, pressed again, stays chosen.
          disallowEmptySelection
          onSelectionChange={(keys) => choose([...keys][0] as string | undefined)}
          renderEmptyState={() => (
            <p className="quiet">
              {error ? explain(codeOf(error)) : !colleagues ? t("loading") : t(colleagues.length ? "transfer.none" : "transfer.nobody")}
            </p>
          )}
        >
          {(colleagues ?? []).map(({ agentId, name, availability }) => (
            <ListBoxItem key={agentId} id={agentId} className="menu-item" textValue={name}>
              <bdi>{straight(name)}</bdi>
              {availability === "away" && <span className="mark">{t("availability.away")}</span>}
              {agentId === to && <Icon name="check" />}
            </ListBoxItem>
          ))}
        </ListBox>
      </Autocomplete>
      <textarea
        ref={field}
        rows={2}
        dir="auto"
        maxLength={MAX_NOTE}
        value={note}
        aria-label={t("transfer.note")}
        placeholder={t("transfer.note")}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={submitByKey}
      />
      <div className="dialog-foot">
        <span className="hint">{t("dialog.hint")}</span>
        <Button onPress={close}>{t("cancel")}</Button>
        <Button type="submit" kind="primary" isDisabled={!chosen}>
          {t("act.transfer")}
        </Button>
      </div>
    </form>
  );
}
