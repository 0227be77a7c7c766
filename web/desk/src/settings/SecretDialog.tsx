// Something that the service shows once: a key, the link of an invitation.

import { useEffect, useState, type ReactNode } from "react";

import { hold } from "../place";
import { Dialog } from "../ui/Dialog";
import { Button } from "../ui/parts";
import { t } from "../ui/texts";
import { CopyButton } from "./parts";
import { s } from "./texts";

interface SecretDialogProps {
  title: string;
  hint: string;
  label: string;
  /** Undefined if the answer that had it got lost. */
  text: string | undefined;
  lost: string;
  close: () => void;
}

/** Something that the service shows once. Who leaves without having copied it is asked. */
export function SecretDialog({ title, hint, label, text, lost, close }: SecretDialogProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isHeld = text !== undefined && !isCopied;
  useEffect(() => {
    if (!isHeld) return undefined;
    return hold(() => {
      setAsked(true);
      return false;
    });
  }, [isHeld]);
  const leave = () => (isHeld && !isAsked ? setAsked(true) : close());
  return (
    <Dialog title={title} kind="wide" close={leave}>
      {text === undefined ? (
        <p className="problem" role="alert">
          {lost}
        </p>
      ) : (
        <>
          <p>{hint}</p>
          <div className="once">
            <div role="group" aria-label={label} tabIndex={0}>
              <code>{text}</code>
            </div>
            <CopyButton text={text} kind="primary" done={() => setCopied(true)} />
          </div>
        </>
      )}
      {isAsked && isHeld && (
        <p className="problem" role="alert">
          {s("once.ask")}
        </p>
      )}
      <div className="dialog-foot">
        <Button kind={isAsked && isHeld ? "danger" : ""} onPress={leave}>
          {isAsked && isHeld ? s("once.leave") : isHeld ? t("close") : s("once.done")}
        </Button>
      </div>
    </Dialog>
  );
}
