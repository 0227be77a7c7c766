// Pages and texts that become entries: handing one in, how it goes, and what came of it.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";

import { api, type IngestInterval, type IngestJob, type Visibility } from "../api/client";
import { go } from "../place";
import { queries } from "../inbox/data";
import { isGone } from "../settings/data";
import { useForm } from "../settings/form";
import { ConfirmDialog, Field, Form, LoadMore, QueryResult, Select } from "../settings/parts";
import { tellProblem } from "../settings/problems";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { count, fullTime, moment, straight } from "../ui/texts";
import { isRunning, jobQuery, jobsQuery, withForms } from "./data";
import { afterDialog } from "./focus";
import { VisibilityChoice, VisibilityMark } from "./marks";
import { PageConflict } from "./PageConflict";
import { k, kind, known } from "./texts";
import { entryAt, KnowledgeLink } from "./routes";

const WHICH = ["all", "scheduled"] as const;
const ONCE = "once";
const INTERVALS = [ONCE, "day", "week"] as const;

const jobAt = (ingestId: string): string => `/ingest/${ingestId}`;

export function Ingest({ item }: { item: string | null }): ReactNode {
  return item ? <Job key={item} id={item} /> : <Jobs />;
}

function Jobs(): ReactNode {
  const [which, setWhich] = useState<(typeof WHICH)[number]>("all");
  const list = useInfiniteQuery(jobsQuery(which === "scheduled"));
  const items = list.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <p className="lead">{k("ingest.lead")}</p>
      <NewJob />
      <h3 className="part">{k("ingest.earlier")}</h3>
      <div className="figures-head">
        <Select kind="short" label={k("ingest.which")} value={which} options={WHICH.map((one) => [one, k(`ingestWhich.${one}`)])} change={(to) => setWhich(to as "all")} />
      </div>
      <QueryResult of={{ data: items, error: list.error, refetch: list.refetch }}>
        {(found) =>
          found.length ? (
            <table className="list">
              <thead>
                <tr>
                  <th scope="col">{k("ingest.what")}</th>
                  <th scope="col">{k("ingest.status")}</th>
                  <th scope="col">{k("ingest.under")}</th>
                  <th scope="col">{k("ingest.at")}</th>
                </tr>
              </thead>
              <tbody>
                {found.map((job) => (
                  <tr key={job.ingestId}>
                    <th scope="row">
                      <KnowledgeLink to={jobAt(job.ingestId)}>{job.url ?? k("ingest.aText")}</KnowledgeLink>
                    </th>
                    <td data-label={k("ingest.status")}>
                      <Status of={job} /> {job.every && <span className="mark">{kind("ingestEvery", job.every)}</span>}
                    </td>
                    <td data-label={k("ingest.under")}>{job.pathPrefix}</td>
                    <td data-label={k("ingest.at")}>{moment(job.createdAt)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <p className="empty">{list.hasNextPage ? k("noneYet") : k(`ingestNone.${which}`)}</p>
          )
        }
      </QueryResult>
      <LoadMore of={list} />
    </>
  );
}

function NewJob(): ReactNode {
  const form = useForm({
    name: "ingest",
    initial: { from: "url", url: "", text: "", every: ONCE as string, pathPrefix: "", visibility: "internal" },
    fields: ["url", "text", "every", "pathPrefix", "visibility"],
    save: async ({ from, url, text, every, pathPrefix, visibility }, key) => {
      const visible = { visibility: visibility as Visibility };
      const prefix = pathPrefix.trim();
      const again = every === ONCE ? null : (every as IngestInterval);
      const body = from === "url" ? { url: url.trim(), every: again, ...(prefix && { pathPrefix: prefix }), ...visible } : { text, pathPrefix: prefix, ...visible };
      const job = await withForms(api.createIngestJob({ body }, { idempotencyKey: key }));
      await queries.invalidateQueries({ queryKey: ["ingests"] });
      go({ knowledge: jobAt(job.ingestId) });
    },
  });
  const { values, set } = form;
  const isPage = values.from === "url";
  return (
    <Form form={form} label={k("ingest.new")}>
      <Select
        label={k("ingest.from")}
        value={values.from}
        options={[
          ["url", k("ingest.fromUrl")],
          ["text", k("ingest.fromText")],
        ]}
        change={(from) => set({ from })}
      />
      {isPage ? (
        <>
          <Field name="url" type="url" label={k("ingest.url")} value={values.url} change={(url) => set({ url })} hint={k("ingest.urlHint")} placeholder="https://" maxLength={2048} isRequired />
          <Select label={k("ingest.every")} value={values.every} options={INTERVALS.map((one) => [one, k(`ingestEvery.${one}`)])} hint={values.every === ONCE ? undefined : k("ingest.everyHint")} problem={form.fields.every} change={(every) => set({ every })} />
        </>
      ) : (
        <Field name="text" label={k("ingest.text")} value={values.text} change={(text) => set({ text })} rows={10} hint={k("ingest.textHint")} isRequired />
      )}
      <Field name="pathPrefix" isCode label={k(isPage ? "ingest.prefixOptional" : "ingest.prefix")} value={values.pathPrefix} change={(pathPrefix) => set({ pathPrefix })} hint={k(isPage ? "ingest.prefixHint" : "ingest.prefixNeeded")} placeholder="help/shipping" maxLength={200} isRequired={!isPage} />
      <VisibilityChoice value={values.visibility} problem={form.fields.visibility} change={(visibility) => set({ visibility })} />
      <Button type="submit" kind="primary" isDisabled={!(isPage ? values.url : values.text).trim()}>
        {k("ingest.start")}
      </Button>
    </Form>
  );
}

function Status({ of: job }: { of: IngestJob }): ReactNode {
  const look = job.status === "completed" ? "good" : job.status === "failed" ? "urgent" : "";
  return <span className={`mark ${look}`}>{kind("ingestStatus", job.status)}</span>;
}

function Job({ id }: { id: string }): ReactNode {
  const job = useQuery(jobQuery(id));
  return (
    <>
      <p className="lead">
        <KnowledgeLink to="/ingest">{k("ingest.all")}</KnowledgeLink>
      </p>
      {isGone(job.error) ? (
        <p className="empty" role="alert">
          {k("ingest.gone")}
        </p>
      ) : (
        <QueryResult of={job}>{(found) => <JobShown of={found} />}</QueryResult>
      )}
    </>
  );
}

function JobShown({ of: job }: { of: IngestJob }): ReactNode {
  const conflicts = job.entries?.filter((one) => one.action === "conflict") ?? [];
  const others = job.entries?.filter((one) => one.action !== "conflict") ?? [];
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <h3 className="url" ref={title} tabIndex={-1}>{job.url ?? k("ingest.aText")}</h3>
      <p className="entry-marks" role="status">
        <Status of={job} />
        <VisibilityMark of={job.visibility} />
        <span className="hint">{k("ingest.facts", { time: fullTime(job.createdAt), under: job.pathPrefix, attempts: count(job.attempts) })}</span>
      </p>
      {job.every && <Schedule of={job} every={job.every} ended={() => afterDialog(() => title.current)} />}
      {isRunning(job) && (
        <>
          <progress aria-label={k("ingest.progress")} />
          <p className="hint">{job.progress}</p>
        </>
      )}
      {job.error && <Failed of={job} retried={() => title.current?.focus()} />}
      {conflicts.length > 0 && (
        <div className="told">
          <p>{k("ingest.conflicts", { count: count(conflicts.length) })}</p>
          <Paths of={conflicts} />
        </div>
      )}
      {job.status === "completed" && !job.entries?.length && <p className="empty">{k("ingest.nothing")}</p>}
      <Paths of={others} />
    </>
  );
}

/** How often the page is read again, and the button that ends that; a failure says itself when. */
function Schedule({ of: job, every, ended }: { of: IngestJob; every: string; ended: () => void }): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const end = async () => {
    await api.deleteIngestSchedule({ id: job.ingestId });
    tell(k("ingest.ended"));
    setAsked(false);
    await Promise.all([["ingest", job.ingestId], ["ingests"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
    // The button goes.
    ended();
  };
  const often = kind("ingestEvery", every);
  return (
    <div className="ingest-schedule">
      <p>{job.nextRunAt && !job.error ? k("ingest.next", { often, time: fullTime(job.nextRunAt) }) : often}</p>
      <Button onPress={() => setAsked(true)}>{k("ingest.end")}</Button>
      {isAsked && <ConfirmDialog name="ingest schedule" title={k("ingest.endTitle")} text={k("ingest.endText")} actionLabel={k("ingest.end")} run={end} close={() => setAsked(false)} />}
    </div>
  );
}

/** Of a conflict, the draft with the page's text. */
type Ingested = NonNullable<IngestJob["entries"]>[number] & { draftId?: string | null };

function Paths({ of }: { of: Ingested[] }): ReactNode {
  return (
    <ul className="ingested">
      {of.map((one) => (
        <li key={one.path}>
          <span className={`mark ${one.action === "created" || one.action === "updated" ? "good" : ""}`}>{kind("ingested", one.action)}</span>
          {one.action === "removed" ? <span>{one.path}</span> : <KnowledgeLink to={entryAt(one.path)}>{one.path}</KnowledgeLink>}
          {one.draftId && <PageConflict path={one.path} draftId={one.draftId} />}
        </li>
      ))}
    </ul>
  );
}

function Failed({ of: job, retried }: { of: IngestJob; retried: () => void }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const retry = async () => {
    setBusy(true);
    try {
      const now = await api.retryIngestJob({ id: job.ingestId }, { idempotencyKey: `${key}-${job.attempts}` });
      // The button goes.
      retried();
      queries.setQueryData(jobQuery(job.ingestId).queryKey, now);
    } catch (error) {
      tell(tellProblem(error), true);
    } finally {
      setBusy(false);
      void queries.invalidateQueries({ queryKey: ["ingest", job.ingestId] });
      void queries.invalidateQueries({ queryKey: ["ingests"] });
    }
  };
  const { code, message } = job.error ?? { code: "", message: "" };
  const explained = known("ingestError", code);
  return (
    <div className="problem ingest-failed" role="alert">
      <p>{explained ?? straight(message)}</p>
      {explained && <p className="hint">{straight(message)}</p>}
      {job.nextRunAt && <p>{k("ingest.again", { time: fullTime(job.nextRunAt) })}</p>}
      {job.status === "failed" && (
        <Button isDisabled={isBusy} onPress={() => void retry()}>
          {k("ingest.retry")}
        </Button>
      )}
    </div>
  );
}
