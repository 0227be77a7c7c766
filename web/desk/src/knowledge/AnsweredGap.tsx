// The state of a question that this person answered, and the way to the next.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { go } from "../place";
import { isGone } from "../settings/data";
import { tellProblem } from "../settings/problems";
import { tell } from "../ui/notices";
import { Button, useNow } from "../ui/parts";
import { straight } from "../ui/texts";
import { ConfirmVisibilityDialog } from "./ConfirmVisibilityDialog";
import { changeEntry, entryQuery } from "./data";
import { afterDialog } from "./focus";
import { gapQuery, LONG_MS, noteAnswered, type Answered } from "./gaps";
import { HeldBack } from "./HeldBack";
import { PinButton } from "./Pins";
import { editAt, entryAt, gapAt, KnowledgeLink } from "./routes";
import { k } from "./texts";

/** So many of its questions are offered to be pinned. */
const MANY = 5;
/** The state of a question that this person answered. */
export const AnswerMark = ({ of: { state } }: { of: Answered }): ReactNode => <span className={`mark ${state === "resolved" ? "good" : ""}`}>{k(`gapAnswer.${state}`)}</span>;

interface Props {
  id: string;
  of: Answered;
  next: string | null;
  questions: string[];
}

/** The state of the question, and the way to the next. */
export function AnsweredGap({ id, of, next, questions }: Props): ReactNode {
  const { path, at, state } = of;
  const asked = useQuery({ ...gapQuery(id), enabled: false });
  const entry = useQuery(entryQuery(path));
  const [isAsked, setAsked] = useState(false);
  const publish = async (tag: string) => {
    await changeEntry(path, tag, { visibility: "public" });
    noteAnswered(id, { ...of, at: Date.now() });
    afterDialog(() => on.current?.querySelector("button"));
  };
  const on = useRef<HTMLDivElement>(null);
  useEffect(() => afterDialog(() => on.current?.querySelector("button")), []);
  const isLate = useNow(10_000) - at > LONG_MS && state === "open";
  const again = async () => {
    const { data, error } = await asked.refetch();
    if (error && !isGone(error)) tell(tellProblem(error), true);
    else if (data?.status === "open" && !error) tell(k("gaps.stillOpen"));
  };
  return (
    <div className="gap-after">
      <p role="status">
        <AnswerMark of={of} /> {k(isLate ? "gaps.lateText" : `gapAnswerText.${state}`)}
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
      {state === "open" && entry.data?.data.visibility === "internal" && <HeldBack of="entry" change={{ path }} questions={{ gapId: id }} open={() => setAsked(true)} />}
      {isAsked && entry.data && <ConfirmVisibilityDialog to="public" run={() => publish(entry.data.tag)} close={() => setAsked(false)} />}
      {questions.length > 0 && (
        <div>
          <p className="hint">{k("gaps.pin")}</p>
          <ul className="pin-list">
            {questions.slice(0, MANY).map((one) => (
              <li key={one}>
                <span dir="auto">{straight(one)}</span>
                <PinButton path={path} question={one} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="acts" ref={on}>
        {next ? (
          <Button kind="primary" onPress={() => go({ knowledge: gapAt(next) })}>
            {k("gaps.next")}
          </Button>
        ) : (
          <Button kind="primary" onPress={() => go({ knowledge: gapAt() })}>
            {k("gaps.close")}
          </Button>
        )}
        {isLate && (
          <Button isDisabled={asked.isFetching} onPress={() => void again()}>
            {k("gaps.askAgain")}
          </Button>
        )}
      </div>
    </div>
  );
}
