// Two states of an entry in one text: what went, what came, and folded what stayed.

import { useMemo, useState, type ReactNode } from "react";

import { Button } from "../ui/parts";
import { count, straight } from "../ui/texts";
import { compareLines, folded, type Line, type Stretch } from "./compare";
import { k, kind } from "./texts";

/** The fields of an entry, a version or a draft that are compared. */
export interface State {
  title: string | null;
  content: string | null;
  visibility: string | null;
  tags: string[];
}

interface Props {
  label: string;
  /** Null if there was nothing, or is to be nothing. */
  from: State | null;
  to: State | null;
}

const NOTHING: State = { title: "", content: "", visibility: null, tags: [] };

export function Differences({ label, from, to }: Props): ReactNode {
  const [before, after] = [from ?? NOTHING, to ?? NOTHING];
  const stretches = useMemo(() => folded(compareLines(before.content ?? "", after.content ?? "")), [before.content, after.content]);
  const visibility = (of: State) => (of.visibility ? kind("visibility", of.visibility) : "");
  const isSame = before.title === after.title && visibility(before) === visibility(after) && before.tags.join() === after.tags.join() && stretches.every(({ lines }) => lines.every((one) => one.kind === "same"));
  return (
    <div className="differences" role="group" aria-label={label}>
      <h4>{label}</h4>
      {isSame && <p className="hint">{k("diff.none")}</p>}
      <Fact name={k("entry.title")} from={before.title ?? ""} to={after.title ?? ""} isAlways />
      <Fact name={k("entry.visibility")} from={visibility(before)} to={visibility(after)} />
      <Fact name={k("entry.tags")} from={before.tags.join(", ")} to={after.tags.join(", ")} />
      <div className="diff" dir="auto">
        {stretches.map((one, index) => (
          <Lines key={`${index} ${one.lines.length}`} of={one} />
        ))}
      </div>
    </div>
  );
}

function Fact({ name, from, to, isAlways = false }: { name: string; from: string; to: string; isAlways?: boolean }): ReactNode {
  if (from === to && !(isAlways && to)) return null;
  return (
    <p className="diff-fact">
      <span className="hint">{name}</span>{" "}
      {from !== to && from && (
        <del>
          <span className="said">{k("diff.gone")} </span>
          {straight(from)}
        </del>
      )}{" "}
      {from === to ? <bdi>{straight(to)}</bdi> : to && (
        <ins>
          <span className="said">{k("diff.new")} </span>
          {straight(to)}
        </ins>
      )}
    </p>
  );
}

function Lines({ of }: { of: Stretch }): ReactNode {
  const [isOpen, setOpen] = useState(!of.isFolded);
  if (!isOpen) {
    return (
      <Button kind="quiet diff-fold" onPress={() => setOpen(true)}>
        {k("diff.folded", { count: count(of.lines.length) })}
      </Button>
    );
  }
  const lines = of.lines.map((line, index) => <OneLine key={index} of={line} />);
  // Keeps a keyboard user at the place of the button.
  return of.isFolded ? <div ref={toFocus} tabIndex={-1}>{lines}</div> : lines;
}

const toFocus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });

function OneLine({ of: { kind: of, parts } }: { of: Line }): ReactNode {
  const Mark = of === "gone" ? "del" : "ins";
  return (
    <p className={`diff-line ${of}`}>
      {of !== "same" && <span className="said">{k(`diff.${of}`)} </span>}
      {parts.map(({ text, isChanged }, index) => (isChanged ? <Mark key={index}>{straight(text)}</Mark> : <span key={index}>{straight(text)}</span>))}
    </p>
  );
}
