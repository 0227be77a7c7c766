// What to do where somebody else saved, or deleted, the entry that a person changes.

import { useEffect, useMemo, useRef, type ReactNode } from "react";

import { Act } from "../ui/parts";
import { fullTime, straight } from "../ui/texts";
import { compare, type Part } from "./compare";
import type { TaggedEntry } from "./data";
import { k, kind } from "./texts";
import { tagsOf } from "./names";
import type { Values } from "./unsaved";

interface Props {
  /** The entry as somebody else left it; null where they deleted it. */
  theirs: TaggedEntry | null;
  mine: Values;
  takeTheirs: () => void;
  keepMine: () => void;
}

export function Conflict({ theirs, mine, takeTheirs, keepMine }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  // Who saves is at the foot of the form.
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} className="told conflict" role="alert">
      {theirs ? (
        <>
          <p>{k("conflict.text", { time: fullTime(theirs.data.updatedAt) })}</p>
          <Both theirs={theirs} mine={mine} />
        </>
      ) : (
        <p>{k("conflict.deleted")}</p>
      )}
      <div className="acts">
        <Act onPress={takeTheirs}>{k(theirs ? "conflict.theirs" : "conflict.letGo")}</Act>
        <Act kind="primary" onPress={keepMine}>
          {k(theirs ? "conflict.mine" : "conflict.anew")}
        </Act>
      </div>
    </div>
  );
}

function Both({ theirs, mine }: { theirs: TaggedEntry; mine: Values }): ReactNode {
  const entry = theirs.data;
  const text = useMemo(() => compare(entry.content, mine.content), [entry.content, mine.content]);
  const title = useMemo(() => compare(entry.title, mine.title), [entry.title, mine.title]);
  const facts = (visibility: string, tags: string[]) => [kind("visibility", visibility), ...tags].join(" · ");
  return (
    <div className="versions">
      <Version name={k("conflict.theirsName")} title={title.from} facts={facts(entry.visibility, entry.tags)} parts={text.from} mark="del" />
      <Version name={k("conflict.mineName")} title={title.to} facts={facts(mine.visibility, tagsOf(mine.tags))} parts={text.to} mark="ins" />
    </div>
  );
}

interface VersionProps {
  name: string;
  title: Part[];
  facts: string;
  parts: Part[];
  mark: "del" | "ins";
}

function Version({ name, title, facts, parts, mark }: VersionProps): ReactNode {
  return (
    <section className="version" aria-label={name} tabIndex={0}>
      <h3>{name}</h3>
      <p className="version-title" dir="auto">
        <Parts of={title} mark={mark} />
      </p>
      <p className="hint">{facts}</p>
      <p className="version-text" dir="auto">
        <Parts of={parts} mark={mark} />
      </p>
    </section>
  );
}

function Parts({ of, mark: Mark }: { of: Part[]; mark: "del" | "ins" }): ReactNode {
  return of.map(({ text, isChanged }, index) => (isChanged ? <Mark key={index}>{straight(text)}</Mark> : <span key={index}>{straight(text)}</span>));
}
