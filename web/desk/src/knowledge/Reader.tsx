// An entry as a customer reads it, and what can be done with it.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode } from "react";

import { api, call, CallFailed } from "../api/client";
import { go } from "../place";
import { queries } from "../inbox/data";
import { isGone } from "../settings/data";
import { Ask, Read } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { Observable, useObservable } from "../store/observable";
import { tell } from "../ui/notices";
import { Act, Prose } from "../ui/parts";
import { fullTime, straight } from "../ui/texts";
import { changeEntry, entryChanged, entryQuery, type Entry, type TaggedEntry } from "./data";
import { AskVisibility } from "./Editor";
import { EntryMarks } from "./marks";
import { Pins } from "./Pins";
import { k } from "./texts";
import { editAt, KnowledgeLink, toldAt } from "./where";

/** What is asked about the entry that is shown: the palette asks it too. */
export const asked = new Observable<"delete" | "visibility" | null>(null);

export function Reader({ path }: { path: string }): ReactNode {
  const entry = useQuery(entryQuery(path));
  if (isGone(entry.error)) {
    return (
      <p className="empty" role="alert">
        {k("entry.gone")} <KnowledgeLink to="">{k("entry.all")}</KnowledgeLink>
      </p>
    );
  }
  return <Read of={entry}>{(found) => <Shown of={found} />}</Read>;
}

function Shown({ of }: { of: TaggedEntry }): ReactNode {
  const question = useObservable(asked);
  const entry = of.data;
  const other = entry.visibility === "public" ? "internal" : "public";
  const close = () => asked.set(null);
  return (
    <>
      <Facts of={entry} />
      {hasRole("admin", "trainer") && (
        <div className="acts">
          <Act kind="primary" hint="e" onPress={() => go({ knowledge: editAt(entry.path) })}>
            {k("entry.edit")}
          </Act>
          <Act onPress={() => asked.set("visibility")}>{k(`entry.make.${other}`)}</Act>
          <Act onPress={() => asked.set("delete")}>{k("entry.delete")}</Act>
        </div>
      )}
      <article className="article" aria-label={k("entry.asSeen")}>
        <h3 dir="auto">{straight(entry.title)}</h3>
        <Prose text={entry.content} />
      </article>
      <Pins path={entry.path} />
      {question === "visibility" && <AskVisibility to={other} run={() => guarded(entry.path, () => changeEntry(entry.path, of.tag, { visibility: other }))} close={close} />}
      {question === "delete" && (
        <Ask name="delete entry" title={k("delete.title")} text={k("delete.text", { title: straight(entry.title) })} act={k("entry.delete")} run={() => guarded(entry.path, () => remove(of))} close={close} />
      )}
    </>
  );
}

/** Where somebody else changed the entry, it is shown as they left it, and nothing is done. */
async function guarded(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CallFailed && (error.status === 412 || error.status === 404))) throw error;
    tell(tellProblem(error), true);
    await entryChanged(path);
  }
}

async function remove({ data: { path, title }, tag }: TaggedEntry): Promise<void> {
  await call(api.DELETE("/wiki/{path}", { params: { path: { path }, header: { "If-Match": tag } } }));
  tell(k("delete.done", { title: straight(title) }));
  go({ knowledge: "" }, true);
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
        <KnowledgeLink to={toldAt(entry.path)}>{k("told")}</KnowledgeLink>
        {source?.type === "ingest" && ` · ${k("entry.fromPage", { url: source.url ?? k("entry.aText") })}`}
      </p>
    </div>
  );
}
