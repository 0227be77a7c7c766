"use client";

import type { SupportChat } from "@support-assistant/chat";
import { type DetailedHTMLProps, type HTMLAttributes, useEffect, useRef } from "react";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "support-chat": DetailedHTMLProps<HTMLAttributes<SupportChat>, SupportChat> & { api: string; "token-url": string };
    }
  }
}

/** Stands once, outside of what the router replaces. Its script is in the HTML. `userId` is that of the signed-in user. */
export function Chat({ api, userId }: { api: string; userId: string | null }) {
  const chat = useRef<SupportChat>(null);
  const before = useRef(userId);
  useEffect(() => {
    if (before.current === userId) return;
    before.current = userId;
    // Forgets the token and the conversation of the user before.
    customElements.whenDefined("support-chat").then(() => chat.current?.logout());
  }, [userId]);
  return <support-chat ref={chat} api={api} token-url="/support-chat/token" />;
}
