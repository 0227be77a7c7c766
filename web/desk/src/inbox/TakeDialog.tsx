// The question before a single key takes a customer: they are told at once that somebody joined.

import type { ReactNode } from "react";

import { Dialog } from "../ui/Dialog";
import { dialog } from "../ui/dialogs";
import { Button } from "../ui/parts";
import { t } from "../ui/texts";

export function TakeDialog({ title, run }: { title: string; run: () => void }): ReactNode {
  const close = () => dialog.set(null);
  const take = () => {
    close();
    run();
  };
  return (
    <Dialog title={title}>
      <p>{t("take.text")}</p>
      <div className="dialog-foot">
        <Button onPress={close}>{t("cancel")}</Button>
        <Button kind="primary" autoFocus onPress={take}>
          {t("act.take")}
        </Button>
      </div>
    </Dialog>
  );
}
