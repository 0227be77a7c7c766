// A button that shows a conversation over the page: a writer of an entry reads what was said, and writes on.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import { api } from "../api/client";
import { TurnView } from "../inbox/TurnView";
import { QueryResult } from "../settings/parts";
import { hasRole } from "../signin/session";
import { Dialog } from "../ui/Dialog";
import { Button } from "../ui/parts";
import { PlaceLink } from "../ui/PlaceLink";
import { k } from "./texts";

interface Props {
  sessionId: string;
  /** The message that is looked for. */
  messageId?: string;
}

export function ConversationButton(props: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="text" onPress={() => setOpen(true)}>
        {k("conversation.show")}
      </Button>
      {isOpen && <Conversation {...props} close={() => setOpen(false)} />}
    </>
  );
}

function Conversation({ sessionId, messageId, close }: Props & { close: () => void }): ReactNode {
  const turns = useQuery({
    queryKey: ["turns", sessionId],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => api.listMessages({ id: sessionId }),
  });
  useEffect(() => {
    if (turns.data && messageId) document.querySelector(`.dialog #${messageId}`)?.scrollIntoView({ block: "center" });
  }, [turns.data, messageId]);
  return (
    <Dialog title={k("conversation")} kind="wide" close={close}>
      <div className="turns" tabIndex={0} role="region" aria-label={k("conversation")}>
        <QueryResult of={turns}>
          {(found) => (
            <ol>
              {found.items.map((turn) => (
                <TurnView key={turn.messageId} turn={turn} />
              ))}
            </ol>
          )}
        </QueryResult>
      </div>
      <div className="dialog-foot">
        {hasRole("admin", "agent") && (
          <PlaceLink to={{ sessionId }} kind="act">
            {k("conversation.open")}
          </PlaceLink>
        )}
        <Button kind="primary" onPress={close}>
          {k("conversation.back")}
        </Button>
      </div>
    </Dialog>
  );
}
