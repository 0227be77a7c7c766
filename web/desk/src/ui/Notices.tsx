// Notices, ends that can be undone, and what is wrong with the connection or the sign-in.

import { useEffect, useState, type ReactNode } from "react";
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components/Toast";
import { Button as AriaButton } from "react-aria-components/Button";
import { Text } from "react-aria-components/Text";

import { endings, undo, UNDO_MS, type Ending } from "../inbox/deferred";
import { ask, isOnline } from "../inbox/news";
import { useObservable } from "../store/observable";
import { goSignIn, signIn } from "../signin/session";
import { notices } from "./notices";
import { Button, Icon } from "./parts";
import { count, t } from "./texts";

export function Notices(): ReactNode {
  const waiting = useObservable(endings);
  const ofBatch = (batch: string | undefined) => waiting.filter((one) => one.batch === batch && !one.isGoing);
  const lines = waiting.filter((one) => !one.batch || one === ofBatch(one.batch)[0]);
  return (
    <>
      <div className="endings" role="status">
        {lines.map((one) => (
          <EndingLine key={one.batch ?? one.key} one={one} many={one.batch ? ofBatch(one.batch).length : null} />
        ))}
      </div>
      <ToastRegion queue={notices} className="toasts" aria-label={t("notices")}>
        {({ toast }) => (
          <Toast toast={toast} className={`toast ${toast.content.isAlert ? "alert" : ""}`}>
            <ToastContent>
              <Text slot="title">{toast.content.text}</Text>
            </ToastContent>
            <AriaButton translate="no" slot="close" className="act icon" aria-label={t("close")}>
              <Icon name="close" />
            </AriaButton>
          </Toast>
        )}
      </ToastRegion>
    </>
  );
}

function EndingLine({ one, many }: { one: Ending; many: number | null }): ReactNode {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), UNDO_MS + 3_000);
    return () => clearTimeout(timer);
  }, []);
  const slots = { name: one.customer };
  const text = many ? t("resolve.goingMany", { count: count(many) }) : one.isGoing && isLate ? t(`${one.kind}.late`, slots) : t(`${one.kind}.going`, slots);
  return (
    <div className="toast ending">
      <span>{text}</span>
      {!one.isGoing && (
        <Button kind="text" onPress={() => undo(one.key)}>
          {t("undo")}
        </Button>
      )}
      {!one.isGoing && <i className="countdown" />}
    </div>
  );
}

/** The line under the page's head while something is wrong. */
export function StatusBanner(): ReactNode {
  const { hasEnded, problem } = useObservable(signIn);
  const online = useObservable(isOnline);
  if (hasEnded) {
    return (
      <div className="trouble" role="alert">
        <span>{problem === "notAMember" ? t("trouble.notAMember") : t("trouble.ended")}</span>
        <Button kind="text" onPress={() => void goSignIn()}>
          {t("signIn.again")}
        </Button>
      </div>
    );
  }
  if (online) return null;
  return (
    <div className="trouble" role="status">
      <span>{t("trouble.offline")}</span>
      <Button kind="text" onPress={() => void ask()}>
        {t("trouble.retry")}
      </Button>
    </div>
  );
}
