// A question that customers asked in vain: how they put it, how colleagues answered it by hand, and the entry that is to
// answer it.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import type { Gap } from "../api/client";
import { go } from "../place";
import { isGone } from "../settings/data";
import { QueryResult, Select } from "../settings/parts";
import { useObservable } from "../store/observable";
import { Button } from "../ui/parts";
import { straight } from "../ui/texts";
import { AnsweredGap } from "./AnsweredGap";
import { EditPage } from "./EditPage";
import { GapQuestions } from "./GapQuestions";
import { answered, gapQuery, noteAnswered } from "./gaps";
import { proposedPath, proposedTitle } from "./names";
import { entryAt, gapAt } from "./routes";
import { StartDraft } from "./StartDraft";
import { k, kind } from "./texts";
import { unsavedOf } from "./unsaved";

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
  // Moves a keyboard user here.
  useEffect(() => title.current?.focus(), []);
  const isLost = isGone(asked.error);
  return (
    <section className="gap-answer" aria-label={k("gaps.answer")}>
      <div className="gap-answer-head">
        <h3 ref={title} tabIndex={-1} dir="auto">
          {(gap && straight(gap.query)) || k(gap ? "gaps.erased" : isLost ? "gaps.gone" : "gaps.one")}
        </h3>
        <Button kind="quiet" onPress={close}>
          {k("gaps.close")}
        </Button>
      </div>
      {answer ? (
        <AnsweredGap id={id} of={answer} next={next} questions={asked.data?.questions ?? []} />
      ) : (
        <>
          {isLost && (
            <p className="told" role="alert">
              {k("gaps.goneText")}
            </p>
          )}
          {asked.data && !isLost && <GapQuestions of={asked.data} />}
          {!isLost && !asked.data && <QueryResult of={asked}>{() => null}</QueryResult>}
          {(gap || isLost) && <Answer id={id} gap={gap} isGone={isLost} status={asked.data?.status ?? (isLost ? "" : listed?.status)} />}
        </>
      )}
    </section>
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
  const kept = useQuery({ queryKey: ["unsaved", editorId], staleTime: 0, gcTime: 0, queryFn: () => unsavedOf(editorId).then((one) => ({ isThere: !!one, from: one?.from?.draftId })) });
  const nearest = gap?.nearestEntry?.path;
  const [target, setTarget] = useState("");
  const [begun, setBegun] = useState<string | null>(null);
  const [isWanted, setWanted] = useState(false);
  const editor = useRef<HTMLDivElement>(null);
  const proposal = useMemo(() => gap && { path: proposedPath(gap.query, gap.nearestEntry?.path, id), title: proposedTitle(gap.query), visibility: "public" }, [gap?.gapId]);
  // A text that was begun stays, also if the question closes meanwhile.
  const isWriting = isWanted || status === "open" || !!kept.data?.isThere;
  useEffect(() => {
    if (isWriting) setWanted(true);
  }, [isWriting]);
  if (kept.isPending) return null;
  if (!isWriting) {
    return status ? (
      <div className="told ask">
        <p>{kind("gapIs", status)}</p>
        <Button onPress={() => setWanted(true)}>{k("gaps.writeAllTheSame")}</Button>
      </div>
    ) : null;
  }
  const done = (path: string) => {
    if (isGone) return go({ knowledge: entryAt(path) }, true);
    noteAnswered(id, { path, at: Date.now(), state: "open" });
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
      <StartDraft
        id={id}
        isGone={isGone}
        begin={(draftId) => {
          setTarget("");
          setBegun(draftId);
          // The button goes.
          editor.current?.focus();
        }}
        hasBegun={!!(begun ?? kept.data?.from)}
      />
      {nearest && (
        <Select
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
        <EditPage key={`${target} ${begun}`} path={target || null} id={target || editorId} proposal={proposal} gapId={isGone ? undefined : id} done={done} cancel={close} />
      </div>
    </>
  );
}
