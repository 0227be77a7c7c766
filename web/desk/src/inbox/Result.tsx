// The end of a case: the agent's text, and what the customer thought of it.

import type { ReactNode } from "react";

import type { Rating } from "../api/client";
import { straight, t } from "../ui/texts";

interface Props {
  of: { resolution: string | null; rating: Rating | null };
  /** Names the region, if it stands by itself and may be scrolled. */
  label?: string;
}

export function Result({ of: { resolution, rating }, label }: Props): ReactNode {
  const parts = [
    [t("result.resolution"), resolution],
    [rating && t("result.comment", { score: rating.score }), rating?.comment],
  ].filter(([, text]) => text);
  if (!parts.length) return null;
  return (
    <div className="result" role={label && "group"} aria-label={label} tabIndex={label ? 0 : undefined}>
      <dl>
        {parts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{straight(text ?? "")}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
