// One turn of a conversation, and one message that is still on its way.

import { memo, type ReactNode } from "react";

import type { Turn } from "../api/client";
import { Button, Icon, Prose } from "../ui/parts";
import { clockTime, fullTime, named, percent, straight, t } from "../ui/texts";
import { write, draftOf } from "../writing/drafts";
import { discard, retry, type Sending } from "../writing/outbox";
import { explain } from "./failures";
import { signIn } from "../signin/session";

export const TurnView = memo(function TurnView({ turn }: { turn: Turn }): ReactNode {
  if (turn.role === "system") return <Event turn={turn} />;
  const kind = turn.internal ? "note" : turn.role;
  return (
    <li className={`turn ${kind}`} id={turn.messageId}>
      <Meta turn={turn} />
      <div className="bubble">
        <Prose text={turn.content} isPlain={turn.role === "customer"} />
      </div>
      {turn.role === "ai" && <AnswerDetails turn={turn} />}
    </li>
  );
});

function Meta({ turn }: { turn: Turn }): ReactNode {
  const isMe = turn.agent?.id === signIn.get().desk?.member.memberId;
  const name = straight(turn.agent?.name ?? "");
  const author = turn.role === "agent" ? (isMe ? t("turn.you") : name || t("turn.agent")) : named("turn", turn.role);
  return (
    <div className="meta">
      {turn.internal && (
        <span className="mark note-mark">
          <Icon name="lock" />
          {t("turn.note")}
        </span>
      )}
      {turn.role === "agent" && !isMe && !turn.internal && <span className="mark">{t("turn.agent")}</span>}
      <bdi className="author">{author}</bdi>
      <time dateTime={turn.createdAt} title={fullTime(turn.createdAt)}>
        {clockTime(turn.createdAt)}
      </time>
    </div>
  );
}

function Event({ turn }: { turn: Turn }): ReactNode {
  const name = straight(turn.agent?.name ?? "") || t("turn.agent");
  const text = named("event", turn.event ?? "").replace("{name}", name);
  return (
    <li className="turn event" id={turn.messageId}>
      <span>
        {text || straight(turn.content)} <time dateTime={turn.createdAt}>{clockTime(turn.createdAt)}</time>
      </span>
    </li>
  );
}

/** The AI's part: the outcome, how sure it was, where it had it from, what the customer thought of it. */
function AnswerDetails({ turn }: { turn: Turn }): ReactNode {
  const { disposition, confidence, sources, reactions, unanswered } = turn;
  return (
    <div className="grounds">
      {disposition && <span className={`mark outcome ${disposition}`}>{named("disposition", disposition)}</span>}
      {unanswered && disposition !== "no_answer" && <span className="mark outcome no_answer">{t("turn.gap")}</span>}
      {sources.length > 0 && confidence !== undefined && (
        <span className="sure">{t("turn.confidence", { share: percent(confidence) })}</span>
      )}
      {reactions.map((reaction) => (
        <span className={`mark reaction ${reaction}`} key={reaction}>
          {named("reaction", reaction)}
        </span>
      ))}
      {sources.length > 0 && (
        <details>
          <summary>{t("turn.sources", { count: sources.length })}</summary>
          <ul>
            {sources.map((source) => (
              <li key={source.path}>
                <bdi>{straight(source.title)}</bdi>{" "}
                <span className="path">
                  {source.path} · {percent(source.confidence)}
                  {source.used ? ` · ${t("turn.used")}` : ""}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

export function SendingView({ one }: { one: Sending }): ReactNode {
  const takeBack = () => {
    const draft = draftOf(one.sessionId).get();
    const kind = one.isNote ? "note" : "reply";
    write(one.sessionId, { kind, [kind]: draft[kind] ? `${one.content}\n\n${draft[kind]}` : one.content });
    void discard(one.key);
  };
  return (
    <li className={`turn ${one.isNote ? "note" : "agent"} pending`}>
      <div className="meta">
        {one.isNote && <span className="mark note-mark">{t("turn.note")}</span>}
        <span className="author">{t("turn.you")}</span>
      </div>
      <div className="bubble">
        <Prose text={one.content} />
      </div>
      <div className={`sending ${one.state}`} role={one.state === "failed" ? "alert" : undefined}>
        <span>{stateOf(one)}</span>
        {one.state !== "sending" && <Button kind="text" onPress={() => retry(one.key)}>{t("send.retry")}</Button>}
        {one.state === "failed" && <Button kind="text" onPress={takeBack}>{t("send.takeBack")}</Button>}
      </div>
    </li>
  );
}

function stateOf({ state, code }: Sending): string {
  if (state === "sending") return t("send.sending");
  if (state === "waiting") return code === "SIGN_IN_REQUIRED" ? t("send.signIn") : t("send.waiting");
  return `${t("send.failed")} ${explain(code ?? "")}`;
}
