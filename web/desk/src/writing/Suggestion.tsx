// The assistant's suggestion. It is read here first; what rests on internal entries has to be confirmed.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Checkbox } from "react-aria-components/Checkbox";

import { api } from "../api/client";
import type { Conversation } from "../inbox/data";
import { codeOf, explain } from "../inbox/failures";
import { Dialog } from "../ui/Dialog";
import { dialog } from "../ui/dialogs";
import { Button, Icon, Prose } from "../ui/parts";
import { named, percent, straight, t } from "../ui/texts";
import { insert } from "./insert";

export function SuggestionDialog({ conversation }: { conversation: Conversation }): ReactNode {
  const { session, escalation } = conversation;
  const id = escalation?.escalationId ?? "";
  const [includeInternal, setIncludeInternal] = useState(false);
  const [isRead, setRead] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const asked = useQuery({
    queryKey: ["suggestion", id, conversation.turns.at(-1)?.messageId, includeInternal],
    gcTime: 0,
    queryFn: () => api.suggestAnswer({ id, body: { includeInternal } }),
  });
  const found = asked.data;
  const isInternal = found?.sources.some((one) => one.used && one.visibility !== "public") ?? false;
  const isGround = !!found?.answer && found.disposition !== "no_answer";
  const mayInsert = isGround && isRead && (!isInternal || isConfirmed);
  const use = () => {
    if (!found) return;
    dialog.set(null);
    setTimeout(() => insert(session.sessionId, found.answer));
  };
  return (
    <Dialog title={t("suggestion.title")} kind="wide">
      <div aria-live="polite">
        {asked.isPending && <p className="quiet">{t("suggestion.asking")}</p>}
        {asked.error && <p className="late">{explain(codeOf(asked.error))}</p>}
      </div>
      {found && !found.answer && <p className="quiet">{t("suggestion.none")}</p>}
      {found?.answer && (
        <>
          <SuggestionText key={found.answer} text={found.answer} onRead={() => setRead(true)} />
          <p className="grounds">
            <span className={`mark outcome ${found.disposition}`}>{named("disposition", found.disposition)}</span>
            <span className="sure">{t("turn.confidence", { share: percent(found.confidence) })}</span>
          </p>
          <ul className="suggestion-sources">
            {found.sources.map((source) => (
              <li key={source.path}>
                <bdi>{straight(source.title)}</bdi>{" "}
                <span className="path">
                  {source.path} · {percent(source.confidence)}
                  {source.used ? ` · ${t("turn.used")}` : ""}
                </span>
                {source.visibility !== "public" && (
                  <span className="mark internal">
                    <Icon name="lock" />
                    {t("suggestion.internal")}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <ConfirmCheckbox
        isSelected={includeInternal}
        onChange={(wanted) => {
          setRead(false);
          setConfirmed(false);
          setIncludeInternal(wanted);
        }}
      >
        {t("suggestion.include")}
      </ConfirmCheckbox>
      {isInternal && (
        <ConfirmCheckbox isSelected={isConfirmed} onChange={setConfirmed}>
          {t("suggestion.confirm")}
        </ConfirmCheckbox>
      )}
      <div className="dialog-foot">
        <Button onPress={() => dialog.set(null)}>{t("cancel")}</Button>
        <Button kind="primary" isDisabled={!mayInsert} onPress={use}>
          {t("suggestion.insert")}
        </Button>
      </div>
    </Dialog>
  );
}

/** The text; it counts as read once its end was in view. */
function SuggestionText({ text, onRead }: { text: string; onRead: () => void }): ReactNode {
  const end = useRef<HTMLSpanElement>(null);
  const latest = useRef(onRead);
  latest.current = onRead;
  useEffect(() => {
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting && latest.current());
    if (end.current) watcher.observe(end.current);
    return () => watcher.disconnect();
  }, []);
  return (
    <div className="suggestion-text" tabIndex={0} role="region" aria-label={t("suggestion.title")}>
      <Prose text={text} />
      <span ref={end} className="end" />
    </div>
  );
}

function ConfirmCheckbox({ isSelected, onChange, children }: { isSelected: boolean; onChange: (to: boolean) => void; children: ReactNode }): ReactNode {
  return (
    <Checkbox className="tick" isSelected={isSelected} onChange={onChange}>
      <span className="box">{isSelected && <Icon name="check" />}</span>
      {children}
    </Checkbox>
  );
}
