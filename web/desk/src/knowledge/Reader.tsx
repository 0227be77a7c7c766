// An entry as a customer reads it, and what can be done with it.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode } from "react";

import { api, ApiError, type Entry } from "../api/client";
import { go } from "../place";
import { queries } from "../inbox/data";
import { isGone } from "../settings/data";
import { QueryResult } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { Observable, useObservable } from "../store/observable";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { fullTime, moment, straight } from "../ui/texts";
import { changeEntry, entryChanged, entryQuery, type TaggedEntry } from "./data";
import { ConfirmVisibilityDialog } from "./ConfirmVisibilityDialog";
import { countOf, draftsOfQuery, proposeDeletion } from "./draft";
import { toHead } from "./focus";
import { IllustratedProse } from "./IllustratedProse";
import { EntryMarks } from "./marks";
import { Pins } from "./Pins";
import type { Change } from "./DryRunPreview";
import { DAYS, questionsFor, SaveSheet } from "./SaveSheet";
import { k, kind } from "./texts";
import { draftAt, editAt, historyAt, KnowledgeLink, answeredCustomersAt } from "./routes";

/** The dialog about the entry that is shown: the palette opens it too. */
export const asked = new Observable<"delete" | "visibility" | "confirm" | null>(null);

export function Reader({ path }: { path: string }): ReactNode {
  const entry = useQuery(entryQuery(path));
  if (isGone(entry.error)) {
    return (
      <p className="empty" role="alert">
        {k("entry.gone")} <KnowledgeLink to="">{k("entry.all")}</KnowledgeLink> · <KnowledgeLink to={historyAt(path)}>{k("history")}</KnowledgeLink>
      </p>
    );
  }
  return <QueryResult of={entry}>{(found) => <Shown of={found} />}</QueryResult>;
}

function Shown({ of }: { of: TaggedEntry }): ReactNode {
  const question = useObservable(asked);
  const entry = of.data;
  const { path } = entry;
  const other = entry.visibility === "public" ? "internal" : "public";
  const canWrite = hasRole("admin", "trainer");
  const close = () => asked.set(null);
  const opened: Change = { path, visibility: other };
  const done = async (run: () => Promise<void>) => {
    await guarded(path, run);
    close();
  };
  return (
    <>
      <Facts of={entry} />
      <Waiting path={path} />
      <div className="acts">
        <Button kind="primary" hint="e" onPress={() => go({ knowledge: editAt(path) })}>
          {k(canWrite ? "entry.edit" : "propose.change")}
        </Button>
        {canWrite && <Button onPress={() => asked.set("visibility")}>{k(`entry.make.${other}`)}</Button>}
        <Button onPress={() => asked.set("delete")}>{k(canWrite ? "entry.delete" : "propose.delete")}</Button>
        <Button hint="h" onPress={() => go({ knowledge: historyAt(path) })}>
          {k("history")}
        </Button>
      </div>
      <article className="article" aria-label={k("entry.asSeen")}>
        <h3 dir="auto">{straight(entry.title)}</h3>
        <IllustratedProse text={entry.content} />
      </article>
      <Pins path={path} />
      {question === "visibility" && <SaveSheet of="visibility" change={opened} questions={questionsFor(opened)} run={() => asked.set("confirm")} close={close} />}
      {question === "confirm" && <ConfirmVisibilityDialog to={other} run={() => guarded(path, () => changeEntry(path, of.tag, { visibility: other }))} close={close} />}
      {question === "delete" && (
        <SaveSheet
          of={canWrite ? "delete" : "proposeDelete"}
          change={{ path, action: "delete" }}
          questions={{ path, days: DAYS }}
          lead={<p>{k(canWrite ? "delete.text" : "propose.deleteText", { title: straight(entry.title) })}</p>}
          run={(key) => done(() => (canWrite ? remove(of) : proposeGone(entry, key)))}
          close={close}
        />
      )}
    </>
  );
}

/** Somebody proposed a change already. */
function Waiting({ path }: { path: string }): ReactNode {
  const { data } = useQuery(draftsOfQuery(path));
  if (!data || !countOf(data)) return null;
  return (
    <p className="told unsaved">
      <span>{k("drafts.ofEntry")}</span>
      {data.items.map((one) => (
        <KnowledgeLink key={one.draftId} to={draftAt(one.draftId)}>
          {k("drafts.oneOf", { action: kind("draftAction", one.action), time: moment(one.updatedAt) })}
        </KnowledgeLink>
      ))}
      {data.hasMore && <KnowledgeLink to="/drafts">{k("drafts.all")}</KnowledgeLink>}
    </p>
  );
}

async function proposeGone({ path, version }: Entry, key: string): Promise<void> {
  const draft = await proposeDeletion(path, version, key);
  tell(k("propose.done"));
  go({ knowledge: draftAt(draft.draftId) });
  toHead();
}

/** If somebody else changed the entry, it is shown as they left it, and nothing is done. */
async function guarded(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 412 || error.status === 404))) throw error;
    tell(tellProblem(error), true);
    await entryChanged(path);
  }
}

async function remove({ data: { path, title }, tag }: TaggedEntry): Promise<void> {
  await api.deleteEntry({ path }, { ifMatch: tag });
  tell(k("delete.done", { title: straight(title) }));
  go({ knowledge: "" }, true);
  toHead();
  queries.removeQueries({ queryKey: ["entry", path] });
  await queries.invalidateQueries({ queryKey: ["entries"] });
}

function Facts({ of: entry }: { of: Entry }): ReactNode {
  const { source } = entry;
  return (
    <div className="entry-facts">
      <EntryMarks of={entry} />
      <p className="hint">
        {k("entry.changed", { version: entry.version, time: fullTime(entry.updatedAt) })}
        {" · "}
        <KnowledgeLink to={answeredCustomersAt(entry.path)}>{k("told")}</KnowledgeLink>
        {source?.type === "ingest" && ` · ${k("entry.fromPage", { url: source.url ?? k("entry.aText") })}`}
      </p>
    </div>
  );
}
