// One form: its values, what the service says about them, and the way back into it after signing in again.

import { useEffect, useRef, useState, type FormEvent } from "react";

import { isPassing } from "../api/client";
import { leaveFreely } from "../place";
import { goSignIn } from "../signin/session";
import { forgetForm, keepForm, keptForm } from "./kept";
import { NONE, problemsOf, type Problems } from "./problems";

interface Options<T> {
  /** Under which the values are kept while the person signs in again. */
  name: string;
  initial: T;
  /** The fields that the service may name. */
  fields?: readonly string[];
  /** The values without secrets. */
  keep?: (values: T) => T;
  /** `key` is the same when the same values are sent again because no answer came. */
  save: (values: T, key: string) => Promise<void>;
}

export interface FormState<T> extends Problems {
  values: T;
  set: (change: Partial<T>) => void;
  isBusy: boolean;
  /** The values came back from before a sign-in. */
  isBack: boolean;
  submit: (event?: FormEvent) => void;
  signInAgain: () => void;
}

export function useForm<T extends object>({ name, initial, fields, keep = (values) => values, save }: Options<T>): FormState<T> {
  const [before] = useState(() => keptForm<T>(name));
  const [values, setValues] = useState<T>(() => ({ ...initial, ...before }));
  const [problems, setProblems] = useState<Problems>(NONE);
  const [isBusy, setBusy] = useState(false);
  const key = useRef(crypto.randomUUID());
  const busy = useRef(false);
  useEffect(() => forgetForm(name), [name]);
  const set = (change: Partial<T>) => {
    key.current = crypto.randomUUID();
    setValues((now) => ({ ...now, ...change }));
    const changed = Object.keys(change);
    setProblems((now) => ({
      ...now,
      fields: Object.fromEntries(Object.entries(now.fields).filter(([field]) => !changed.some((one) => field === one || field.startsWith(`${one}.`)))),
    }));
  };
  const run = async () => {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    setProblems(NONE);
    try {
      await save(values, key.current);
      key.current = crypto.randomUUID();
    } catch (error) {
      if (!isPassing(error)) key.current = crypto.randomUUID();
      setProblems(problemsOf(error, fields ?? Object.keys(initial)));
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };
  return {
    ...problems,
    values,
    set,
    isBusy,
    isBack: before !== null,
    submit: (event) => {
      event?.preventDefault();
      void run();
    },
    signInAgain: () => {
      keepForm(name, keep(values));
      leaveFreely();
      void goSignIn("login");
    },
  };
}
