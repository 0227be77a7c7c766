// A question that customers asked in vain: how they put it, how colleagues answered it by hand, and the entry that is to
// answer it.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { api, call } from "../api/client";
import { go } from "../place";
import { isGone, reload } from "../settings/data";
import { Choice, Read } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { hasRole } from "../signin/session";
import { useObservable } from "../store/observable";
import { tell } from "../ui/notices";
import { Act, Prose, useNow } from "../ui/parts";
import { count, fullTime, straight } from "../ui/texts";
import { useAuthor } from "./authors";
import { ConversationAct } from "./ConversationAct";
import type { Gap } from "./data";
import { mayChange, type Draft } from "./draft";
import { EditPage } from "./EditPage";
import { afterDialog } from "./focus";
import { answered, gapQuery, noteAnswered, openDraftsQuery, type Answered, type GapDetails } from "./gaps";
import { proposedPath, proposedTitle } from "./names";
import { PinAct } from "./Pins";
import { k, kind } from "./texts";
import { keepUnsaved, unsavedOf } from "./unsaved";
import { draftAt, draftEditAt, editAt, entryAt, gapAt, KnowledgeLink } from "./where";

interface Props {
  id: string;
  /** The gap as the list has it, if it is on a page that was read. */
  listed: Gap | undefined;
  /** The next question without an answer. */
  next: string | null;
}

const close = () => go({ knowledge: gapAt() });

export function GapPane({ id, listed, next }: Props): ReactNode {
  const asked = useQuery(gapQuery(id));
  const answer = useObservable(answered).get(id);
  const title = useRef<HTMLHeadingElement>(null);
  const gap: Gap | undefined = asked.data ?? listed;
  // Who chose it by keyboard goes on here.
  useEffect(() => title.current?.focus(), []);
  const isLost = isGone(asked.error);
  return (
    <section className="gap-answer" aria-label={k("gaps.answer")}>
      <div className="gap-answer-head">
        <h3 ref={title} tabIndex={-1} dir="auto">
          {(gap && straight(gap.query)) || k(gap ? "gaps.erased" : isLost ? "gaps.gone" : "gaps.one")}
        </h3>
        <Act kind="quiet" onPress={close}>
          {k("gaps.close")}
        </Act>
      </div>
      {answer ? (
        <After of={answer} next={next} questions={asked.data?.questions ?? []} />
      ) : (
        <>
          {isLost && (
            <p className="told" role="alert">
              {k("gaps.goneText")}
            </p>
          )}
          {asked.data && !isLost && <Known of={asked.data} />}
          {!isLost && !asked.data && <Read of={asked}>{() => null}</Read>}
          {(gap || isLost) && <Answer id={id} gap={gap} isGone={isLost} status={asked.data?.status ?? (isLost ? "" : listed?.status)} />}
        </>
      )}
    </section>
  );
}

const MANY = 5;

/** How customers put it. */
function Known({ of: gap }: { of: GapDetails }): ReactNode {
  const questions = gap.questions.length ? gap.questions : gap.examples;
  const lines = (some: string[]) => (
    <ul className="gap-examples">
      {some.map((one) => (
        <li key={one} dir="auto">
          {straight(one)}
        </li>
      ))}
    </ul>
  );
  return (
    <div className="gap-known" role="region" aria-label={k("gaps.asked")}>
      <p className="hint">{k("gaps.askedHow", { count: count(gap.count), sessions: count(gap.sessions), time: fullTime(gap.lastSeenAt) })}{questions.length > 1 && ` ${k("gaps.words")}`}</p>
      {questions.length > 1 && lines(questions.slice(0, MANY))}
      {questions.length > MANY && (
        <details>
          <summary>{k("gaps.moreAsked", { count: count(questions.length - MANY) })}</summary>
          {lines(questions.slice(MANY))}
        </details>
      )}
      {gap.resolutions.length > 0 && <Resolutions of={gap} />}
    </div>
  );
}

/** What is longer is folded, and begins with so much. */
const FOLD_CHARS = 400;
const START_CHARS = 160;
const MANY_RESOLUTIONS = 3;

/** How colleagues answered it by hand. */
function Resolutions({ of: { resolutions } }: { of: GapDetails }): ReactNode {
  const lines = (some: GapDetails["resolutions"]) => (
    <ol className="resolutions">
      {some.map((one) => (
        <li key={one.messageId}>
          {one.content.length > FOLD_CHARS ? (
            <details>
              <summary dir="auto">
                <span className="fold-start">{straight(one.content).slice(0, START_CHARS).replace(/\s+\S*$/, "")} …</span>
                <span className="fold-less">{k("gaps.less")}</span>
              </summary>
              <Prose text={one.content} />
            </details>
          ) : (
            <Prose text={one.content} />
          )}
          <ConversationAct sessionId={one.sessionId} messageId={one.messageId} />
        </li>
      ))}
    </ol>
  );
  return (
    <>
      <h4>{k("gaps.byHand", { count: count(resolutions.length) })}</h4>
      {lines(resolutions.slice(0, MANY_RESOLUTIONS))}
      {resolutions.length > MANY_RESOLUTIONS && (
        <details>
          <summary>{k("gaps.moreByHand", { count: count(resolutions.length - MANY_RESOLUTIONS) })}</summary>
          {lines(resolutions.slice(MANY_RESOLUTIONS))}
        </details>
      )}
    </>
  );
}

interface AnswerProps {
  id: string;
  gap: Gap | undefined;
  isGone: boolean;
  status: string | undefined;
}

/** The entry that answers a question: a new one with a proposed name, one that begins from a draft, or the nearest changed. */
function Answer({ id, gap, isGone, status }: AnswerProps): ReactNode {
  const editorId = `gap:${id}`;
  const kept = useQuery({ queryKey: ["unsaved", editorId], staleTime: 0, gcTime: 0, queryFn: () => unsavedOf(editorId).then((one) => !!one) });
  const nearest = gap?.nearestEntry?.path;
  const [target, setTarget] = useState("");
  const [begun, setBegun] = useState<Draft | null>(null);
  const [isWanted, setWanted] = useState(false);
  const editor = useRef<HTMLDivElement>(null);
  const proposal = useMemo(() => gap && { path: proposedPath(gap), title: proposedTitle(gap.query) }, [gap?.gapId]);
  // What was begun stays, also where the question closes meanwhile.
  const isWriting = isWanted || status === "open" || kept.data === true;
  useEffect(() => {
    if (isWriting) setWanted(true);
  }, [isWriting]);
  if (kept.isPending) return null;
  if (!isWriting) {
    return status ? (
      <div className="told ask">
        <p>{kind("gapIs", status)}</p>
        <Act onPress={() => setWanted(true)}>{k("gaps.writeAllTheSame")}</Act>
      </div>
    ) : null;
  }
  const done = (path: string) => {
    if (isGone) return go({ knowledge: entryAt(path) }, true);
    noteAnswered(id, { path, at: Date.now(), isClosed: false });
    if (begun) void discardDraft(begun);
    return undefined;
  };
  return (
    <>
      {isGone && <p className="hint">{k("gaps.goneKept")}</p>}
      {status && status !== "open" && (
        <p className="told" role="status">
          {kind("gapIs", status)}
        </p>
      )}
      <Begin
        id={id}
        isGone={isGone}
        begin={(draft) => {
          setTarget("");
          setBegun(draft);
          // The button goes.
          editor.current?.focus();
        }}
        begun={begun}
      />
      {nearest && (
        <Choice
          label={k("gaps.where")}
          value={target}
          options={[
            ["", k("gaps.whereNew")],
            [nearest, k("gaps.whereNearest", { path: nearest })],
          ]}
          change={setTarget}
        />
      )}
      <div ref={editor} tabIndex={-1} role="group" aria-label={k("gaps.entry")}>
        <EditPage key={`${target} ${begun?.draftId}`} path={target || null} id={target || editorId} proposal={proposal} gapId={isGone ? undefined : id} done={done} cancel={close} />
      </div>
    </>
  );
}

interface BeginProps {
  id: string;
  isGone: boolean;
  begun: Draft | null;
  begin: (draft: Draft) => void;
}

/** Puts a draft into the editor: one that waits, or a new one of what colleagues wrote. What was written stays above it. */
function Begin({ id, isGone, begun, begin }: BeginProps): ReactNode {
  const gap = useQuery(gapQuery(id));
  const drafts = useQuery(openDraftsQuery);
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const author = useAuthor();
  // One whose words went with a session that was erased begins nothing.
  const waiting = drafts.data?.find((one) => one.gapId === id && one.content);
  const byHand = gap.data?.resolutions.length ?? 0;
  if (begun || (!waiting && (isGone || !byHand))) return null;
  const run = async () => {
    setBusy(true);
    try {
      const draft = waiting ?? (await call(api.POST("/analytics/kb-gaps/{id}/draft", { params: { path: { id }, header: { "Idempotency-Key": key } } })));
      if (!waiting) void reload("drafts");
      // Who proposes writes the draft itself.
      if (!hasRole("admin", "trainer")) return go({ knowledge: mayChange(draft) ? draftEditAt(draft.draftId) : draftAt(draft.draftId) });
      const isBelow = await putIn(draft, `gap:${id}`);
      begin(draft);
      if (isBelow) tell(k("gaps.begunBelow"));
    } catch (error) {
      tell(tellProblem(error), true);
      setBusy(false);
    }
    return undefined;
  };
  return (
    <div className="told ask">
      {waiting ? (
        <p>
          {k("gaps.draftWaits", { time: fullTime(waiting.updatedAt), name: author(waiting.createdBy) })} <KnowledgeLink to={draftAt(waiting.draftId)}>{k("draft.show")}</KnowledgeLink>
        </p>
      ) : (
        <p>{k("gaps.byHandHint")}</p>
      )}
      <Act kind="primary" isDisabled={isBusy} onPress={() => void run()}>
        {k(waiting ? "gaps.beginDraft" : "gaps.beginByHand")}
      </Act>
    </div>
  );
}

/** Keeps a draft's texts as what this person has begun; below what they wrote already. Says whether they had. */
async function putIn(draft: Draft, id: string): Promise<boolean> {
  const before = await unsavedOf(id);
  const fresh = { path: draft.path, title: draft.title ?? "", content: draft.content ?? "", visibility: draft.visibility ?? "internal", tags: draft.tags.join(", ") };
  const values = before ? { ...before.values, content: `${before.values.content.trim()}\n\n${fresh.content}`.trim() } : fresh;
  keepUnsaved({ id, values, base: before?.base ?? null, at: new Date().toISOString(), isDraft: !before });
  return !!before;
}

/** Its texts are an entry now. That it stays, where this fails, harms nothing. */
async function discardDraft(draft: Draft): Promise<void> {
  await call(api.DELETE("/drafts/{id}", { params: { path: { id: draft.draftId } } })).catch(() => {});
  await reload("drafts");
}

/** After this long an entry that answers a question has closed it. */
const LONG_MS = 180_000;

/** What became of the question, and on to the next. */
function After({ of: { path, at, isClosed }, next, questions }: { of: Answered; next: string | null; questions: string[] }): ReactNode {
  const on = useRef<HTMLDivElement>(null);
  useEffect(() => afterDialog(() => on.current?.querySelector("button")), []);
  const isLate = useNow(10_000) - at > LONG_MS && !isClosed;
  return (
    <div className="gap-after">
      <p role="status">
        <span className={`mark ${isClosed ? "good" : ""}`}>{k(isClosed ? "gaps.closed" : "gaps.waits")}</span> {k(isClosed ? "gaps.closedText" : isLate ? "gaps.lateText" : "gaps.waitsText")}
      </p>
      <p>
        {k("gaps.answeredBy")} <KnowledgeLink to={entryAt(path)}>{path}</KnowledgeLink>
        {isLate && (
          <>
            {" · "}
            <KnowledgeLink to={editAt(path)}>{k("entry.edit")}</KnowledgeLink>
          </>
        )}
      </p>
      {questions.length > 0 && (
        <div>
          <p className="hint">{k("gaps.pin")}</p>
          <ul className="pin-list">
            {questions.slice(0, MANY).map((one) => (
              <li key={one}>
                <span dir="auto">{straight(one)}</span>
                <PinAct path={path} question={one} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="acts" ref={on}>
        {next ? (
          <Act kind="primary" onPress={() => go({ knowledge: gapAt(next) })}>
            {k("gaps.next")}
          </Act>
        ) : (
          <Act kind="primary" onPress={close}>
            {k("gaps.close")}
          </Act>
        )}
      </div>
    </div>
  );
}
