// An entry, or a proposal of one, being written. What is written is kept until it is saved or thrown away.

import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from "react";

import { ApiError, type Draft, type Visibility } from "../api/client";
import { go } from "../place";
import { useForm } from "../settings/form";
import { Field, Form } from "../settings/parts";
import { hasRole } from "../signin/session";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { fullTime, t } from "../ui/texts";
import { useLeaving } from "../ui/unsaved";
import { Dialog } from "../ui/Dialog";
import { ConfirmVisibilityDialog } from "./ConfirmVisibilityDialog";
import { lacking, withPart } from "./bringBack";
import { Conflict } from "./Conflict";
import { entryChanged, type TaggedEntry } from "./data";
import { draftsChanged, dropUsed } from "./draft";
import { VisibilityChoice } from "./marks";
import { HeldBack } from "./HeldBack";
import { isAnswered, DryRunPreview, type Held, type Questions } from "./DryRunPreview";
import { questionsFor, SaveSheet } from "./SaveSheet";
import { EMPTY, FIELDS, isSame, proposed, saved, theirsOf, valuesOf } from "./saving";
import { k } from "./texts";
import { flush, forgetUnsaved, keepUnsaved, type Unsaved, type Values } from "./unsaved";
import { draftAt } from "./routes";
import { focusText, Writing } from "./Writing";

interface Props {
  /** Under which what is written is kept. */
  id: string;
  /** The entry that is changed, or the draft as one; null for a new one. */
  entry: TaggedEntry | null;
  /** The draft whose text is written. */
  draft?: Draft;
  /** The values that a new entry begins with. */
  proposal?: Partial<Values>;
  unsaved: Unsaved | null;
  /** The gap that is to be answered. */
  gapId?: string;
  done: (path: string) => void;
  cancel: () => void;
}

export function Editor({ id, entry, draft, proposal, unsaved, gapId, done, cancel }: Props): ReactNode {
  const canPublish = hasRole("admin", "trainer") && !draft;
  // The entry that the change is made from: as it was when it began, also before a reload.
  const [base, setBase] = useState(unsaved ? unsaved.base : entry);
  const moved = !!unsaved && unsaved.base?.data.version !== entry?.data.version;
  const [conflict, setConflict] = useState<{ theirs: TaggedEntry | null; isOfFrom?: boolean } | null>(moved ? { theirs: entry } : null);
  const [isBack, setBack] = useState(!!unsaved);
  /** The draft that a new entry's text began from: it becomes the entry, or is written anew. */
  const [from, setFrom] = useState(unsaved?.from);
  const [isAsked, setAsked] = useState(false);
  const [isSheet, setSheet] = useState(false);
  const start = base ? valuesOf(base.data) : { ...EMPTY, ...proposal };
  const isOver = useRef(false);
  const isDraft = useRef(!canPublish);
  /** Why the service does not take what the sheet asked about: said as if saving had been tried, and nothing is sent. */
  const refusal = useRef<ApiError | null>(null);
  const form = useForm<Values>({
    name: `entry ${id}`,
    initial: unsaved?.values ?? start,
    fields: FIELDS,
    save: async (values, key) => {
      setConflict(null);
      const refused = refusal.current;
      refusal.current = null;
      let made: Draft | null = null;
      try {
        made = await saved({ values, base, draft, from, isDraft: isDraft.current, gapId, key, refused });
      } catch (error) {
        const isOfFrom = isDraft.current && !draft && !base && !!from;
        const isMoved = error instanceof ApiError && (error.status === 412 || error.status === 404 || ((draft || isOfFrom) && error.code === "INVALID_STATE"));
        if (!isMoved || !(isOfFrom || base)) throw error;
        const draftId = isOfFrom ? from.draftId : draft?.draftId;
        const theirs = await theirsOf(values.path, draftId);
        // Else it is saved already, by an attempt whose reply was lost.
        if (error.status !== 412 || !theirs || !isSame(valuesOf(theirs.data), { ...values, title: values.title.trim() })) return setConflict({ theirs, isOfFrom });
        await (draftId ? draftsChanged(draftId) : entryChanged(values.path));
      }
      isOver.current = true;
      await forgetUnsaved(id);
      if (!isDraft.current) {
        if (from) void dropUsed(from);
        tell(k("saved", { title: values.title.trim() }));
        return done(values.path.trim());
      }
      tell(k(draft || from ? "draft.saved" : "propose.done"));
      const draftId = made?.draftId ?? draft?.draftId ?? from?.draftId;
      if (draftId) go({ knowledge: draftAt(draftId) }, true);
    },
  });
  const { values } = form;
  const isChanged = !isSame(values, start);
  const change = proposed(base, values, draft);
  const opens = values.visibility !== (base?.data.visibility ?? "internal");
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isChanged || conflict) return;
    isDraft.current = !canPublish;
    if (change && canPublish) setSheet(true);
    else save();
  };
  const save = () => {
    setSheet(false);
    if (opens && canPublish) setAsked(true);
    else form.submit();
  };
  // In the text, its editor does it.
  const submitByKeys = (event: KeyboardEvent) => {
    // A dialog that is opened from a part of the form stands elsewhere.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    submit();
  };
  const saveDraft = () => {
    isDraft.current = true;
    form.submit();
  };
  const closeSheet = () => {
    setSheet(false);
    focusText();
  };
  useEffect(() => {
    if (isChanged && !isOver.current) keepUnsaved({ id, values, base, at: new Date().toISOString(), from });
    else if (!isChanged) void forgetUnsaved(id);
  }, [id, values, base, from, isChanged]);
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
  const restart = async (to: TaggedEntry | null) => {
    setConflict(null);
    setBack(false);
    setBase(to);
    setFrom(undefined);
    await forgetUnsaved(id);
    form.set(to ? valuesOf(to.data) : { ...EMPTY, ...proposal });
  };
  const keepMine = () => {
    if (conflict?.isOfFrom) setFrom(from && conflict.theirs ? { ...from, read: conflict.theirs } : undefined);
    else setBase(conflict?.theirs ?? null);
    setConflict(null);
  };
  const takeTheirs = (theirs: TaggedEntry) => {
    if (!conflict?.isOfFrom) return void restart(theirs);
    keepMine();
    form.set(valuesOf(theirs.data));
  };
  const isNew = draft ? draft.action === "create" : !base;
  const questions: Questions = gapId ? { gapId } : change ? questionsFor(change) : {};
  const held = (open: () => void): Held | null =>
    values.visibility === "internal" ? ({ items, ...tried }) => <HeldBack of="change" {...tried} answers={items.filter(isAnswered).length} open={open} /> : null;
  return (
    <>
      <div onKeyDown={submitByKeys}>
        <Form form={{ ...form, submit }}>
          {isBack && unsaved && (
            <div className="told ask" role="status">
              <p>{k(unsaved.isDraft ? "unsaved.fromDraft" : "unsaved.back", { time: fullTime(unsaved.at) })}</p>
              <Button onPress={() => void restart(entry)}>{k("unsaved.discard")}</Button>
            </div>
          )}
          {conflict && (
            <Conflict
              of={draft || conflict.isOfFrom ? "draft" : "entry"}
              theirs={conflict.theirs}
              mine={values}
              takeTheirs={() => (conflict.theirs ? takeTheirs(conflict.theirs) : void discard().then(cancel))}
              keepMine={keepMine}
            />
          )}
          <Field name="title" label={k("entry.title")} value={values.title} change={(title) => form.set({ title })} maxLength={200} isRequired />
          <div className="editor-facts">
            {isNew && <Field name="path" isCode label={k("entry.path")} value={values.path} change={(path) => form.set({ path: path.trim() })} maxLength={512} hint={k("entry.pathHint")} placeholder="help/refunds" isRequired />}
            <VisibilityChoice value={values.visibility} problem={form.fields.visibility} change={(visibility) => form.set({ visibility })} />
          </div>
          {gapId && <DryRunPreview change={change} questions={questions} held={held(() => form.set({ visibility: "public" }))} />}
          <Writing value={values.content} change={(content) => form.set({ content })} submit={submit} problem={form.fields.content} />
          <Field name="tags" label={k("entry.tags")} value={values.tags} change={(tags) => form.set({ tags })} hint={k("entry.tagsHint")} />
          <div className="form-foot">
            <Button type="submit" kind="primary" hint="Ctrl ↵" isDisabled={!isChanged || !!conflict}>
              {k(draft ? "draft.save" : canPublish ? (base ? "save" : "create") : "propose.do")}
            </Button>
            {canPublish && (
              <Button isDisabled={!isChanged || !!conflict} onPress={saveDraft}>
                {k("draft.make")}
              </Button>
            )}
            <Button kind="quiet" onPress={cancel}>
              {t("cancel")}
            </Button>
            <span className="hint" role="status">
              {isChanged ? k("unsaved.kept") : ""}
            </span>
          </div>
        </Form>
      </div>
      {isSheet && change && (
        <SaveSheet
          of="save"
          change={change}
          questions={questions}
          lost={{
            lacking: (answer) => lacking(answer, values.content, base?.data.content ?? null),
            bringBack: (text) => {
              form.set({ content: withPart(values.content, text, base?.data.content ?? null) });
              closeSheet();
            },
          }}
          held={held(() => {
            form.set({ visibility: "public" });
            closeSheet();
          })}
          refused={(error) => {
            refusal.current = error;
            setSheet(false);
            form.submit();
          }}
          run={save}
          close={closeSheet}
        />
      )}
      {isAsked && <ConfirmVisibilityDialog to={values.visibility as Visibility} run={() => form.submit()} close={() => setAsked(false)} />}
      {leave && (
        <Dialog title={k("leave.title")} close={() => leave(false)}>
          <p>{k("leave.text")}</p>
          <div className="dialog-foot">
            <Button onPress={() => leave(false)}>{k("leave.stay")}</Button>
            <Button kind="danger" onPress={() => void discard().then(() => leave(true))}>
              {k("leave.discard")}
            </Button>
            <Button kind="primary" onPress={() => leave(true)}>
              {k("leave.keep")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
