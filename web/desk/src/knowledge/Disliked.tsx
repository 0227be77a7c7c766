// Answers of the assistant that customers disliked, newest first; beside them the entry that is to say it better.

import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from "react";

import { api, type DislikedAnswer } from "../api/client";
import { go } from "../place";
import { LoadMore, QueryResult, Select } from "../settings/parts";
import { useAutoLoad } from "../ui/autoLoad";
import { Button } from "../ui/parts";
import { fullTime, moment, percent, straight, t, unmarked } from "../ui/texts";
import { ConversationButton } from "./ConversationButton";
import { EditPage } from "./EditPage";
import { useReturn } from "./Gaps";
import { moveBetween } from "./keys";
import { proposedPath, proposedTitle } from "./names";
import { dislikedAt, entryAt, KnowledgeLink } from "./routes";
import { k } from "./texts";

const PAGE = 50;

const dislikedQuery = infiniteQueryOptions({
  queryKey: ["disliked"],
  staleTime: 0,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam }) => api.listDislikedAnswers({ limit: PAGE, cursor: pageParam }),
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});

const close = () => go({ knowledge: dislikedAt() });
const questionOf = (one: DislikedAnswer): string => straight(one.question) || k("disliked.unnamed");
/** The entries that an answer was made from; if it says none, the one that came nearest. */
const citedBy = ({ sources }: DislikedAnswer) => (sources.some((one) => one.used) ? sources.filter((one) => one.used) : sources.slice(0, 1));

export function Disliked({ item }: { item: string | null }): ReactNode {
  const list = useInfiniteQuery(dislikedQuery);
  const items = list.data?.pages.flatMap((page) => page.items);
  const isAutoLoading = useAutoLoad(list, items?.length === 0);
  const chosen = items?.find((one) => one.messageId === item);
  useReturn("disliked", item);
  return (
    <div className={`gaps-page ${item ? "has-chosen" : ""}`}>
      <section className="gaps-list" aria-label={k("disliked.title")} onKeyDownCapture={(event) => moveBetween(event, ".gap-query a")}>
        <p className="lead">{k("disliked.lead")}</p>
        <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
          {(found) => (
            <>
              {!found.length && isAutoLoading && <p role="status">{t("loading")}</p>}
              {!found.length && !isAutoLoading && <p className="empty">{k(list.hasNextPage ? "noneYet" : "disliked.none")}</p>}
              <ol className="gaps">
                {found.map((one) => (
                  <Line key={one.messageId} of={one} isCurrent={one.messageId === item} />
                ))}
              </ol>
            </>
          )}
        </QueryResult>
        {!isAutoLoading && <LoadMore of={list} />}
      </section>
      {item && items && <ImprovePane key={item} of={chosen} />}
    </div>
  );
}

const Line = memo(function Line({ of: one, isCurrent }: { of: DislikedAnswer; isCurrent: boolean }): ReactNode {
  return (
    <li className={`gap-line ${isCurrent ? "current" : ""}`}>
      <div>
        <p className="gap-query" id={`disliked-${one.messageId}`} dir="auto">
          <KnowledgeLink to={dislikedAt(one.messageId)} isCurrent={isCurrent}>
            {questionOf(one)}
          </KnowledgeLink>
        </p>
        <p className="disliked-answer" dir="auto">
          {unmarked(one.answer)}
        </p>
        {one.comment && <Comment text={one.comment} />}
        <p className="entry-marks hint">
          <time dateTime={one.createdAt} title={fullTime(one.createdAt)}>
            {moment(one.createdAt)}
          </time>
          <span>{percent(one.confidence)}</span>
          <Sources of={one} />
        </p>
        <ConversationButton sessionId={one.sessionId} messageId={one.messageId} />
      </div>
    </li>
  );
});

const Comment = ({ text }: { text: string }): ReactNode => (
  <p className="disliked-comment" dir="auto">
    {k("disliked.comment", { text: straight(text) })}
  </p>
);

function Sources({ of: one }: { of: DislikedAnswer }): ReactNode {
  const used = one.sources.filter((source) => source.used);
  if (!used.length) return <span>{k("disliked.noSources")}</span>;
  return (
    <>
      <span>{k("disliked.sources")}</span>
      {used.map(({ path, title }) => (
        <KnowledgeLink key={path} to={entryAt(path)}>
          {straight(title)}
        </KnowledgeLink>
      ))}
    </>
  );
}

/** One answer, and the entry that it came from, or a new one. */
function ImprovePane({ of: one }: { of: DislikedAnswer | undefined }): ReactNode {
  const title = useRef<HTMLHeadingElement>(null);
  // Moves a keyboard user here.
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="gap-answer" aria-label={k("disliked.improve")}>
      <div className="gap-answer-head">
        <h3 ref={title} tabIndex={-1} dir="auto">
          {one ? questionOf(one) : t("knowledge.disliked")}
        </h3>
        <Button kind="quiet" onPress={close}>
          {k("gaps.close")}
        </Button>
      </div>
      {one ? (
        <ImproveEntry of={one} />
      ) : (
        <p className="told" role="alert">
          {k("disliked.gone")}
        </p>
      )}
    </section>
  );
}

function ImproveEntry({ of: one }: { of: DislikedAnswer }): ReactNode {
  const cited = citedBy(one);
  const made = one.sources.find((source) => source.used)?.path;
  const [target, setTarget] = useState(made ?? "");
  const proposal = useMemo(() => ({ path: proposedPath(one.question, cited[0]?.path, one.messageId), title: proposedTitle(one.question), visibility: "public" }), [one.messageId]);
  return (
    <>
      <div className="gap-known" role="region" aria-label={k("disliked.asked")}>
        <p className="disliked-answer whole" dir="auto">
          {unmarked(one.answer)}
        </p>
        {one.comment && <Comment text={one.comment} />}
        <ConversationButton sessionId={one.sessionId} messageId={one.messageId} />
      </div>
      {cited.length > 0 && (
        <Select
          label={k("disliked.where")}
          value={target}
          options={[...cited.map(({ path }) => [path, k("disliked.whereCited", { path })] as const), ["", k("disliked.whereNew")]]}
          change={setTarget}
        />
      )}
      <div role="group" aria-label={k("gaps.entry")}>
        <EditPage key={target} path={target || null} id={target || `disliked:${one.messageId}`} proposal={proposal} cancel={close} />
      </div>
    </>
  );
}
