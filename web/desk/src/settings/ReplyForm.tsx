// A saved reply to write or to change: in the settings, and from what somebody is just writing.

import { useRef, type ReactNode } from "react";

import { api, ApiError, type SavedReply } from "../api/client";
import { queries } from "../inbox/data";
import { hasRole } from "../signin/session";
import { Dialog } from "../ui/Dialog";
import { tell } from "../ui/notices";
import { forgetReplies, repliesQuery } from "../writing/replies";
import { useForm } from "./form";
import { Field, Form, FormFooter, Select } from "./parts";
import { s } from "./texts";

interface Props {
  /** The one to change; a new one without it. */
  of?: SavedReply;
  /** The text of a new one at first. */
  content?: string;
  close: () => void;
}

export function ReplyForm({ of, content = "", close }: Props): ReactNode {
  const mayShare = hasRole("admin", "trainer");
  const version = useRef(of?.version);
  /** After a change by somebody else the text stays, and saving again is saving over theirs. */
  const renew = async (error: unknown): Promise<never> => {
    if (error instanceof ApiError && error.status === 412) {
      await forgetReplies();
      const now = queries.getQueryData(repliesQuery.queryKey)?.find((one) => one.replyId === of?.replyId);
      version.current = now?.version ?? version.current;
    }
    throw error;
  };
  const form = useForm({
    name: `reply ${of?.replyId ?? ""}`,
    initial: { scope: of?.scope ?? (mayShare ? "team" : "own"), shortcut: of?.shortcut ?? "", title: of?.title ?? "", content: of?.content ?? content },
    fields: ["scope", "shortcut", "title", "content"],
    save: async ({ scope, shortcut, title, content }, key) => {
      const body = { shortcut: shortcut.trim(), title: title.trim(), content };
      if (of) {
        await api.updateSavedReply({ id: of.replyId, body }, { ifMatch: `"${version.current}"` }).catch(renew);
      } else {
        await api.createSavedReply({ body: { ...body, scope: scope as "team" } }, { idempotencyKey: key });
      }
      await forgetReplies();
      close();
      tell(s("saved"));
    },
  });
  const { values, set, isConflict } = form;
  const isReady = !!values.shortcut.trim() && !!values.title.trim() && !!values.content.trim();
  return (
    <Dialog title={of ? s("replies.change") : s("replies.new")} close={close}>
      <Form form={form}>
        <Field name="title" label={s("replies.title")} value={values.title} change={(title) => set({ title })} isRequired autoFocus maxLength={200} />
        <Field name="shortcut" label={s("replies.shortcut")} value={values.shortcut} change={(shortcut) => set({ shortcut })} hint={s("replies.shortcutHint")} isRequired maxLength={40} isCode />
        <Field name="content" label={s("replies.content")} value={values.content} change={(content) => set({ content })} rows={8} hint={s("replies.contentHint")} isRequired maxLength={8_000} />
        {!of && mayShare && (
          <Select
            label={s("replies.scope")}
            value={values.scope}
            options={[
              ["team", s("replies.team")],
              ["own", s("replies.own")],
            ]}
            problem={form.fields.scope}
            change={(scope) => set({ scope: scope as "team" })}
          />
        )}
        {isConflict && (
          <p className="problem" role="alert">
            {s("conflict.short")}
          </p>
        )}
        <FormFooter actionLabel={s("save")} isDisabled={!isReady} close={close} />
      </Form>
    </Dialog>
  );
}
