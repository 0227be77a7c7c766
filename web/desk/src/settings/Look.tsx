// The look of the chat and the questions that it offers: the fields of the page "Chat on your site".

import type { ReactNode } from "react";

import type { Settings, SettingsPatch } from "../api/client";
import type { FormState } from "./form";
import { Field, Select } from "./parts";
import { s } from "./texts";

export interface LookValues {
  suggestions: string;
  "appearance.color": string;
  "appearance.name": string;
  "appearance.position": string;
  "appearance.logoUrl": string;
}

export const LOOK_FIELDS = ["suggestions", "appearance.color", "appearance.name", "appearance.position", "appearance.logoUrl"] as const;

/** The chat's own colour in light, where the picker begins. */
const OWN_COLOR = "#1d4ed8";

export const pickLook = ({ suggestions, appearance }: Settings): LookValues => ({
  suggestions: suggestions.join("\n"),
  "appearance.color": appearance.color ?? "",
  "appearance.name": appearance.name ?? "",
  "appearance.position": appearance.position ?? "",
  "appearance.logoUrl": appearance.logoUrl ?? "",
});

export function patchLook(values: LookValues) {
  const part = (name: "color" | "name" | "logoUrl") => values[`appearance.${name}`].trim() || null;
  return {
    suggestions: values.suggestions
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
    appearance: { color: part("color"), name: part("name"), position: (values["appearance.position"] || null) as "left" | null, logoUrl: part("logoUrl") },
  } satisfies SettingsPatch;
}

export function LookFields({ form: { values, set, fields } }: { form: Pick<FormState<LookValues>, "values" | "set" | "fields"> }): ReactNode {
  const color = values["appearance.color"].trim();
  return (
    <>
      <h3>{s("look.title")}</h3>
      <p className="hint">{s("look.hint")}</p>
      <div className="color-line">
        <Field name="appearance.color" kind="short" label={s("look.color")} value={values["appearance.color"]} change={(to) => set({ "appearance.color": to })} isCode placeholder={OWN_COLOR} hint={s("look.colorHint")} />
        <input type="color" aria-label={s("look.pick")} value={/^#[\da-f]{6}$/i.test(color) ? color : OWN_COLOR} onChange={(event) => set({ "appearance.color": event.target.value })} />
      </div>
      <Field name="appearance.name" label={s("look.name")} value={values["appearance.name"]} change={(to) => set({ "appearance.name": to })} maxLength={60} placeholder={s("look.ownName")} />
      <Select
        kind="short"
        label={s("look.position")}
        value={values["appearance.position"]}
        problem={fields["appearance.position"]}
        hint={s("look.positionHint")}
        options={[
          ["", s("look.ownSide")],
          ["right", s("look.right")],
          ["left", s("look.left")],
        ]}
        change={(to) => set({ "appearance.position": to })}
      />
      <Field name="appearance.logoUrl" label={s("look.logo")} value={values["appearance.logoUrl"]} change={(to) => set({ "appearance.logoUrl": to })} isCode placeholder="https://shop.example/logo.svg" hint={s("look.logoHint")} />
      <Field name="suggestions" label={s("setting.suggestions")} value={values.suggestions} change={(suggestions) => set({ suggestions })} rows={4} hint={s("look.suggestionsHint")} />
    </>
  );
}
