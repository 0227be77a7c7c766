// Saved replies: which there are, writing one, changing one, and deleting one.

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, type SavedReply } from "../api/client";
import { hasRole } from "../signin/session";
import { tell } from "../ui/notices";
import { Button } from "../ui/parts";
import { straight } from "../ui/texts";
import { forgetReplies, repliesQuery } from "../writing/replies";
import { ConfirmDialog, QueryResult } from "./parts";
import { ReplyForm } from "./ReplyForm";
import { s } from "./texts";

export function Replies(): ReactNode {
  const replies = useQuery({ ...repliesQuery, staleTime: 0 });
  const [asked, setAsked] = useState<{ act: "new" | "change" | "delete"; of?: SavedReply } | null>(null);
  const close = () => setAsked(null);
  const { act, of } = asked ?? {};
  return (
    <>
      <p className="lead">{s("replies.lead")}</p>
      <Button kind="primary" onPress={() => setAsked({ act: "new" })}>
        {s("replies.new")}
      </Button>
      <QueryResult of={replies}>
        {(items) => <ReplyTable items={items} change={(of) => setAsked({ act: "change", of })} remove={(of) => setAsked({ act: "delete", of })} />}
      </QueryResult>
      {(act === "new" || act === "change") && <ReplyForm of={of} close={close} />}
      {act === "delete" && of && (
        <ConfirmDialog
          name={`reply-delete ${of.replyId}`}
          title={s("replies.delete")}
          text={s("replies.deleteText", { name: straight(of.title) })}
          actionLabel={s("replies.delete")}
          close={close}
          run={async () => {
            await api.deleteSavedReply({ id: of.replyId });
            await forgetReplies();
            tell(s("replies.deleted", { name: straight(of.title) }));
          }}
        />
      )}
    </>
  );
}

interface TableProps {
  items: SavedReply[];
  change: (of: SavedReply) => void;
  remove: (of: SavedReply) => void;
}

function ReplyTable({ items, change, remove }: TableProps): ReactNode {
  if (!items.length) return <p className="empty">{s("replies.none")}</p>;
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{s("replies.title")}</th>
          <th>{s("replies.shortcut")}</th>
          <th>{s("replies.scope")}</th>
          <th>
            <span className="said">{s("acts")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={one.replyId}>
            <th scope="row">
              <bdi>{straight(one.title)}</bdi>
            </th>
            <td data-label={s("replies.shortcut")}>
              <code>/{one.shortcut}</code>
            </td>
            <td data-label={s("replies.scope")}>{one.scope === "own" ? s("replies.own") : s("replies.team")}</td>
            <td className="end">
              {(one.scope === "own" || hasRole("admin", "trainer")) && (
                <>
                  <Button kind="quiet" aria-label={s("replies.changeOne", { name: straight(one.title) })} onPress={() => change(one)}>
                    {s("replies.edit")}
                  </Button>
                  <Button kind="quiet" aria-label={s("replies.deleteOne", { name: straight(one.title) })} onPress={() => remove(one)}>
                    {s("delete")}
                  </Button>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
