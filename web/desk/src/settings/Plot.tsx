// One figure over the days, as a picture: bars for numbers, a line with its points for shares and times. What the picture
// shows is also in the table by day.

import { useState, type PointerEvent, type ReactNode } from "react";

import type { Analytics } from "../api/client";
import { go } from "../place";
import { dateLocale } from "../ui/texts";
import { valueOf, type Figure } from "./figure";
import { s } from "./texts";

const [WIDTH, HEIGHT, FLOOR, LEFT] = [300, 116, 96, 4];

/** A round number that is not below `value`. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

const dayOf = (date: string) => new Intl.DateTimeFormat(dateLocale(), { day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));

interface Props {
  figure: Figure;
  days: Analytics["daily"];
  /** The page of a day's conversations. By keyboard the table leads there. */
  listOf: (day: Analytics["daily"][number]) => string | null;
}

export function Plot({ figure, days, listOf }: Props): ReactNode {
  const [over, setOver] = useState<number | null>(null);
  const values = days.map(({ counts }) => valueOf(figure, counts));
  const most = figure.top ?? roundUp(Math.max(0, ...values.map((value) => value ?? 0)));
  const step = (WIDTH - 2 * LEFT) / days.length;
  const x = (at: number) => LEFT + (at + 0.5) * step;
  const y = (value: number) => FLOOR - (value / most) * (FLOOR - 14);
  const isBars = figure.below === null;
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = Math.floor((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / step);
    setOver(at >= 0 && at < days.length ? at : null);
  };
  const told = over === null ? null : (days[over] ?? null);
  const value = over === null ? null : (values[over] ?? null);
  const list = told && listOf(told);
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  return (
    <div className="plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={s("figures.plot", { figure: s(`figure.${figure.id}`) })} className={list ? "leads" : undefined} onPointerMove={point} onPointerDown={point} onPointerLeave={() => setOver(null)} onClick={() => list && go({ settings: list })}>
        <line className="grid" x1={LEFT} x2={WIDTH - LEFT} y1={y(most)} y2={y(most)} />
        <line className="grid" x1={LEFT} x2={WIDTH - LEFT} y1={y(most / 2)} y2={y(most / 2)} />
        <line className="floor" x1={LEFT} x2={WIDTH - LEFT} y1={FLOOR} y2={FLOOR} />
        {values.some((one) => one !== null) && (
          <text x={LEFT} y={y(most) - 3}>
            {figure.write(most)}
          </text>
        )}
        {isBars
          ? values.map((one, at) => <rect key={at} className="bar-one" x={x(at) - step * 0.36} width={step * 0.72} y={y(one ?? 0)} height={FLOOR - y(one ?? 0)} />)
          : linesOf(values).map((part) => <polyline key={part[0]} className="course" points={part.map((at) => `${x(at)},${y(values[at] ?? 0)}`).join(" ")} />)}
        {!isBars && values.map((one, at) => one !== null && <circle key={at} className="dot" cx={x(at)} cy={y(one)} r={days.length > 40 ? 1.8 : 2.6} />)}
        {over !== null && <line className="over" x1={x(over)} x2={x(over)} y1={8} y2={FLOOR} />}
        {first && (
          <text x={LEFT} y={HEIGHT - 4}>
            {dayOf(first)}
          </text>
        )}
        {last && (
          <text x={WIDTH - LEFT} y={HEIGHT - 4} textAnchor="end">
            {dayOf(last)}
          </text>
        )}
      </svg>
      <p className="plot-told" aria-hidden="true">
        {told && `${dayOf(told.date)}: ${value === null ? "–" : figure.write(value)}`}
      </p>
    </div>
  );
}

/** The days with a value that follow each other: the line has a gap at a day without one. */
function linesOf(values: (number | null)[]): number[][] {
  const parts: number[][] = [];
  values.forEach((value, at) => {
    if (value === null) return;
    if (at > 0 && values[at - 1] !== null) parts.at(-1)?.push(at);
    else parts.push([at]);
  });
  return parts;
}
