// What becomes of a question that this person answered, and on to the next.

import { useEffect, useRef, type ReactNode } from "react";

import { go } from "../place";
import { Act, useNow } from "../ui/parts";
import { straight } from "../ui/texts";
import { afterDialog } from "./focus";
import type { Answered } from "./gaps";
import { PinAct } from "./Pins";
import { k } from "./texts";
import { editAt, entryAt, gapAt, KnowledgeLink } from "./where";

/** So many of its questions are offered to be pinned. */
const MANY = 5;
/** After this long an entry that answers a question has closed it. */
const LONG_MS = 180_000;

/** What became of the question, and on to the next. */
export function After({ of: { path, at, isClosed }, next, questions }: { of: Answered; next: string | null; questions: string[] }): ReactNode {
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
          <Act kind="primary" onPress={() => go({ knowledge: gapAt() })}>
            {k("gaps.close")}
          </Act>
        )}
      </div>
    </div>
  );
}
