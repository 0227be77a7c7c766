// A question that customers asked in vain: how they put it, and how colleagues answered it by hand.

import type { ReactNode } from "react";

import type { GapDetails } from "../api/client";
import { Prose } from "../ui/parts";
import { count, fullTime, straight } from "../ui/texts";
import { ConversationButton } from "./ConversationButton";
import { k } from "./texts";

const MANY = 5;

/** How customers put it. */
export function GapQuestions({ of: gap }: { of: GapDetails }): ReactNode {
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

/** A longer text is folded to its first characters. */
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
          <ConversationButton sessionId={one.sessionId} messageId={one.messageId} />
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
