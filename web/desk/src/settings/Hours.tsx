// Opening hours: a week to paint by the pointer, the same as times to type, and days on which nobody is there.

import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { TextField } from "react-aria-components/TextField";

import type { Settings } from "../api/client";
import { Button, Icon } from "../ui/parts";
import { Switch } from "../ui/Switch";
import { dateLocale } from "../ui/texts";
import type { FormState } from "./form";
import { HoursTest } from "./HoursTest";
import { Field } from "./parts";
import { SettingsForm } from "./SettingsForm";
import { s } from "./texts";
import ZONES from "./timezones.json";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
type Day = (typeof DAYS)[number];
interface Range {
  from: string;
  to: string;
}
type Week = Record<Day, Range[]>;
interface Values {
  isSet: boolean;
  timezone: string;
  week: Week;
  closed: string;
}

/** The hours of most companies, for a week that is set for the first time. */
const USUAL: Week = Object.fromEntries(DAYS.map((day, at) => [day, at < 5 ? [{ from: "09:00", to: "17:00" }] : []])) as Week;
const SLOTS = 48;
const SLOT_MINUTES = 30;
const MAX_RANGES = 5;

/** The time zone of this computer, if the service knows it by that name: a browser may say `Etc/Unknown` or `+00:00`. */
function ownZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ZONES.includes(zone) ? zone : "";
}

const pick = ({ hours }: Settings): Values => ({
  isSet: hours !== null,
  timezone: hours?.timezone ?? ownZone(),
  week: (hours?.week as Week | undefined) ?? USUAL,
  closed: (hours?.closed ?? []).join("\n"),
});

const hoursOf = ({ timezone, week, closed }: Values) => ({ timezone: timezone.trim(), week, closed: closed.split(/[\s,]+/).filter(Boolean) });
const patch = (values: Values) => ({ hours: values.isSet ? hoursOf(values) : null });

export function Hours(): ReactNode {
  return (
    <>
      <p className="lead">{s("hours.lead")}</p>
      <SettingsForm<Values> name="hours" fields={["hours.timezone", "hours.closed", "hours.week", ...DAYS.map((day) => `hours.week.${day}`)]} pick={pick} patch={patch}>
        {(form, settings) => (
          <>
            <Fields form={form} />
            {form.values.isSet && <HoursTest hours={hoursOf(form.values)} language={settings.language} />}
          </>
        )}
      </SettingsForm>
    </>
  );
}

function Fields({ form: { values, set, fields } }: { form: FormState<Values> }): ReactNode {
  return (
    <>
      <Switch isOn={values.isSet} change={(isSet) => set({ isSet })}>
        {s("hours.set")}
      </Switch>
      {!values.isSet && <p className="hint">{s("hours.alwaysHint")}</p>}
      {values.isSet && (
        <>
          <div className="week">
            <div className="week-head" aria-hidden="true">
              {[0, 6, 12, 18].map((hour) => (
                <span key={hour}>{hour}:00</span>
              ))}
            </div>
            {DAYS.map((day) => (
              <DayLine key={day} day={day} ranges={values.week[day]} problem={fields[`hours.week.${day}`]} change={(ranges) => set({ week: { ...values.week, [day]: ranges } })} />
            ))}
          </div>
          <div className="acts">
            <Button
              onPress={() => set({ week: Object.fromEntries(DAYS.map((day, at) => [day, at < 5 ? values.week.mon : values.week[day]])) as Week })}
            >
              {s("hours.copy")}
            </Button>
          </div>
          <TimeZone value={values.timezone} change={(timezone) => set({ timezone })} />
          <Field
            name="hours.closed"
            label={s("hours.closed")}
            value={values.closed}
            change={(closed) => set({ closed })}
            rows={3}
            isCode
            placeholder={"2026-12-25\n2026-12-26"}
            hint={s("hours.closedHint")}
          />
        </>
      )}
    </>
  );
}

function TimeZone({ value, change }: { value: string; change: (to: string) => void }): ReactNode {
  return (
    <>
      <TextField name="hours.timezone" className="field" value={value} onChange={change}>
        <Label>{s("hours.timezone")}</Label>
        <Input translate="no" list="timezones" autoComplete="off" />
        <FieldError className="field-problem" />
      </TextField>
      <datalist id="timezones">
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** A Monday, to name the days of the week by. */
const MONDAY = Date.UTC(2024, 0, 1);
const nameOf = (day: Day): string =>
  new Intl.DateTimeFormat(dateLocale(), { weekday: "long", timeZone: "UTC" }).format(MONDAY + DAYS.indexOf(day) * 86_400_000);

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const timeOf = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Whether each half hour of a day is open at all. */
function slotsOf(ranges: Range[]): boolean[] {
  return Array.from({ length: SLOTS }, (_, at) => {
    const [from, to] = [at * SLOT_MINUTES, (at + 1) * SLOT_MINUTES];
    return ranges.some((range) => minutesOf(range.from) < to && minutesOf(range.to) > from);
  });
}

function rangesOf(slots: boolean[]): Range[] {
  const ranges: Range[] = [];
  slots.forEach((isOpen, at) => {
    if (!isOpen) return;
    const last = ranges.at(-1);
    const [from, to] = [timeOf(at * SLOT_MINUTES), timeOf((at + 1) * SLOT_MINUTES)];
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  });
  return ranges;
}

interface DayProps {
  day: Day;
  ranges: Range[];
  problem: string | undefined;
  change: (to: Range[]) => void;
}

function DayLine({ day, ranges, problem, change }: DayProps): ReactNode {
  const name = nameOf(day);
  const replace = (at: number, part: Partial<Range>) => change(ranges.map((range, one) => (one === at ? { ...range, ...part } : range)));
  const add = () => {
    const end = ranges.at(-1)?.to ?? "08:30";
    const from = Math.min(minutesOf(end) + 30, 23 * 60);
    change([...ranges, { from: timeOf(from), to: timeOf(Math.min(from + (ranges.length ? 120 : 480), 24 * 60)) }]);
  };
  return (
    <div className="week-day" role="group" aria-label={name}>
      <span className="week-name">{name}</span>
      <HalfHourBar slots={slotsOf(ranges)} change={(slots) => change(rangesOf(slots))} />
      <div className="ranges">
        {ranges.map((range, at) => (
          <span key={at} className="range">
            <input type="time" aria-label={s("hours.from", { day: name })} value={range.from} onChange={(event) => replace(at, { from: event.target.value || "00:00" })} />
            <span aria-hidden="true">–</span>
            <input
              type="time"
              aria-label={s("hours.to", { day: name })}
              // A day ends at 24:00, which a field for a time does not know.
              value={range.to === "24:00" ? "00:00" : range.to}
              onChange={(event) => replace(at, { to: !event.target.value || event.target.value === "00:00" ? "24:00" : event.target.value })}
            />
            <Button kind="icon" aria-label={s("hours.remove", { day: name, from: range.from, to: range.to })} onPress={() => change(ranges.filter((_, one) => one !== at))}>
              <Icon name="close" />
            </Button>
          </span>
        ))}
        {!ranges.length && <span className="quiet">{s("hours.shut")}</span>}
        {ranges.length < MAX_RANGES && (
          <Button kind="quiet" aria-label={s("hours.addOne", { day: name })} onPress={add}>
            {s("hours.add")}
          </Button>
        )}
      </div>
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A day as a bar of half hours; the pointer opens or shuts what it goes over. The times beside it are for everybody. */
function HalfHourBar({ slots, change }: { slots: boolean[]; change: (to: boolean[]) => void }): ReactNode {
  const [painted, setPainted] = useState<boolean[] | null>(null);
  const stroke = useRef<{ from: number; opens: boolean } | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const shown = painted ?? slots;
  const at = (event: PointerEvent) => {
    const box = bar.current?.getBoundingClientRect();
    if (!box) return 0;
    return Math.max(0, Math.min(SLOTS - 1, Math.floor(((event.clientX - box.left) / box.width) * SLOTS)));
  };
  const paint = (to: number) => {
    const now = stroke.current;
    if (!now) return;
    const [low, high] = [Math.min(now.from, to), Math.max(now.from, to)];
    setPainted(slots.map((isOpen, slot) => (slot >= low && slot <= high ? now.opens : isOpen)));
  };
  useEffect(() => setPainted(null), [slots.join()]);
  return (
    <div
      ref={bar}
      className="bar"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const slot = at(event);
        stroke.current = { from: slot, opens: !slots[slot] };
        paint(slot);
      }}
      onPointerMove={(event) => paint(at(event))}
      onPointerUp={() => {
        stroke.current = null;
        if (painted) change(painted);
      }}
      onPointerCancel={() => {
        stroke.current = null;
        setPainted(null);
      }}
    >
      {shown.map((isOpen, slot) => (
        <i key={slot} className={isOpen ? "on" : ""} />
      ))}
    </div>
  );
}
