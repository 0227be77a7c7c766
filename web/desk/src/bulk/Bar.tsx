// Below the queue while lines are marked: how many, what can be done with them, and what became of it. Loaded with the
// first mark.

import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";

import type { Row } from "../inbox/data";
import { endings } from "../inbox/deferred";
import { barCommands, markAll, marked, unmark } from "../inbox/marks";
import { hasRole, signIn } from "../signin/session";
import { useObservable } from "../store/observable";
import { Button, Icon } from "../ui/parts";
import { count, straight, t } from "../ui/texts";
import { BulkDialog, type BulkAction } from "./Dialogs";
import { run, stillThere } from "./run";
import { b, loadBulkTexts } from "./texts";
import "./bulk.css";

// Before anything of this module is drawn.
await loadBulkTexts();

const KEYS = { resolve: "E", tag: "L", transfer: "H" } as const;
/** As many names as a line has room for. */
const MAX_NAMES = 3;

export default function Bar({ lines }: { lines: readonly Row[] }): ReactNode {
  const marks = useObservable(marked);
  const now = useObservable(run);
  const ending = useObservable(endings);
  // As they were when the dialog opened: news that come while somebody writes in it are not what was decided on.
  const [opened, setOpened] = useState<{ act: BulkAction; rows: Row[]; all: number; gone: Row[] } | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const { rows, gone } = useMemo(() => stillThere(lines), [lines, marks]);
  const isBusy = now !== null && now.state !== "over";

  const can = useMemo((): Record<BulkAction, Row[]> => {
    const me = signIn.get().desk?.member.memberId;
    const isEnding = (row: Row) => ending.some((one) => one.escalationId === row.escalationId);
    const claimed = rows.filter((row) => row.escalationId && row.status === "claimed" && !isEnding(row));
    const own = claimed.filter((row) => row.holder?.agentId === me);
    return { resolve: own, tag: rows, transfer: hasRole("admin") ? claimed : own };
  }, [rows, ending]);
  const acts = isBusy ? [] : (["resolve", "tag", "transfer"] as const).filter((one) => can[one].length > 0);
  const offered = acts.join();
  const isShown = marks.size > 0 || now !== null;
  const open = (act: BulkAction) => setOpened({ act, rows: can[act], all: rows.length, gone });
  useEffect(() => {
    if (!isShown) setOpened(null);
  }, [isShown]);

  useEffect(() => {
    const commands = acts.map((one) => ({ id: `marked.${one}`, name: titleOf(one, can[one].length), key: KEYS[one], run: () => open(one) }));
    const more = isShown && !isBusy ? [{ id: "markAll", name: b("all", { count: count(lines.length) }), run: markAll }, { id: "unmark", name: b("unmark"), run: leave }] : [];
    barCommands.set([...commands, ...more]);
    return () => barCommands.set([]);
  }, [offered, isShown, isBusy, can, lines]);

  // Moves the focus, as the pressed button is gone: to the outcome, or back to the list if nothing is left to tell.
  const before = useRef(now);
  useEffect(() => {
    const hasBegun = now !== null && now.state !== before.current?.state;
    const hasEnded = now === null && before.current !== null;
    before.current = now;
    if (!hasBegun && !hasEnded) return;
    // Dialogs give the focus back in the frame after they are closed.
    const settled = () => {
      const at = document.activeElement;
      // The line with the focus may go with what was done.
      const isFree = at === document.body || !!at?.closest(now?.state === "over" ? ".bulk, .rows" : ".bulk");
      if (!isFree) return;
      if (status.current) status.current.focus();
      else toList();
    };
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(settled)));
  }, [now]);

  if (!isShown) return null;
  return (
    <div className="bulk" role="group" aria-label={b("region")}>
      <p ref={status} tabIndex={-1} role="status" className="bulk-status">
        {now ? stateOf(now) : b("marked", { count: count(rows.length) })}
      </p>
      {now?.state === "going" && <progress aria-label={b("region")} value={now.done + now.failed.length} max={now.all} />}
      {now?.state === "over" && (
        <>
          <ul className="bulk-failed" tabIndex={0} aria-label={b("failed", { count: count(now.failed.length) })}>
            {now.failed.map(({ row, why }) => (
              <li key={row.id}>
                <bdi>{row.name}</bdi>
                <span>{why}</span>
              </li>
            ))}
          </ul>
          <AriaButton translate="no" className="act icon bulk-close" aria-label={b("close")} onPress={() => run.set(null)}>
            <Icon name="close" />
          </AriaButton>
        </>
      )}
      {!now && gone.length > 0 && <p className="hint">{b("left", { names: namesOf(gone) })}</p>}
      {!isBusy && marks.size > 0 && (
        <>
          <p className="bulk-marks">
            {rows.length < lines.length && (
              <Button kind="text" onPress={markAll}>
                {b("all", { count: count(lines.length) })}
              </Button>
            )}
            <Button kind="text" onPress={leave}>
              {b("unmark")}
            </Button>
          </p>
          <div className="bulk-acts">
            {acts.map((one) => (
              <Button key={one} hint={`⇧ ${KEYS[one]}`} onPress={() => open(one)}>
                {t(`act.${one}`)}
              </Button>
            ))}
          </div>
        </>
      )}
      {opened && !isBusy && <BulkDialog {...opened} title={titleOf(opened.act, opened.rows.length)} close={() => setOpened(null)} />}
    </div>
  );
}

const titleOf = (act: BulkAction, many: number): string => b(`${act}.title`, { count: count(many) });

function stateOf({ state, done, all, failed }: NonNullable<ReturnType<typeof run.get>>): string {
  if (state === "waiting") return b("waiting", { count: count(all) });
  if (state === "going") return b("partial", { done: count(done), all: count(all) });
  return [done ? b("partial", { done: count(done), all: count(done + failed.length) }) : "", b("failed", { count: count(failed.length) })].join(" ").trim();
}

function namesOf(rows: readonly Row[]): string {
  const names = rows.slice(0, MAX_NAMES).map((row) => straight(row.name));
  return names.join(", ") + (rows.length > MAX_NAMES ? ` +${count(rows.length - MAX_NAMES)}` : "");
}

function toList(): void {
  const list = document.querySelector<HTMLElement>(".rows");
  (list?.querySelector<HTMLElement>(".row[aria-current]") ?? list?.querySelector<HTMLElement>(".row") ?? list)?.focus();
}

function leave(): void {
  unmark();
  run.set(null);
  toList();
}
