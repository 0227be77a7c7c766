// Parts that the pages of the settings share.

import { useState, type ReactNode } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup as AriaCheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Form as AriaForm } from "react-aria-components/Form";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField } from "react-aria-components/TextField";

import { explain, codeOf } from "../inbox/failures";
import { Button, Icon } from "../ui/parts";
import { Dialog } from "../ui/Dialog";
import { t } from "../ui/texts";
import { useForm, type FormState } from "./form";
import { s } from "./texts";

/** Data of the service: a line while it is on its way, or why it did not come. */
export function QueryResult<T>({ of, children }: { of: { data: T | undefined; error: Error | null; refetch: () => unknown }; children: (data: T) => ReactNode }): ReactNode {
  if (of.data !== undefined) return children(of.data);
  if (!of.error) return <p role="status">{t("loading")}</p>;
  return (
    <p className="problem" role="alert">
      {explain(codeOf(of.error))}{" "}
      <Button kind="text" onPress={() => of.refetch()}>
        {s("again")}
      </Button>
    </p>
  );
}

interface Pages {
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** The end of a list that comes in pages: why the next page could not be read, and the button that reads it. */
export function LoadMore({ of }: { of: Pages }): ReactNode {
  return (
    <>
      {of.isFetchNextPageError && (
        <p className="problem" role="alert">
          {explain(codeOf(of.error))}
        </p>
      )}
      {of.hasNextPage && (
        <Button isDisabled={of.isFetchingNextPage} onPress={() => void of.fetchNextPage()}>
          {s("more")}
        </Button>
      )}
    </>
  );
}

interface FormProps<T> {
  form: FormState<T>;
  label?: string;
  children: ReactNode;
}

/** A form whose fields show what the service says of them. */
export function Form<T>({ form, label, children }: FormProps<T>): ReactNode {
  return (
    <AriaForm className="form" aria-label={label} validationBehavior="aria" validationErrors={form.fields} onSubmit={form.submit}>
      {form.isBack && (
        <p className="told" role="status">
          {s("recent.back")}
        </p>
      )}
      {children}
      <FormMessage form={form} />
    </AriaForm>
  );
}

/** The messages about the whole form. */
export function FormMessage<T>({ form }: { form: FormState<T> }): ReactNode {
  if (form.needsSignIn) {
    return (
      <div className="told ask" role="alert">
        <p>{s("recent.text")}</p>
        <Button kind="primary" onPress={form.signInAgain}>
          {s("recent.do")}
        </Button>
      </div>
    );
  }
  if (!form.form) return null;
  return (
    <p className="problem" role="alert">
      {form.form}
    </p>
  );
}

interface FieldProps {
  name: string;
  label: string;
  value: string;
  change: (to: string) => void;
  hint?: ReactNode;
  type?: "text" | "email" | "url" | "number" | "date" | "time" | "datetime-local";
  rows?: number;
  isRequired?: boolean;
  autoFocus?: boolean;
  maxLength?: number;
  isCode?: boolean;
  kind?: string;
  placeholder?: string;
}

export function Field({ name, label, value, change, hint, type = "text", rows, isRequired, autoFocus, maxLength, isCode, kind = "", placeholder }: FieldProps): ReactNode {
  const look = isCode ? "code" : "";
  return (
    <TextField name={name} className={`field ${kind}`} value={value} onChange={change} isRequired={isRequired} type={type} autoFocus={autoFocus} maxLength={maxLength}>
      <Label>{label}</Label>
      {rows ? (
        <TextArea translate="no" rows={rows} className={look} dir="auto" placeholder={placeholder} spellCheck={!isCode} />
      ) : (
        <Input translate="no" className={look} dir="auto" autoComplete="off" placeholder={placeholder} spellCheck={!isCode} />
      )}
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-problem" />
    </TextField>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  change: (to: string) => void;
  hint?: string;
  problem?: string;
  kind?: string;
}

export function Select({ label, value, options, change, hint, problem, kind = "" }: SelectProps): ReactNode {
  return (
    <div className={`field ${kind}`}>
      <label>
        {label}
        <select value={value} aria-invalid={problem ? true : undefined} onChange={(event) => change(event.target.value)}>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {hint && <p className="hint">{hint}</p>}
      {problem && <p className="field-problem">{problem}</p>}
    </div>
  );
}

interface CheckboxGroupProps {
  name: string;
  label: string;
  value: string[];
  change: (to: string[]) => void;
  options: readonly { id: string; name: string; hint?: string }[];
  hint?: string;
  kind?: string;
}

export function CheckboxGroup({ name, label, value, change, options, hint, kind = "" }: CheckboxGroupProps): ReactNode {
  return (
    <AriaCheckboxGroup name={name} className={`field ticks ${kind}`} value={value} onChange={change}>
      <Label>{label}</Label>
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      {options.map((one) => (
        <Checkbox key={one.id} value={one.id} className="tick">
          <span className="box">{value.includes(one.id) && <Icon name="check" />}</span>
          <span>
            {one.name}
            {one.hint && <span className="hint line">{one.hint}</span>}
          </span>
        </Checkbox>
      ))}
      <FieldError className="field-problem" />
    </AriaCheckboxGroup>
  );
}

/** A button that copies a text, and says so. */
export function CopyButton({ text, label = s("copy"), kind = "", done }: { text: string; label?: string; kind?: string; done?: () => void }): ReactNode {
  const [state, setState] = useState<"" | "copied" | "failed">("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
      done?.();
    } catch {
      setState("failed");
    }
    setTimeout(() => setState(""), 4_000);
  };
  return (
    <span className="copy">
      <Button kind={kind} onPress={() => void copy()}>
        {state === "copied" && <Icon name="check" />}
        {state === "copied" ? s("copied") : label}
      </Button>
      <span role="status" className={state === "failed" ? "field-problem" : "said"}>
        {state === "failed" ? s("copyFailed") : state === "copied" ? s("copied") : ""}
      </span>
    </span>
  );
}

/** Something to copy, shown whole. */
export function CodeBlock({ text, label, children }: { text: string; label: string; children?: ReactNode }): ReactNode {
  return (
    <div className="snippet">
      <div className="snippet-head">
        <span>{label}</span>
        <CopyButton text={text} kind="quiet" />
      </div>
      {children}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

interface ConfirmDialogProps {
  /** Under which the question comes back after signing in again. */
  name: string;
  title: string;
  text: ReactNode;
  actionLabel: string;
  /** The text that has to be typed first. */
  typed?: string;
  run: (key: string) => Promise<void>;
  close: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ name, title, text, actionLabel, typed, run, close }: ConfirmDialogProps): ReactNode {
  const form = useForm({
    name,
    initial: { typed: "" },
    fields: [],
    save: async (_, key) => {
      await run(key);
      close();
    },
  });
  const isReady = typed === undefined || form.values.typed.trim() === typed;
  return (
    <Dialog title={title} close={close}>
      <Form form={form}>
        {typeof text === "string" ? <p>{text}</p> : text}
        {typed !== undefined && (
          <Field name="typed" label={s("ask.type", { name: typed })} value={form.values.typed} change={(to) => form.set({ typed: to })} autoFocus />
        )}
        <div className="dialog-foot">
          <Button onPress={close}>{t("cancel")}</Button>
          <Button type="submit" kind="danger" isDisabled={!isReady}>
            {actionLabel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The foot of a dialog with a form. */
export function FormFooter({ actionLabel, isDisabled, close }: { actionLabel: string; isDisabled?: boolean; close: () => void }): ReactNode {
  return (
    <div className="dialog-foot">
      <Button onPress={close}>{t("cancel")}</Button>
      <Button type="submit" kind="primary" isDisabled={isDisabled}>
        {actionLabel}
      </Button>
    </div>
  );
}
