// Saved replies, found by shortcut, title or words, and inserted with their variables replaced.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { SearchField } from "react-aria-components/SearchField";

import type { Conversation } from "../inbox/data";
import { explain, codeOf } from "../inbox/failures";
import { signIn } from "../signin/session";
import { Dialog } from "../ui/Dialog";
import { dialog } from "../ui/dialogs";
import { tell } from "../ui/notices";
import { named, straight, t } from "../ui/texts";
import { fillReply, insert, needsName } from "./insert";
import { repliesQuery } from "./replies";

export function SavedReplies({ conversation }: { conversation: Conversation }): ReactNode {
  const { contains } = useFilter({ sensitivity: "base" });
  const { data: replies, error } = useQuery(repliesQuery);
  const { session, escalation } = conversation;
  const choose = (id: React.Key) => {
    const reply = replies?.find((one) => one.replyId === id);
    if (!reply) return;
    const customer = session.user?.name ?? escalation?.customer.name ?? null;
    const agent = signIn.get().desk?.member.publicName ?? null;
    dialog.set(null);
    setTimeout(() => insert(session.sessionId, fillReply(reply.content, { customer, agent })));
    if (needsName(reply.content, customer)) tell(t("reply.nameLeftOut"));
  };
  return (
    <Dialog title={t("act.savedReply")} kind="high">
      <Autocomplete filter={contains}>
        <SearchField className="search" aria-label={t("reply.field")} autoFocus>
          <Input translate="no" placeholder={t("reply.field")} />
        </SearchField>
        <ListBox
          className="menu tall"
          aria-label={t("act.savedReply")}
          selectionMode="none"
          onAction={choose}
          renderEmptyState={() => <p className="quiet">{error ? explain(codeOf(error)) : replies ? t("reply.none") : t("loading")}</p>}
        >
          {(replies ?? []).map((one) => (
            <ListBoxItem
              key={one.replyId}
              id={one.replyId}
              className="menu-item reply-item"
              textValue={`${one.shortcut} ${one.title} ${one.content}`}
            >
              <span>
                <bdi className="reply-title">{straight(one.title)}</bdi> <span className="path">/{one.shortcut}</span>{" "}
                {one.scope === "own" && <span className="mark">{named("reply", one.scope)}</span>}
              </span>
              <span className="reply-text" dir="auto">
                {straight(one.content)}
              </span>
            </ListBoxItem>
          ))}
        </ListBox>
      </Autocomplete>
    </Dialog>
  );
}
