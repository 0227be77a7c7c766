// The middle pane: who it is and how it stands, what was said, and the field to write in.

import { useQuery } from "@tanstack/react-query";
import { Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";

import type { Turn } from "../api/client";
import { useObservable } from "../store/observable";
import { Button } from "../ui/parts";
import { day, straight, t } from "../ui/texts";
import { Composer } from "../writing/Composer";
import { outbox, type Sending } from "../writing/outbox";
import { historyQuery, nameOfCase, together, type Conversation } from "./data";
import { endings } from "./deferred";
import { ConversationHeader } from "./ConversationHeader";
import { signIn } from "../signin/session";
import type { Command } from "../ui/keys";
import { standingOf } from "./standing";
import { Result } from "./Result";
import { Summary } from "./Summary";
import { SendingView, TurnView } from "./TurnView";
import { look } from "./unread";

/** Nearer to the end than this, the list follows new messages, in pixels. */
const END_PX = 80;

interface Props {
  conversation: Conversation;
  commands: Command[];
}

export function ConversationPane({ conversation, commands }: Props): ReactNode {
  const waiting = useObservable(endings);
  const { session } = conversation;
  const can = standingOf(conversation, waiting);
  const name = nameOfCase(conversation);
  return (
    <section className="conversation" aria-label={t("conversation.title")}>
      <ConversationHeader conversation={conversation} name={name} commands={commands} />
      {conversation.escalation && <Result of={conversation.escalation} label={t("result.title")} />}
      <Log key={session.sessionId} conversation={conversation} />
      {(can.canReply || can.canNote) && (
        <Composer key={`w${session.sessionId}`} conversation={conversation} can={can} commands={commands} />
      )}
    </section>
  );
}

function Log({ conversation }: { conversation: Conversation }): ReactNode {
  const { session, escalation } = conversation;
  const [isWhole, setWhole] = useState(false);
  const history = useQuery(historyQuery(session.sessionId, isWhole));
  const turns = useMemo(() => together(history.data, conversation.turns), [history.data, conversation.turns]);
  const all = useObservable(outbox);
  const sending = useMemo(() => pendingMessages(all, session.sessionId, turns), [all, session.sessionId, turns]);
  const { log, isBehind, toEnd } = useEnd(turns.length + sending.length);
  const isCut = (turns[0]?.turn ?? 1) > 1;
  useEffect(() => {
    const saw = () => look(session.sessionId, turns.findLast((turn) => turn.role === "customer")?.createdAt);
    saw();
    document.addEventListener("visibilitychange", saw);
    return () => document.removeEventListener("visibilitychange", saw);
  }, [session.sessionId, turns]);
  return (
    <div className="log-holder">
      <div className="log" ref={log} tabIndex={0} role="region" aria-label={t("conversation.messages")}>
        {isCut && !isWhole && (
          <p className="earlier">
            <Button kind="text" onPress={() => setWhole(true)}>
              {t("conversation.earlier")}
            </Button>
          </p>
        )}
        {/* Of what the assistant decides, the head says it in the person's language; what the customer wrote stands below. */}
        {escalation?.reasonCategory === "manual" && !turns.some((turn) => turn.content.trim() === escalation.reason.trim()) && (
          <p className="why">
            {t("conversation.reason")} <bdi>{straight(escalation.reason)}</bdi>
          </p>
        )}
        <Summary turns={turns} isCut={isCut} />
        <ol>
          {turns.map((turn, at) => (
            <Fragment key={turn.messageId}>
              <DayLine turn={turn} before={turns[at - 1]} />
              <TurnView turn={turn} />
            </Fragment>
          ))}
          {sending.map((one) => (
            <SendingView key={one.key} one={one} />
          ))}
        </ol>
      </div>
      {isBehind && (
        <Button kind="newer" onPress={toEnd}>
          {t("conversation.newer")}
        </Button>
      )}
      <NewMessagesAnnouncer turns={turns} />
    </div>
  );
}

/** Messages on their way; one whose turn is in the list already, before its answer came, is that turn. */
function pendingMessages(all: readonly Sending[], sessionId: string, turns: Turn[]): Sending[] {
  const me = signIn.get().desk?.member.memberId;
  const own = turns.filter((turn) => turn.role === "agent" && turn.agent?.id === me);
  const taken = new Set<string>();
  return all.filter((one) => {
    if (one.sessionId !== sessionId) return false;
    const isIt = (turn: Turn) =>
      !taken.has(turn.messageId) && turn.turn > one.after && turn.internal === one.isNote && turn.content === one.content;
    const found = one.state === "failed" ? undefined : own.find(isIt);
    if (found) taken.add(found.messageId);
    return !found;
  });
}

function DayLine({ turn, before }: { turn: Turn; before: Turn | undefined }): ReactNode {
  const dayOf = (one: Turn) => new Date(one.createdAt).toDateString();
  if (before && dayOf(before) === dayOf(turn)) return null;
  return (
    <li className="day">
      <span>{day(turn.createdAt)}</span>
    </li>
  );
}

/** Keeps the end in view while it is in view, and says when something newer is below. */
function useEnd(length: number) {
  const log = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(true);
  const [isBehind, setBehind] = useState(false);
  const toEnd = () => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
    setBehind(false);
  };
  useLayoutEffect(() => {
    const element = log.current;
    if (!element) return;
    const isAtEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < END_PX;
    const scrolled = () => {
      wasAtEnd.current = isAtEnd();
      if (wasAtEnd.current) setBehind(false);
    };
    const sizes = new ResizeObserver(() => wasAtEnd.current && toEnd());
    sizes.observe(element);
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", scrolled);
    };
  }, []);
  const before = useRef(0);
  useLayoutEffect(() => {
    if (wasAtEnd.current) toEnd();
    else if (length > before.current) setBehind(true);
    before.current = length;
  }, [length]);
  return { log, isBehind, toEnd };
}

/** Tells those who do not see the list what the customer has written since it is open. */
function NewMessagesAnnouncer({ turns }: { turns: Turn[] }): ReactNode {
  const first = useRef(turns.at(-1)?.turn ?? 0);
  const news = turns.filter((turn) => turn.turn > first.current && turn.role === "customer").slice(-3);
  return (
    <div className="said" aria-live="polite">
      {news.map((turn) => (
        <p key={turn.messageId}>
          {t("turn.customer")}: {straight(turn.content)}
        </p>
      ))}
    </div>
  );
}
