// The dialogs of what is done with all marked conversations.

import { useState, type FormEvent, type ReactNode } from "react";

import { MAX_TAG } from "../inbox/actions";
import { usedTags, type Row } from "../inbox/data";
import { EndForm } from "../inbox/EndDialogs";
import { TransferForm } from "../inbox/TransferDialog";
import { Dialog } from "../ui/Dialog";
import { Button } from "../ui/parts";
import { count, straight, t } from "../ui/texts";
import { resolveAll, tagAll, transferAll } from "./run";
import { b } from "./texts";

export type BulkAction = "resolve" | "tag" | "transfer";

interface Props {
  act: BulkAction;
  title: string;
  /** Those with which it can be done, of all that are marked and in the list. */
  rows: readonly Row[];
  all: number;
  /** Those that the list lost. */
  gone: readonly Row[];
  close: () => void;
}

export function BulkDialog({ act, title, rows, all, gone, close }: Props): ReactNode {
  return (
    <Dialog title={title} close={close}>
      {all > rows.length && <p className="problem">{b("skipped", { count: count(all - rows.length) })}</p>}
      {act === "resolve" && (
        <>
          <p>{b("resolve.text")}</p>
          <EndForm
            kind="resolve"
            submit={(text) => {
              close();
              resolveAll(rows, gone, text);
            }}
            close={close}
          />
        </>
      )}
      {act === "transfer" && (
        <TransferForm
          submit={(to, note) => {
            close();
            transferAll(rows, gone, to, note);
          }}
          close={close}
        />
      )}
      {act === "tag" && (
        <TagForm
          rows={rows}
          submit={(kind, tag) => {
            close();
            tagAll(kind, rows, gone, tag);
          }}
          close={close}
        />
      )}
    </Dialog>
  );
}

function TagForm({ rows, submit, close }: { rows: readonly Row[]; submit: (kind: "tag" | "untag", tag: string) => void; close: () => void }): ReactNode {
  const [text, setText] = useState("");
  const tag = text.trim();
  const had = new Map<string, number>();
  for (const one of rows.flatMap((row) => row.tags)) had.set(one, (had.get(one) ?? 0) + 1);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (tag) submit("tag", tag);
  };
  return (
    <form onSubmit={add}>
      <div className="add-tag">
        <input
          autoFocus
          dir="auto"
          value={text}
          list="bulk-tags"
          maxLength={MAX_TAG}
          aria-label={t("customer.addTag")}
          placeholder={t("customer.addTag")}
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id="bulk-tags">
          {usedTags().map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Button type="submit" kind="primary" isDisabled={!tag}>
          {t("add")}
        </Button>
      </div>
      {had.size > 0 && (
        <>
          <h3 className="bulk-had">{b("tag.has")}</h3>
          <ul className="bulk-tags">
            {[...had].sort(([one], [other]) => one.localeCompare(other)).map(([one, many]) => (
              <li key={one}>
                <Button onPress={() => submit("untag", one)}>{b("tag.remove", { tag: straight(one), count: count(many) })}</Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="dialog-foot">
        <Button onPress={close}>{t("cancel")}</Button>
      </div>
    </form>
  );
}
