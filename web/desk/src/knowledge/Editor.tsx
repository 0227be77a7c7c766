// An entry being written: new, or a change of one. What is written is kept until it is saved or thrown away.

import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";

import { api, call, CallFailed } from "../api/client";
import { isGone } from "../settings/data";
import { useForm } from "../settings/form";
import { Ask, Field, FormOf } from "../settings/parts";
import { tell } from "../ui/notices";
import { Act } from "../ui/parts";
import { fullTime, t } from "../ui/texts";
import { useLeaving } from "../ui/unsaved";
import { Window } from "../ui/Window";
import { Conflict } from "./Conflict";
import { changeEntry, entryChanged, readEntry, withForms, type Entry, type TaggedEntry, type Visibility } from "./data";
import { VisibilityChoice } from "./marks";
import { tagsOf } from "./names";
import { LiveProof, type Change, type Questions } from "./Proof";
import { SaveSheet } from "./SaveSheet";
import { k } from "./texts";
import { flush, forgetUnsaved, keepUnsaved, type Unsaved, type Values } from "./unsaved";
import { Writing } from "./Writing";

interface Props {
  /** Under which what is written is kept. */
  id: string;
  /** The entry that is changed; null for a new one. */
  entry: TaggedEntry | null;
  /** What a new entry begins with. */
  proposal?: Partial<Values>;
  unsaved: Unsaved | null;
  /** The customers' questions that it is tried on. */
  questions: Questions;
  done: (path: string) => void;
  cancel: () => void;
}

const EMPTY: Values = { path: "", title: "", content: "", visibility: "internal", tags: "" };
const FIELDS = ["path", "title", "content", "tags", "visibility"] as const;

const valuesOf = ({ path, title, content, visibility, tags }: Entry): Values => ({ path, title, content, visibility, tags: tags.join(", ") });

const isSame = (a: Values, b: Values) => FIELDS.every((field) => (field === "tags" ? tagsOf(a.tags).join() === tagsOf(b.tags).join() : a[field] === b[field]));

/** The fields that differ from what the change was made from. */
function changedFields(from: Entry, to: Values) {
  const tags = tagsOf(to.tags);
  return {
    ...(to.title.trim() !== from.title && { title: to.title.trim() }),
    ...(to.content !== from.content && { content: to.content }),
    ...(to.visibility !== from.visibility && { visibility: to.visibility as Visibility }),
    ...(tags.join() !== from.tags.join() && { tags }),
  };
}

/** What is tried on questions; null where there is nothing to try. */
function proposed(base: TaggedEntry | null, values: Values): Change | null {
  const { path, title, content, visibility } = values;
  if (!base) return path && title.trim() && content.trim() ? { path, action: "create", title: title.trim(), content, visibility: visibility as Visibility } : null;
  const { tags: _, ...change } = changedFields(base.data, values);
  return Object.keys(change).length && content.trim() && title.trim() ? { path, ...change } : null;
}

/** The paragraphs of an answer that a text lacks; all of them where it has each. */
function missing(answer: string, text: string): string {
  const lacks = answer.split(/\n{2,}/).filter((part) => !text.includes(part.trim()));
  return (lacks.length ? lacks : [answer]).join("\n\n");
}

export function Editor({ id, entry, proposal, unsaved, questions, done, cancel }: Props): ReactNode {
  // What the change is made from: as it was when it began, also before a reload.
  const [base, setBase] = useState(unsaved ? unsaved.base : entry);
  const moved = !!unsaved && unsaved.base?.data.version !== entry?.data.version;
  const [conflict, setConflict] = useState<{ theirs: TaggedEntry | null } | null>(moved ? { theirs: entry } : null);
  const [isBack, setBack] = useState(!!unsaved);
  const [isAsked, setAsked] = useState(false);
  const [isSheet, setSheet] = useState(false);
  const start = base ? valuesOf(base.data) : { ...EMPTY, ...proposal };
  const isOver = useRef(false);
  const form = useForm<Values>({
    name: `entry ${id}`,
    initial: unsaved?.values ?? start,
    fields: FIELDS,
    save: async (values, key) => {
      setConflict(null);
      try {
        await (base ? changeEntry(values.path, base.tag, changedFields(base.data, values)) : create(values, key));
      } catch (error) {
        if (base && error instanceof CallFailed && (error.status === 412 || error.status === 404)) return setConflict({ theirs: await theirsOf(values.path) });
        throw error;
      }
      isOver.current = true;
      await forgetUnsaved(id);
      tell(k("saved", { title: values.title.trim() }));
      done(values.path.trim());
    },
  });
  const { values } = form;
  const isChanged = !isSame(values, start);
  const change = proposed(base, values);
  const opens = values.visibility !== (base?.data.visibility ?? "internal");
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isChanged || conflict) return;
    if (change) setSheet(true);
    else save();
  };
  const save = () => {
    setSheet(false);
    if (opens) setAsked(true);
    else form.submit();
  };
  useEffect(() => {
    if (isChanged && !isOver.current) keepUnsaved({ id, values, base, at: new Date().toISOString() });
    else if (!isChanged) void forgetUnsaved(id);
  }, [id, values, base, isChanged]);
  useEffect(() => {
    const keepNow = () => void flush();
    addEventListener("pagehide", keepNow);
    return () => removeEventListener("pagehide", keepNow);
  }, []);
  // A reload loses nothing, so the browser does not ask.
  const leave = useLeaving(isChanged, { isOver, beforeUnload: false });
  const discard = async () => {
    isOver.current = true;
    await forgetUnsaved(id);
  };
  const restart = async (from: TaggedEntry | null) => {
    setConflict(null);
    setBack(false);
    setBase(from);
    await forgetUnsaved(id);
    form.set(from ? valuesOf(from.data) : { ...EMPTY, ...proposal });
  };
  const keepMine = () => {
    setBase(conflict?.theirs ?? null);
    setConflict(null);
  };
  return (
    <>
    <FormOf form={{ ...form, submit }}>
      {isBack && unsaved && (
        <div className="told ask" role="status">
          <p>{k("unsaved.back", { time: fullTime(unsaved.at) })}</p>
          <Act onPress={() => void restart(entry)}>{k("unsaved.discard")}</Act>
        </div>
      )}
      {conflict && <Conflict theirs={conflict.theirs} mine={values} takeTheirs={() => (conflict.theirs ? void restart(conflict.theirs) : void discard().then(cancel))} keepMine={keepMine} />}
      <Field name="title" label={k("entry.title")} value={values.title} change={(title) => form.set({ title })} maxLength={200} isRequired />
      {!base && <Field name="path" isCode label={k("entry.path")} value={values.path} change={(path) => form.set({ path: path.trim() })} maxLength={512} hint={k("entry.pathHint")} placeholder="help/refunds" isRequired />}
      {questions.gapId && <LiveProof change={change} questions={questions} />}
      <Writing value={values.content} change={(content) => form.set({ content })} submit={submit} problem={form.fields.content} />
      <div className="editor-facts">
        <VisibilityChoice value={values.visibility} problem={form.fields.visibility} change={(visibility) => form.set({ visibility })} />
        <Field name="tags" label={k("entry.tags")} value={values.tags} change={(tags) => form.set({ tags })} hint={k("entry.tagsHint")} />
      </div>
      <div className="form-foot">
        <Act type="submit" kind="primary" hint="Ctrl ↵" isDisabled={!isChanged || !!conflict}>
          {k(base ? "save" : "create")}
        </Act>
        <Act kind="quiet" onPress={cancel}>
          {t("cancel")}
        </Act>
        <span className="hint" role="status">
          {isChanged ? k("unsaved.kept") : ""}
        </span>
      </div>
    </FormOf>
      {isSheet && change && (
        <SaveSheet
          change={change}
          questions={questions}
          bringBack={(text) => {
            form.set({ content: `${values.content.trimEnd()}\n\n${missing(text, values.content)}\n` });
            setSheet(false);
          }}
          save={save}
          close={() => setSheet(false)}
        />
      )}
      {isAsked && <AskVisibility to={values.visibility as Visibility} run={() => form.submit()} close={() => setAsked(false)} />}
      {leave && (
        <Window title={k("leave.title")} close={() => leave(false)}>
          <p>{k("leave.text")}</p>
          <div className="dialog-foot">
            <Act onPress={() => leave(false)}>{k("leave.stay")}</Act>
            <Act kind="danger" onPress={() => void discard().then(() => leave(true))}>
              {k("leave.discard")}
            </Act>
            <Act kind="primary" onPress={() => leave(true)}>
              {k("leave.keep")}
            </Act>
          </div>
        </Window>
      )}
    </>
  );
}

async function create({ path, title, content, visibility, tags }: Values, key: string): Promise<void> {
  const body = { path: path.trim(), title: title.trim(), content, visibility: visibility as Visibility, tags: tagsOf(tags) };
  try {
    await withForms(call(api.POST("/wiki", { params: { header: { "Idempotency-Key": key } }, body })));
  } catch (error) {
    if (error instanceof CallFailed && error.status === 409 && error.code === "CONFLICT") throw new CallFailed(409, error.code, [{ code: "PATH_TAKEN", field: "path" }]);
    throw error;
  }
  await entryChanged(body.path);
}

/** The entry as somebody else left it; null where it is gone. */
async function theirsOf(path: string): Promise<TaggedEntry | null> {
  try {
    return await readEntry(path);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Asks before customers may read an entry, or may no longer. */
export function AskVisibility({ to, run, close }: { to: Visibility; run: () => void | Promise<void>; close: () => void }): ReactNode {
  return <Ask name="visibility" title={k(`ask.${to}`)} text={k(`ask.${to}Text`)} act={k(`ask.${to}Do`)} run={async () => run()} close={close} />;
}
