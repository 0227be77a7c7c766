// The reason that an internal entry changes nothing: customers of the chat are answered from public entries alone, unless
// their company says otherwise. The service is asked what the same entry would answer if customers could read it.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Button, Icon } from "../ui/parts";
import { count } from "../ui/texts";
import { dryRunQuery, isAnswered, isOfAnotherRun, type Change, type Questions } from "./DryRunPreview";
import { k } from "./texts";

interface Props {
  /** The change by which the entry is internal. */
  change: Change;
  questions: Questions;
  /** How many of them it answers so; without it, as many as today. */
  answers?: number;
  /** The first words: it is being written, or is saved. */
  of: "change" | "entry";
  /** Makes it public; without it, only the reason is told. */
  open?: () => void;
}

export function HeldBack({ change, questions, answers, of, open }: Props): ReactNode {
  const asked = useInfiniteQuery({ ...dryRunQuery({ ...change, visibility: "public" }, questions), retry: isOfAnotherRun });
  const items = asked.data?.pages[0]?.items ?? [];
  const more = items.filter(isAnswered).length - (answers ?? items.filter((one) => one.before.disposition === "answered").length);
  if (more <= 0) return null;
  return (
    <div className="told ask held-back" role="status">
      <p>
        <Icon name="lock" />
        <span>{k(`heldBack.${of}`, { count: count(more) })}</span>
      </p>
      {open && <Button onPress={open}>{k("heldBack.open")}</Button>}
    </div>
  );
}
