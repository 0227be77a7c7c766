// The desk of somebody who is signed in: three panes, the keys, the dialogs, and the news.

import { useQuery } from "@tanstack/react-query";
import { lazy, memo, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { givenAway, take, takeNext } from "./inbox/actions";
import { useCommands } from "./inbox/commands";
import { ConversationPane } from "./inbox/ConversationPane";
import { CustomerPane } from "./inbox/CustomerPane";
import { caseQuery, listQuery, nameOfCase, type Conversation, type List } from "./inbox/data";
import { EndDialog, SnoozeDialog } from "./inbox/EndDialogs";
import { codeOf, explain } from "./inbox/failures";
import { keepClaims } from "./inbox/keeping";
import { followNews } from "./inbox/news";
import { inOrder, order } from "./inbox/order";
import { placeOf, Queue } from "./inbox/Queue";
import { standingOf } from "./inbox/standing";
import { TakeDialog } from "./inbox/TakeDialog";
import { TransferDialog } from "./inbox/TransferDialog";
import { useInboxAlerts } from "./inbox/unread";
import { go, here, usePlace, usePlaceOf, type Place } from "./place";
import { useObservable } from "./store/observable";
import { Boundary } from "./ui/Boundary";
import { dialog, pane } from "./ui/dialogs";
import { useKeys, type Command } from "./ui/keys";
import { Notices, StatusBanner } from "./ui/Notices";
import { Help, Palette } from "./ui/Palette";
import { Button, useSettled } from "./ui/parts";
import { Settings } from "./ui/Settings";
import { TopBar } from "./ui/TopBar";
import { tell } from "./ui/notices";
import { straight, t } from "./ui/texts";
import { SavedReplies } from "./writing/SavedReplies";
import { SuggestionDialog } from "./writing/Suggestion";
import { draftOf, loadDrafts, saveAll } from "./writing/drafts";
import { loadOutbox } from "./writing/outbox";

/** Conversations that are passed faster than this are not asked for. */
const PASS_MS = 150;

export function Desk(): ReactNode {
  const place = usePlace();
  const shownPane = useObservable(pane);
  // The mark in the list moves at once; the conversation follows as soon as there is time.
  const followed = useDeferredValue(place);
  const open = place.escalationId ?? place.sessionId;
  const list = useQuery(listQuery(place.view, place.tag));
  const by = useObservable(order);
  const shown = useMemo(() => inOrder(list.data, by), [list.data, by]);
  const move = useListNavigation(shown);
  useEffect(followNews, []);
  useEffect(keepClaims, []);
  useEffect(() => {
    void loadDrafts().then(loadOutbox);
    const leave = () => void saveAll();
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
    };
  }, []);
  useEffect(() => pane.set("conversation"), [open]);
  return (
    <div className={`desk ${open ? "has-open" : ""} show-${shownPane}`}>
      <TopBar />
      <StatusBanner />
      {place.knowledge !== null ? (
        <KnowledgePages />
      ) : place.settings === null ? (
        <Boundary isArea>
          <main className="panes">
            <Queue list={shown} isFailed={list.isError} />
            <Boundary of={followed.escalationId ?? followed.sessionId}>
              <Work place={followed} move={move} />
            </Boundary>
          </main>
        </Boundary>
      ) : (
        <SettingsPages />
      )}
      <Notices />
    </div>
  );
}

const SettingsArea = lazy(() => import("./settings/SettingsArea"));
const KnowledgeArea = lazy(() => import("./knowledge/KnowledgeArea"));
const SaveReply = lazy(() => import("./settings/SaveReply"));

/** The company's settings and figures, loaded when they are opened. */
const SettingsPages = (): ReactNode => (
  <Boundary of={usePlaceOf((place) => place.settings)} isArea>
    <Suspense fallback={<LoadingPanes />}>
      <SettingsArea />
    </Suspense>
  </Boundary>
);

/** The pages of the assistant's knowledge, loaded when they are opened. */
const KnowledgePages = (): ReactNode => (
  <Boundary of={usePlaceOf((place) => place.knowledge)} isArea>
    <Suspense fallback={<LoadingPanes />}>
      <KnowledgeArea />
    </Suspense>
  </Boundary>
);

function LoadingPanes(): ReactNode {
  return (
    <main className="panes">
      <p className="nothing" role="status">
        {t("loading")}
      </p>
    </main>
  );
}

/** For members whose roles have no inbox: the knowledge, and the settings and figures. */
export function DeskWithoutInbox(): ReactNode {
  const isSettings = usePlaceOf((place) => place.settings !== null);
  return (
    <div className="desk">
      <TopBar />
      <StatusBanner />
      {isSettings ? <SettingsPages /> : <KnowledgePages />}
      <Notices />
    </div>
  );
}

/** The conversation of a place with all that can be done there. */
const Work = memo(function Work({ place, move }: { place: Place; move: Move }): ReactNode {
  const open = place.escalationId ?? place.sessionId;
  const isSettled = useSettled(open, PASS_MS) === open;
  const asked = useQuery({ ...caseQuery(place), enabled: !!open && isSettled });
  const conversation = open ? asked.data : undefined;
  const commands = useCommands(conversation, move);
  useKeys(commands);
  useInboxAlerts(conversation?.session.sessionId);
  useLossNotice(conversation);
  return (
    <>
      {conversation ? (
        <>
          <ConversationPane key={conversation.session.sessionId} conversation={conversation} commands={commands} />
          <CustomerPane key={`c${conversation.session.sessionId}`} conversation={conversation} />
        </>
      ) : (
        <NoConversation error={open && isSettled ? asked.error : null} isOpen={!!open} />
      )}
      <Dialogs conversation={conversation} commands={commands} />
    </>
  );
});

type Move = (by: 1 | -1) => void;

function NoConversation({ error, isOpen }: { error: Error | null; isOpen: boolean }): ReactNode {
  const text = error ? explain(codeOf(error)) : isOpen ? t("loading") : t("conversation.none");
  return (
    <section className="conversation nothing" aria-label={t("conversation.title")}>
      <p role={error ? "alert" : undefined}>{text}</p>
      {!isOpen && <p className="hint">{t("conversation.keys")}</p>}
      <Button kind="back" onPress={() => go({ ...here(), escalationId: null, sessionId: null })}>
        {t("back")}
      </Button>
    </section>
  );
}

/** Moves through the list; from a conversation that has left it, on from where it was. */
function useListNavigation(list: List | undefined): Move {
  const at = useRef(-1);
  const latest = useRef(list);
  latest.current = list;
  const [move] = useState(() => (by: 1 | -1) => {
    const items = latest.current?.items ?? [];
    if (!items.length) return;
    const { escalationId, sessionId } = here();
    const id = escalationId ?? sessionId;
    const found = items.findIndex((row) => row.id === id || row.sessionId === id);
    const from = found >= 0 ? found : by > 0 ? Math.min(at.current, items.length) - 1 : Math.max(at.current, 0);
    at.current = Math.max(0, Math.min(items.length - 1, from + by));
    const row = items[at.current];
    if (!row) return;
    go(placeOf(row), !!id);
    const line = document.getElementById(`row-${row.id}`);
    line?.focus({ preventScroll: true });
    line?.scrollIntoView({ block: "nearest" });
  });
  return move;
}

/** Says that a conversation went to the queue, or to somebody else, without this person's doing. */
function useLossNotice(conversation: Conversation | undefined): void {
  const mine = useRef<string | null>(null);
  const escalation = conversation?.escalation;
  const isMine = !!conversation && standingOf(conversation).isMine;
  const { escalationId, status, claimedBy, releaseReason } = escalation ?? {};
  useEffect(() => {
    const wasMine = mine.current === escalationId;
    mine.current = isMine && escalationId ? escalationId : null;
    if (isMine && escalationId) givenAway.delete(escalationId);
    if (!escalationId || !wasMine || isMine || givenAway.has(escalationId)) return;
    if (status === "pending") tell(t(releaseReason === "lapsed" ? "lost.lapsed" : "lost.waits"), true);
    else if (status === "claimed" && claimedBy) tell(t("takenBy", { name: straight(claimedBy.name ?? claimedBy.agentId) }), true);
  }, [escalationId, isMine, status, claimedBy, releaseReason]);
}

function Dialogs({ conversation, commands }: { conversation: Conversation | undefined; commands: Command[] }): ReactNode {
  const name = useObservable(dialog);
  const can = conversation && standingOf(conversation);
  const isGeneral = name === "palette" || name === "help" || name === "settings" || name === "takeNext" || name === "saveReply";
  const isPossible = !!can && (name === "transfer" ? can.canTransfer : name === "take" ? can.canTake : can.isMine);
  useEffect(() => {
    if (name && !isGeneral && !isPossible) dialog.set(null);
  }, [name, isGeneral, isPossible]);
  if (name === "palette") return <Palette commands={commands} />;
  if (name === "help") return <Help />;
  if (name === "settings") return <Settings />;
  if (name === "takeNext") return <TakeDialog title={t("take.nextTitle")} run={() => void takeNext()} />;
  // The dialog stays with its text, whatever becomes of the conversation.
  if (name === "saveReply") {
    return (
      <Suspense fallback={null}>
        <SaveReply content={conversation ? draftOf(conversation.session.sessionId).get().reply : ""} />
      </Suspense>
    );
  }
  if (!name || !conversation || !isPossible) return null;
  if (name === "take") return <TakeDialog title={t("take.title", { name: nameOfCase(conversation) })} run={() => void take(conversation.escalation?.escalationId ?? "")} />;
  if (name === "transfer") return <TransferDialog conversation={conversation} />;
  if (name === "resolve" || name === "handback") return <EndDialog key={name} kind={name} conversation={conversation} />;
  if (name === "snooze") return <SnoozeDialog conversation={conversation} />;
  if (name === "savedReplies") return <SavedReplies conversation={conversation} />;
  return <SuggestionDialog conversation={conversation} />;
}
