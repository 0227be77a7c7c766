// The company's figures: one picture a figure, with what it is made of, who waits now, and everything by day.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, type Analytics, type AnalyticsCounts } from "../api/client";
import { listQuery } from "../inbox/data";
import { hasRole } from "../signin/session";
import { Button } from "../ui/parts";
import { PlaceLink } from "../ui/PlaceLink";
import { count, dateLocale, duration, percent } from "../ui/texts";
import { valueOf, type Figure } from "./figure";
import { FigureSessions, isListed, sessionsAt } from "./FigureSessions";
import { QueryResult, Select } from "./parts";
import { Plot } from "./Plot";
import { Ratings } from "./Ratings";
import { s } from "./texts";

const DAYS = ["7", "30", "90"] as const;
type DayFigures = Analytics["daily"][number];

const oneDigit = (value: number) => new Intl.NumberFormat(dateLocale(), { maximumFractionDigits: 1 }).format(value);

const FIGURES: Figure[] = [
  { id: "sessions", above: (of) => of.sessions, below: null, write: count },
  { id: "contained", above: (of) => of.sessionsContained, below: (of) => of.sessionsWithMessage, write: percent, top: 1 },
  { id: "escalated", above: (of) => of.sessionsEscalated, below: (of) => of.sessionsWithMessage, write: percent, top: 1 },
  { id: "coverage", above: (of) => of.queriesCovered, below: (of) => of.queries, write: percent, top: 1 },
  { id: "firstResponse", above: (of) => of.firstResponseMsSum, below: (of) => of.firstResponses, write: duration },
  { id: "handle", above: (of) => of.handleMsSum ?? 0, below: (of) => of.escalationsHandled ?? 0, write: duration },
  { id: "satisfaction", above: (of) => of.ratingSum, below: (of) => of.ratings, write: (value) => oneDigit(value), top: 5 },
];

export default function Figures({ item }: { item?: string }): ReactNode {
  return item ? <FigureSessions item={item} /> : <Overview />;
}

/** The page of a figure's conversations, for those who can open them; null if the service lists none. */
function listOf(figure: Figure, counts: AnalyticsCounts, from: string, to: string): string | null {
  return hasRole("admin", "agent") && isListed(figure.id) && figure.above(counts) > 0 ? sessionsAt(figure.id, from, to) : null;
}

function Overview(): ReactNode {
  const [days, setDays] = useState<string>("30");
  const figures = useQuery({
    queryKey: ["analytics", days],
    staleTime: 0,
    queryFn: () => api.getAnalytics({ days: Number(days) }),
  });
  return (
    <>
      <p className="lead">{s("figures.lead")}</p>
      <div className="figures-head">
        <Select kind="short" label={s("figures.days")} value={days} options={DAYS.map((one) => [one, s(`figures.last${one}`)])} change={setDays} />
        {hasRole("admin", "agent") && <WaitingNow />}
      </div>
      <QueryResult of={figures}>{(found) => <FigureCards of={found} ratings={hasRole("admin", "agent") && <Ratings days={Number(days)} />} />}</QueryResult>
    </>
  );
}

function WaitingNow(): ReactNode {
  const list = useQuery({ ...listQuery("waiting", null), refetchInterval: 5_000 });
  const oldest = list.data?.items.reduce((min, row) => Math.min(min, Date.parse(row.since)), Infinity);
  return (
    <div className="now" role="status">
      <PlaceLink to={{ view: "waiting", tag: null }} kind="now-number">
        {list.data ? `${count(list.data.waiting)}${list.data.isCapped ? "+" : ""}` : "–"}
      </PlaceLink>
      <span>
        {s("figures.waiting")}
        <span className="hint line">
          {oldest !== undefined && Number.isFinite(oldest) ? s("figures.longest", { time: duration(Date.now() - oldest) }) : s("figures.nobody")}
          {list.data && (
            <>
              {" · "}
              <PlaceLink to={{ view: "everybody", tag: null }}>{s("figures.claimed", { count: count(list.data.claimed) })}</PlaceLink>
            </>
          )}
        </span>
      </span>
    </div>
  );
}

function FigureCards({ of, ratings }: { of: Analytics; ratings: ReactNode }): ReactNode {
  const locked = new Set(of.lockedFields);
  const shown = FIGURES.filter((one) => one.id !== "handle" || !locked.has("avgHumanHandleTimeMs"));
  return (
    <>
      <div className="figures">
        {shown.map((figure) => (
          <FigureCard key={figure.id} figure={figure} of={of} />
        ))}
      </div>
      {shown.length < FIGURES.length && <p className="hint">{s("figures.locked")}</p>}
      {ratings}
      <ByDay of={of} figures={shown} />
    </>
  );
}

function FigureCard({ figure, of }: { figure: Figure; of: Analytics }): ReactNode {
  const value = valueOf(figure, of.counts);
  const { id, below, write } = figure;
  const all = listOf(figure, of.counts, of.from, of.to);
  const slots = { above: id === "firstResponse" || id === "handle" ? duration(figure.above(of.counts)) : count(figure.above(of.counts)), below: count(below?.(of.counts) ?? 0) };
  return (
    <figure className="figure">
      <figcaption>
        <span className="figure-name">{s(`figure.${id}`)}</span>
        <span className="figure-value">
          {all ? (
            <PlaceLink to={{ settings: all }} label={s("figures.open", { value: `${s(`figure.${id}`)}, ${write(value ?? 0)}` })}>
              {write(value ?? 0)}
            </PlaceLink>
          ) : value === null ? (
            "–"
          ) : (
            write(value)
          )}
        </span>
        <span className="hint">{value === null ? s("figures.nothing") : s(`figureOf.${id}`, slots)}</span>
      </figcaption>
      <Plot figure={figure} days={of.daily} listOf={({ counts, date }) => listOf(figure, counts, date, date)} />
    </figure>
  );
}

function ByDay({ of, figures }: { of: Analytics; figures: Figure[] }): ReactNode {
  const days = [...of.daily].reverse();
  return (
    <section className="part">
      <div className="snippet-head plain">
        <h3>{s("figures.byDay")}</h3>
        <Button onPress={() => download(of)}>{s("figures.csv")}</Button>
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label={s("figures.byDay")}>
        <table className="list plain">
          <thead>
            <tr>
              <th>{s("figures.day")}</th>
              {figures.map(({ id }) => (
                <th key={id} className="number">
                  {s(`figure.${id}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row">{day.date}</th>
                {figures.map((figure) => (
                  <td key={figure.id} className="number">
                    <Cell figure={figure} of={day} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="hint">{s("figures.utc")}</p>
    </section>
  );
}

function Cell({ figure, of: day }: { figure: Figure; of: DayFigures }): ReactNode {
  const list = listOf(figure, day.counts, day.date, day.date);
  const text = cell(figure, day);
  if (!list) return <>{text}</>;
  return (
    <PlaceLink to={{ settings: list }} label={s("figures.open", { value: `${s(`figure.${figure.id}`)}, ${day.date}, ${text}` })}>
      {text}
    </PlaceLink>
  );
}

function cell(figure: Figure, { counts }: DayFigures): string {
  const value = valueOf(figure, counts);
  if (value === null) return "–";
  return figure.below ? `${figure.write(value)} (${count(figure.below(counts))})` : figure.write(value);
}

/** The counts by day, from which every figure can be made again. */
function download({ daily, from, to }: Analytics): void {
  const names = Object.keys(daily[0]?.counts ?? {}) as (keyof AnalyticsCounts)[];
  const lines = [["date", ...names].join(","), ...daily.map(({ date, counts }) => [date, ...names.map((name) => counts[name] ?? "")].join(","))];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
  link.download = `figures-${from}-${to}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
