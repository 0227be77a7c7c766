// A long conversation in short, above its turns: what the customer asked first and last, and what the assistant made of it.

import type { ReactNode } from "react";

import type { Turn } from "../api/client";
import { count, straight, t } from "../ui/texts";

/** A shorter conversation is read as fast. */
const LONG = 9;
const QUOTE_CHARS = 200;

const quoted = ({ content }: Turn): string => (content.length > QUOTE_CHARS ? `${content.slice(0, QUOTE_CHARS).replace(/\s+\S*$/, "")} …` : content);

/** Of a conversation whose beginning is not read, only what was asked last is known. */
export function Summary({ turns, isCut }: { turns: Turn[]; isCut: boolean }): ReactNode {
  const asked = turns.filter((turn) => turn.role === "customer");
  if (turns.length < LONG || (isCut && !asked.length)) return null;
  const answers = turns.filter((turn) => turn.role === "ai");
  const [first, last] = [isCut ? undefined : asked[0], asked.at(-1)];
  const without = answers.filter((turn) => turn.unanswered).length;
  const facts: [string, string | undefined][] = [
    [t("summary.first"), first && quoted(first)],
    [t("summary.last"), last && last !== first ? quoted(last) : undefined],
    [t("summary.answers"), answers.length && !isCut ? t("summary.ofAnswers", { count: count(answers.length), without: count(without) }) : undefined],
  ];
  return (
    <details className="summary" open>
      <summary>{t("conversation.summary")}</summary>
      <dl>
        {facts.map(([name, text]) =>
          text ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{straight(text)}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </details>
  );
}
