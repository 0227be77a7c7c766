// An answer that a dry run gives to a question.

import type { ReactNode } from "react";

import type { DryRunAnswer } from "../api/client";
import { Prose } from "../ui/parts";
import { percent } from "../ui/texts";
import { k } from "./texts";

export function DryAnswer({ name, of }: { name: string; of: DryRunAnswer }): ReactNode {
  return (
    <div className="version">
      <h4 className="version-title">
        {name} <span className="hint">{percent(of.confidence)}</span>
      </h4>
      {of.answer ? <Prose text={of.answer} /> : <p className="quiet">{k("sheet.noAnswer")}</p>}
      <p className="hint">{of.sources[0]?.path}</p>
    </div>
  );
}
