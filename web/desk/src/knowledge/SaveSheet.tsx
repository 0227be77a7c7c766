// What saving an entry would change about customers' questions, before it is saved.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";

import { CallFailed } from "../api/client";
import type { components } from "../api/schema";
import { codeOf, explain } from "../inbox/failures";
import { Act, Prose } from "../ui/parts";
import { count, percent, straight } from "../ui/texts";
import { Window } from "../ui/Window";
import { dryRunQuery, type Change, type Question, type Questions } from "./Proof";
import { k, kind } from "./texts";

type Schemas = components["schemas"];

interface SheetProps {
  change: Change;
  questions: Questions;
  /** Puts a sentence that would be lost back into the text. */
  bringBack: (text: string) => void;
  save: () => void;
  close: () => void;
}

const SHOWN = ["lost", "gained", "other"] as const;

/** What saving would change, before it is saved. */
export function SaveSheet({ change, questions, bringBack, save, close }: SheetProps): ReactNode {
  const asked = useInfiniteQuery(dryRunQuery(change, questions));
  const items = asked.data?.pages.flatMap((page) => page.items) ?? [];
  const same = items.filter((one) => one.change === "same").length;
  // What cannot be tried because it cannot be saved: saving says why, at its field or with both texts.
  const isRefused = asked.error instanceof CallFailed && [400, 404, 409].includes(asked.error.status);
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    if (isRefused) latest.current();
  }, [isRefused]);
  return (
    <Window title={k("sheet.title")} kind="wide" close={close}>
      {!asked.data && <p role="status">{asked.error ? k("sheet.failed", { why: explain(codeOf(asked.error)) }) : k("sheet.asking")}</p>}
      {asked.data && (
        <>
          <p role="status">{k("sheet.same", { same: count(same), all: count(items.length) })}</p>
          {asked.data.pages[0]?.reliesOnModel && <p className="hint">{k("proof.model")}</p>}
          {SHOWN.map((name) => (
            <Changed key={name} name={name} items={items.filter((one) => one.change === name)} bringBack={bringBack} />
          ))}
        </>
      )}
      <div className="dialog-foot">
        {asked.hasNextPage && <Act onPress={() => void asked.fetchNextPage()}>{k("more")}</Act>}
        <Act onPress={close}>{k("sheet.back")}</Act>
        <Act kind="primary" autoFocus onPress={save}>
          {k("save")}
        </Act>
      </div>
    </Window>
  );
}

function Changed({ name, items, bringBack }: { name: (typeof SHOWN)[number]; items: Question[]; bringBack: (text: string) => void }): ReactNode {
  if (!items.length) return null;
  return (
    <section className={`sheet-part ${name}`}>
      <h3>
        {kind("sheet", name)} <span className="count">{count(items.length)}</span>
      </h3>
      <ul>
        {items.map((one) => (
          <li key={one.messageId ?? one.question}>
            <details>
              <summary dir="auto">{straight(one.question)}</summary>
              <div className="versions">
                <Answer name={k("sheet.before")} of={one.before} />
                <Answer name={k("sheet.after")} of={one.after} />
              </div>
              {name === "lost" && one.before.answer && <Act onPress={() => bringBack(one.before.answer)}>{k("sheet.bringBack")}</Act>}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answer({ name, of }: { name: string; of: Schemas["DryRunAnswer"] }): ReactNode {
  return (
    <div className="version">
      <h4 className="version-title">
        {name} <span className="hint">{percent(of.confidence)}</span>
      </h4>
      {of.answer ? <Prose text={of.answer} /> : <p className="quiet">{k("sheet.noAnswer")}</p>}
      <p className="hint">{of.sources[0]?.path}</p>
    </div>
  );
}
