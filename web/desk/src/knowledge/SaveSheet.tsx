// The effect of a change on customers' questions, before it is published. Whoever does not wait for it presses a button
// that says so, and if the questions cannot be asked, the sheet says why, and the person decides.

import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { ApiError } from "../api/client";
import { useForm } from "../settings/form";
import { FormMessage } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { s } from "../settings/texts";
import { Dialog } from "../ui/Dialog";
import { Button } from "../ui/parts";
import { count, straight, t } from "../ui/texts";
import { DryAnswer } from "./DryAnswer";
import { dryRunQuery, isAnswered, type Change, type Held, type Question, type Questions } from "./DryRunPreview";
import { k } from "./texts";

/** Questions of so many days are asked. */
export const DAYS = 30;

/** The questions that a change can touch: of what is new or opened, all; else those that the entry answered. */
export function questionsFor({ path, action, visibility }: Change): Questions {
  return action === "create" || visibility === "public" ? { days: DAYS } : { path, days: DAYS };
}

interface SheetProps {
  of: "save" | "delete" | "proposeDelete" | "visibility" | "restore" | "publish";
  change: Change;
  questions: Questions;
  /** The text above the questions. */
  lead?: ReactNode;
  /** Given if the text can still be changed: what it lacks of an answer, and how that comes back into it. */
  lost?: { lacking: (answer: string) => string; bringBack: (text: string) => void };
  /** The text that is said if it changes nothing. */
  held?: Held | null;
  /** The service does not take the change itself, for its fields, its path or because the entry is gone. */
  refused?: (error: ApiError) => void;
  /** Does it, and closes the sheet once it is done. */
  run: (key: string) => void | Promise<void>;
  close: () => void;
}

/** Whether a dry run was refused for its change, not for its questions. */
function refusesChange(error: Error | null, { action }: Change): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 400) return error.details.length > 0 && error.details.every(({ field }) => field?.startsWith("changes"));
  return action === "create" ? error.status === 409 : error.status === 404;
}

const SHOWN = ["lost", "gained", "other", "same"] as const;

export function SaveSheet({ of, change, questions, lead, lost, held, refused, run, close }: SheetProps): ReactNode {
  const [isGapGone, setGapGone] = useState(false);
  const asks = isGapGone ? questionsFor(change) : questions;
  const asked = useInfiniteQuery({ ...dryRunQuery(change, asks), getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined) });
  const pins = useInfiniteQuery({ ...dryRunQuery(change, { pins: true }), enabled: !!asked.data });
  const form = useForm({ name: `sheet ${of}`, initial: {}, fields: [], save: async (_, key) => run(key) });
  // Either the gap or the entry: the other questions tell which.
  const misses = asked.error instanceof ApiError && asked.error.status === 404 && !!asks.gapId;
  const refusal = !misses && refused && refusesChange(asked.error, change) ? asked.error : null;
  const latest = useRef(refused);
  latest.current = refused;
  useEffect(() => {
    if (misses) setGapGone(true);
  }, [misses]);
  useEffect(() => {
    if (refusal) latest.current?.(refusal);
  }, [refusal]);
  // Also if it was asked a moment ago, and cannot be asked again.
  const isFailed = !!asked.error && !asked.isFetching && !asked.isFetchNextPageError && !misses && !refusal;
  const isWaiting = asked.data ? isAsking(pins) : !isFailed;
  const [hadToWait] = useState(isWaiting);
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The sheet was opened for its result, which gets the focus unless the person went elsewhere.
    const back = foot.current?.querySelector(".act");
    if (hadToWait && asked.data && !isWaiting && of !== "delete" && back && document.activeElement === back) toMain(back);
  }, [hadToWait, asked.data, isWaiting, of]);
  const how = isFailed ? "sheetAnyway" : isWaiting ? "sheetNow" : "sheetDo";
  return (
    <Dialog title={k(`sheetTitle.${of}`)} kind="wide" close={close}>
      {lead}
      {isGapGone && <p className="hint">{k(asks.path ? "sheet.gapGonePath" : "sheet.gapGoneDays", { days: DAYS })}</p>}
      {isFailed && (
        <p className="problem" role="alert">
          {k("sheet.failed", { why: tellProblem(asked.error) })}{" "}
          <Button kind="text" onPress={({ target }) => (toMain(target), void asked.refetch())}>
            {s("again")}
          </Button>
        </p>
      )}
      {asked.data ? (
        <SheetResult of={asked} pins={pins} questions={asks} isTold={isGapGone} lost={lost} />
      ) : (
        !isFailed && <p role="status">{k("sheet.asking")}</p>
      )}
      {asked.data && !isWaiting && isUnchanged(asked.data) && held?.({ change, questions: asks, items: asked.data.pages[0]?.items ?? [] })}
      <FormMessage form={form} />
      <div ref={foot} className="dialog-foot">
        <Button autoFocus={of === "delete" || hadToWait} onPress={close}>
          {of === "save" ? k("sheet.back") : t("cancel")}
        </Button>
        <Button kind={of === "delete" ? "danger" : "primary"} autoFocus={of !== "delete" && !hadToWait} onPress={() => form.submit()}>
          {k(`${how}.${of}`)}
        </Button>
      </div>
    </Dialog>
  );
}

/** Whether no answer changes, and some questions have none. */
function isUnchanged({ pages }: { pages: { items: Question[] }[] }): boolean {
  const items = pages.flatMap((page) => page.items);
  return items.every((one) => one.change === "same") && items.some((one) => !isAnswered(one));
}

type Pins = UseInfiniteQueryResult<InfiniteData<{ items: Question[] }>>;

const isAsking = ({ data, error, isFetching, hasNextPage }: Pins): boolean => (!data || hasNextPage) && (isFetching || !error);

/** The focus goes to what the sheet is for, if the button that had it goes away. */
function toMain(from: Element): void {
  from.closest(".dialog")?.querySelector<HTMLElement>(".dialog-foot .act:last-child")?.focus();
}

interface SheetResultProps {
  of: {
    data?: { pages: { items: Question[]; reliesOnModel: boolean }[] };
    error: Error | null;
    isFetchNextPageError: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<{ hasNextPage: boolean }>;
  };
  pins: Pins;
  questions: Questions;
  /** It is said which questions these are. */
  isTold: boolean;
  lost: SheetProps["lost"];
}

function SheetResult({ of, pins, questions, isTold, lost }: SheetResultProps): ReactNode {
  const pages = of.data?.pages ?? [];
  const items = pages.flatMap((page) => page.items);
  const same = items.filter((one) => one.change === "same").length;
  const which = questions.gapId ? "gap" : questions.path ? "path" : "days";
  const more = async (button: Element) => {
    const dialog = button.closest(".dialog");
    const { hasNextPage } = await of.fetchNextPage();
    if (!hasNextPage && dialog?.firstElementChild) toMain(dialog.firstElementChild);
  };
  const slots = { same: count(same), all: count(items.length), days: DAYS };
  return (
    <>
      <p role="status">{items.length ? k(of.hasNextPage ? "sheet.sameOfNewest" : "sheet.same", slots) : k(`${of.hasNextPage ? "sheetNoneYet" : "sheetNone"}.${which}`, slots)}</p>
      {items.length > 0 && !isTold && <p className="hint">{k(`sheetAsked.${which}`, slots)}</p>}
      {pages[0]?.reliesOnModel && <p className="hint">{k("proof.model")}</p>}
      <Pinned of={pins} lost={lost} />
      {SHOWN.map((name) => (
        <Changed key={name} name={name} items={items.filter((one) => one.change === name)} lost={lost} />
      ))}
      {of.hasNextPage && (
        <p className="sheet-more">
          {of.isFetchNextPageError && !of.isFetchingNextPage && <span role="alert">{tellProblem(of.error)} </span>}
          <Button onPress={({ target }) => void more(target)}>{of.isFetchingNextPage ? k("sheet.asking") : of.isFetchNextPageError ? s("again") : k("sheet.more")}</Button>
        </p>
      )}
    </>
  );
}

/** The questions that every change is tried against, whoever asked them. */
function Pinned({ of: asked, lost }: { of: Pins; lost: SheetProps["lost"] }): ReactNode {
  const { hasNextPage, isFetching, isError, fetchNextPage } = asked;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const items = asked.data?.pages.flatMap((page) => page.items) ?? [];
  const same = items.filter((one) => one.change === "same").length;
  if (asked.error && !isFetching) {
    return (
      <p className="hint" role="alert">
        {k("sheet.pinsFailed", { why: tellProblem(asked.error) })}{" "}
        <Button kind="text" onPress={({ target }) => (toMain(target), void asked.refetch())}>
          {s("again")}
        </Button>
      </p>
    );
  }
  if (isAsking(asked)) return <p className="hint">{k("sheet.askingPins")}</p>;
  if (!items.length) return null;
  return (
    <>
      <p>{k("sheet.pins", { same: count(same), all: count(items.length) })}</p>
      {SHOWN.slice(0, 3).map((name) => (
        <Changed key={name} name={name} isPinned items={items.filter((one) => one.change === name)} lost={lost} />
      ))}
    </>
  );
}

function Changed({ name, items, lost, isPinned = false }: { name: (typeof SHOWN)[number]; items: Question[]; lost: SheetProps["lost"]; isPinned?: boolean }): ReactNode {
  if (!items.length) return null;
  const head = (
    <h3>
      {k(name === "same" ? "sheet.stay" : `sheet.${name}`)} <span className="count">{count(items.length)}</span>
      {isPinned && <span className="mark">{k("sheet.pinned")}</span>}
    </h3>
  );
  const list = (
    <ul>
      {items.map((one, index) => (
        <li key={one.messageId ?? index}>
          <Disclosure title={<span dir="auto">{straight(one.question)}</span>}>
            <div className="versions">
              <DryAnswer name={k("sheet.before")} of={one.before} />
              <DryAnswer name={k("sheet.after")} of={one.after} />
            </div>
            {name === "lost" && lost && one.before.answer && <BringBack answer={one.before.answer} lost={lost} />}
          </Disclosure>
        </li>
      ))}
    </ul>
  );
  return <section className={`sheet-part ${name}`}>{name === "same" ? <Disclosure title={head}>{list}</Disclosure> : [head, list].map((part, index) => <div key={index}>{part}</div>)}</section>;
}

/** Draws what is in it when it is opened. */
function Disclosure({ title, children }: { title: ReactNode; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

function BringBack({ answer, lost }: { answer: string; lost: NonNullable<SheetProps["lost"]> }): ReactNode {
  const text = lost.lacking(answer);
  if (!text) return <p className="hint">{k("sheet.hasAll")}</p>;
  return <Button onPress={() => lost.bringBack(text)}>{k("sheet.bringBack")}</Button>;
}
