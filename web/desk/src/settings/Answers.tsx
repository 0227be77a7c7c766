// The sources of answers, when the assistant calls a person, how long data stays, and what the model may cost.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, type Settings, type SettingsPatch } from "../api/client";
import { dateLocale, percent, t } from "../ui/texts";
import { Switch } from "../ui/Switch";
import { Field, Select } from "./parts";
import { SettingsForm } from "./SettingsForm";
import { s, word } from "./texts";

const LANGUAGES = ["ar", "da", "nl", "en", "fi", "fr", "de", "el", "hu", "it", "no", "pt", "ro", "ru", "es", "sv", "ta", "tr"];
const NUMBERS = ["maxAiTurns", "noticeAfterMinutes", "resumeWindowHours", "retentionDays", "modelCallsPerDay"] as const;

interface Values extends Record<(typeof NUMBERS)[number], string> {
  name: string;
  language: string;
  answerVisibility: string;
  widgetAnswerVisibility: string;
  noMatchThreshold: string;
  synonyms: string;
  answersWhileWaiting: boolean;
}

const pick = (from: Settings): Values => ({
  name: from.name,
  language: from.language,
  answerVisibility: from.answerVisibility,
  widgetAnswerVisibility: from.widgetAnswerVisibility,
  noMatchThreshold: `${from.noMatchThreshold}`,
  synonyms: from.synonyms.map((group) => group.join(", ")).join("\n"),
  answersWhileWaiting: from.answersWhileWaiting,
  ...(Object.fromEntries(NUMBERS.map((one) => [one, `${from[one] ?? ""}`])) as Record<(typeof NUMBERS)[number], string>),
});

const groupsOf = (text: string): string[][] =>
  text
    .split("\n")
    .map((line) => line.split(",").map((word) => word.trim()).filter(Boolean))
    .filter((group) => group.length);

const patch = (values: Values): SettingsPatch => ({
  name: values.name.trim(),
  language: values.language as "en",
  answerVisibility: values.answerVisibility as "all",
  widgetAnswerVisibility: values.widgetAnswerVisibility as "all",
  noMatchThreshold: Number(values.noMatchThreshold),
  synonyms: groupsOf(values.synonyms),
  answersWhileWaiting: values.answersWhileWaiting,
  ...Object.fromEntries(NUMBERS.map((one) => [one, values[one] === "" ? null : Number(values[one])])),
});

function languageOptions(): [string, string][] {
  const names = new Intl.DisplayNames(dateLocale(), { type: "language" });
  return LANGUAGES.map((one): [string, string] => [one, names.of(one) ?? one]).sort((a, b) => a[1].localeCompare(b[1]));
}

const visibilities = (): [string, string][] => [
  ["public", s("visibility.public")],
  ["all", s("visibility.all")],
];

export function Answers(): ReactNode {
  return (
    <>
      <p className="lead">{s("answers.lead")}</p>
      <SettingsForm<Values> name="answers" fields={["name", "language", "answerVisibility", "widgetAnswerVisibility", "noMatchThreshold", "synonyms", "answersWhileWaiting", ...NUMBERS]} pick={pick} patch={patch}>
        {({ values, set, fields }, settings) => {
          const number = (name: (typeof NUMBERS)[number]) => (
            <Field name={name} kind="short" type="number" label={s(`setting.${name}`)} value={values[name]} change={(to) => set({ [name]: to } as Partial<Values>)} hint={s(`answers.${name}Hint`)} />
          );
          return (
            <>
              <h3>{s("answers.from")}</h3>
              <Select
                label={s("setting.widgetAnswerVisibility")}
                value={values.widgetAnswerVisibility}
                options={visibilities()}
                hint={values.widgetAnswerVisibility === "all" ? s("answers.widgetAllHint") : undefined}
                change={(widgetAnswerVisibility) => set({ widgetAnswerVisibility })}
              />
              <Select label={s("setting.answerVisibility")} value={values.answerVisibility} options={visibilities()} change={(answerVisibility) => set({ answerVisibility })} />
              <Select label={s("setting.language")} value={values.language} options={languageOptions()} problem={fields.language} hint={s("answers.languageHint")} change={(language) => set({ language })} />
              <Field name="synonyms" label={s("setting.synonyms")} value={values.synonyms} change={(synonyms) => set({ synonyms })} rows={4} hint={s("answers.synonymsHint")} placeholder={s("answers.synonymsExample")} />
              <h3>{s("answers.when")}</h3>
              <div className="field">
                <label>
                  {s("setting.noMatchThreshold")}
                  <span className="slider">
                    <input type="range" min="0" max="1" step="0.05" value={values.noMatchThreshold} onChange={(event) => set({ noMatchThreshold: event.target.value })} />
                    <output>{percent(Number(values.noMatchThreshold))}</output>
                  </span>
                </label>
                <p className="hint">{s("answers.thresholdHint")}</p>
                {fields.noMatchThreshold && <p className="field-problem">{fields.noMatchThreshold}</p>}
                <ThresholdPreview threshold={Number(values.noMatchThreshold)} saved={settings.noMatchThreshold} />
              </div>
              {number("maxAiTurns")}
              {number("noticeAfterMinutes")}
              <div className="field">
                <Switch isOn={values.answersWhileWaiting} change={(answersWhileWaiting) => set({ answersWhileWaiting })}>
                  {s("setting.answersWhileWaiting")}
                </Switch>
                <p className="hint">{s("answers.answersWhileWaitingHint")}</p>
              </div>
              <h3>{s("answers.data")}</h3>
              <Field name="name" label={s("setting.name")} value={values.name} change={(name) => set({ name })} maxLength={100} hint={s("answers.nameHint")} />
              {number("resumeWindowHours")}
              {number("retentionDays")}
              {number("modelCallsPerDay")}
              <Usage settings={settings} />
            </>
          );
        }}
      </SettingsForm>
    </>
  );
}

/** The changes that the threshold would have made last week. */
function ThresholdPreview({ threshold, saved }: { threshold: number; saved: number }): ReactNode {
  const figures = useQuery({
    queryKey: ["confidence"],
    staleTime: 60_000,
    queryFn: () => api.getConfidence({ days: 7 }),
  });
  if (!figures.data) return <p className="hint">{figures.error ? "" : t("loading")}</p>;
  const answers = ({ answered, unanswered }: { answered: number; unanswered: number }) => answered + unanswered;
  const all = figures.data.bins.reduce((sum, bin) => sum + answers(bin), 0);
  const below = (limit: number) => figures.data.bins.filter((bin) => bin.to <= limit + 1e-9).reduce((sum, bin) => sum + answers(bin), 0);
  if (!all) return <p className="info">{s("answers.noAnswers")}</p>;
  const slots = { below: below(threshold), all, was: below(saved), threshold: percent(threshold), saved: percent(saved) };
  return (
    <p className="info" role="status">
      {s("answers.wouldBe", slots)} {threshold !== saved && s("answers.wouldWas", slots)}
    </p>
  );
}

/** Today's calls of the model, if the service tells them. */
function Usage({ settings }: { settings: Settings & { usage?: { modelCallsToday: number } } }): ReactNode {
  if (!settings.usage) return null;
  const { modelCallsToday } = settings.usage;
  const most = settings.modelCallsPerDay;
  return (
    <div className="field">
      <p>{most === null ? s("answers.usedAny", { count: modelCallsToday }) : s("answers.used", { count: modelCallsToday, most })}</p>
      {most !== null && most > 0 && <progress value={Math.min(modelCallsToday, most)} max={most} aria-label={word("setting", "modelCallsPerDay")} />}
    </div>
  );
}
