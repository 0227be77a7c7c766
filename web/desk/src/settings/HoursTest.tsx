// A test of opening hours before they are saved: the sentence that a customer would read at some date and time, as the service
// makes it.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import { api, type SettingsPatch } from "../api/client";
import { dateLocale } from "../ui/texts";
import { Field } from "./parts";
import { tellProblem } from "./problems";
import { s } from "./texts";

type Hours = NonNullable<SettingsPatch["hours"]>;

/** The service is asked this long after the last key. */
const SETTLE_MS = 400;

/** Date and time now by the clock of a zone, as a field for them takes it; of this computer if the zone is unknown here. */
function now(timeZone: string): string {
  const shown = (zone?: string) => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: zone }).format();
  try {
    return shown(timeZone).replace(" ", "T");
  } catch {
    return shown().replace(" ", "T");
  }
}

/** A moment by the clock of a zone, which is named: daylight saving may have moved it. */
function shownAt(at: string, timeZone: string): string {
  const parts = { weekday: "long", year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  try {
    return new Intl.DateTimeFormat(dateLocale(), { ...parts, timeZone }).format(new Date(at));
  } catch {
    return new Intl.DateTimeFormat(dateLocale(), { ...parts, timeZone: "UTC" }).format(new Date(at));
  }
}

export function HoursTest({ hours, language }: { hours: Hours; language: string }): ReactNode {
  const [at, setAt] = useState(() => now(hours.timezone));
  const typed = JSON.stringify({ hours, at: at.slice(0, 16) });
  const [asked, setAsked] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const said = useQuery({
    queryKey: ["hoursPreview", asked],
    enabled: !asked.includes('"at":""'),
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const body = JSON.parse(asked) as { hours: Hours; at: string };
      return { ...(await api.previewHours({ body })), timezone: body.hours.timezone };
    },
  });
  const { data, error } = said;
  return (
    // Enter would save the hours.
    <div className="hours-test" onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}>
      <h3>{s("hours.test")}</h3>
      <Field name="at" kind="when" type="datetime-local" label={s("hours.testAt")} value={at} change={setAt} hint={s("hours.testHint")} />
      <div className="info" role="status">
        {error && <p>{s("hours.testRefused", { why: tellProblem(error) })}</p>}
        {!error && at && data && (
          <>
            <p>{s(data.peopleAvailable ? "hours.testOpen" : "hours.testShut", { when: shownAt(data.at, data.timezone) })}</p>
            <blockquote lang={language} dir="auto">
              {data.text}
            </blockquote>
          </>
        )}
      </div>
    </div>
  );
}
