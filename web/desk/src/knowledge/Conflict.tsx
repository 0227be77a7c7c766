// The choices after somebody else saved, or deleted, the entry that a person changes.

import { useEffect, useMemo, useRef, type ReactNode } from "react";

import { Button } from "../ui/parts";
import { fullTime, straight } from "../ui/texts";
import { compare, type Part } from "./compare";
import type { TaggedEntry } from "./data";
import { k, kind } from "./texts";
import { tagsOf } from "./names";
import type { Values } from "./unsaved";

interface Props {
  of?: "entry" | "draft";
  /** The entry as somebody else left it; null if they deleted it. */
  theirs: TaggedEntry | null;
  mine: Values;
  takeTheirs: () => void;
  keepMine: () => void;
}

export function Conflict({ of = "entry", theirs, mine, takeTheirs, keepMine }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  // Scrolls up from the foot of the form, at which the person saves.
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} className="told conflict" role="alert">
      {theirs ? (
        <>
          <p>{k(`conflict.text.${of}`, { time: fullTime(theirs.data.updatedAt) })}</p>
          <SideBySide theirs={{ name: k("conflict.theirsName"), ...theirs.data }} mine={{ name: k("conflict.mineName"), ...mine, tags: tagsOf(mine.tags) }} />
        </>
      ) : (
        <p>{k(`conflict.deleted.${of}`)}</p>
      )}
      <div className="acts">
        <Button onPress={takeTheirs}>{k(theirs ? "conflict.theirs" : "conflict.letGo")}</Button>
        <Button kind="primary" onPress={keepMine}>
          {k(theirs ? "conflict.mine" : `conflict.anew.${of}`)}
        </Button>
      </div>
    </div>
  );
}

/** Two states of one text, under the name of each. */
export interface Side {
  name: string;
  title: string;
  content: string;
  visibility: string;
  tags: string[];
}

/** Both texts beside each other, with what only one has. */
export function SideBySide({ theirs, mine }: { theirs: Side; mine: Side }): ReactNode {
  const text = useMemo(() => compare(theirs.content, mine.content), [theirs.content, mine.content]);
  const title = useMemo(() => compare(theirs.title, mine.title), [theirs.title, mine.title]);
  const facts = ({ visibility, tags }: Side) => [kind("visibility", visibility), ...tags].join(" · ");
  return (
    <div className="versions">
      <Version name={theirs.name} title={title.from} facts={facts(theirs)} parts={text.from} mark="del" />
      <Version name={mine.name} title={title.to} facts={facts(mine)} parts={text.to} mark="ins" />
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
