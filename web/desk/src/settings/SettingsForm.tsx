// A form over some of the company's settings. It sends what was changed and nothing else, and says what somebody else
// changed in the meantime.

import { useRef, useState, type ReactNode } from "react";

import { api, ApiError, type Settings, type SettingsPatch } from "../api/client";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { useUnsavedChanges } from "../ui/unsaved";
import { reload, tagged, useServiceSettings, type Tagged } from "./data";
import { useForm, type FormState } from "./form";
import { Form, QueryResult } from "./parts";
import { s, word } from "./texts";

interface Props<T> {
  /** Under which the values are kept while the person signs in again. */
  name: string;
  /** The settings that the form shows. */
  pick: (settings: Settings) => T;
  /** The settings that the form's values stand for. */
  patch: (values: T) => SettingsPatch;
  fields: readonly string[];
  children: (form: FormState<T>, settings: Settings) => ReactNode;
}

export function SettingsForm<T extends object>(props: Props<T>): ReactNode {
  const settings = useServiceSettings();
  const [round, setRound] = useState(0);
  return <QueryResult of={settings}>{(of) => <FilledForm key={`${round} ${of.tag}`} {...props} of={of} renew={() => setRound(round + 1)} />}</QueryResult>;
}

type FilledFormProps<T> = Props<T> & { of: Tagged<Settings>; renew: () => void };

/** The fields that differ. */
function changed<T extends object>(from: T, to: T): Partial<T> {
  const differs = ([field, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(from[field as keyof T]);
  return Object.fromEntries(Object.entries(to).filter(differs)) as Partial<T>;
}

function FilledForm<T extends object>({ name, pick, patch, fields, children, of, renew }: FilledFormProps<T>): ReactNode {
  const [base] = useState(of);
  const tag = useRef(base.tag);
  const [theirs, setTheirs] = useState<Tagged<Settings> | null>(null);
  const initial = pick(base.data);
  const form = useForm<T>({
    name,
    initial,
    fields,
    save: async (values) => {
      setTheirs(null);
      const body = changed(patch(initial), patch(values));
      try {
        await api.updateSettings({ body }, { ifMatch: tag.current });
      } catch (error) {
        if (error instanceof ApiError && error.status === 412) setTheirs(await tagged(api.getSettings.answer()));
        throw error;
      }
      await reload("serviceSettings");
      tell(s("saved"));
    },
  });
  const isChanged = Object.keys(changed(patch(initial), patch(form.values))).length > 0;
  const unsaved = useUnsavedChanges(isChanged && !form.isBusy);
  const takeTheirs = async () => {
    await reload("serviceSettings");
    renew();
  };
  const saveMine = () => {
    if (theirs) tag.current = theirs.tag;
    form.submit();
  };
  return (
    <Form form={form}>
      {unsaved}
      {children(form, base.data)}
      {form.isConflict && theirs && (
        <div className="told" role="alert">
          <p>{s("conflict.what")}</p>
          <ul>
            {Object.keys(changed(base.data, theirs.data)).map((field) => (
              <li key={field}>{word("setting", field)}</li>
            ))}
          </ul>
          <p>{s("conflict.choose")}</p>
          <div className="acts">
            <Button onPress={() => void takeTheirs()}>{s("conflict.theirs")}</Button>
            <Button kind="primary" onPress={saveMine}>
              {s("conflict.mine")}
            </Button>
          </div>
        </div>
      )}
      <div className="form-foot">
        <Button type="submit" kind="primary" isDisabled={!isChanged}>
          {s("save")}
        </Button>
        {isChanged && (
          <Button kind="quiet" onPress={() => form.set(initial)}>
            {s("discard")}
          </Button>
        )}
      </div>
    </Form>
  );
}
