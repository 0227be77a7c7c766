// The question before a single key takes a customer: they are told at once that somebody joined.

import type { ReactNode } from "react";

import { dialog } from "../ui/dialogs";
import { Act } from "../ui/parts";
import { t } from "../ui/texts";
import { Window } from "../ui/Window";

export function TakeDialog({ title, run }: { title: string; run: () => void }): ReactNode {
  const close = () => dialog.set(null);
  const take = () => {
    close();
    run();
  };
  return (
    <Window title={title}>
      <p>{t("take.text")}</p>
      <div className="dialog-foot">
        <Act onPress={close}>{t("cancel")}</Act>
        <Act kind="primary" autoFocus onPress={take}>
          {t("act.take")}
        </Act>
      </div>
    </Window>
  );
}
