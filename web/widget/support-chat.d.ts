// The interface of `<support-chat>` to a page.

/** The look of the chat, as the tenant set it; null where a part is the chat's own. */
export interface Appearance {
  /** `#rrggbb`. */
  color: string | null;
  name: string | null;
  position: "left" | "right" | null;
  logoUrl: string | null;
}

/** The answer of `POST /auth/widget-token`, as your server passes it on. */
export interface WidgetToken {
  token: string;
  expiresIn: number;
  externalUserId: string;
  latestSessionId?: string | null;
  texts?: { greeting?: string | null; notice?: string };
  sourceUrlTemplate?: string | null;
  showsImages?: boolean;
  suggestions?: string[];
  appearance?: Appearance | null;
  peopleAvailable?: boolean;
  nextOpenAt?: string | null;
}

export class SupportChat extends HTMLElement {
  /** Fetches the token from your server, instead of the attribute `token-url`. */
  getToken: ((signal: AbortSignal) => Promise<WidgetToken>) | null;
  /** Texts in place of the widget's own, by the keys of `languages/en.json`; set before the chat is opened. */
  texts: Record<string, string>;
  /** Whether the panel is open; the attribute of the same name says how it begins. Setting it takes no focus from the page. */
  open: boolean;
  /** Opens the panel and gives it the focus. */
  show(): void;
  /** Closes the panel and gives the focus back. */
  close(): void;
  toggle(): void;
  /** Sends a message in the visitor's name, and opens the panel. */
  send(content: string): void;
  /** Forgets the visitor: call it when your user signs out. */
  logout(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "support-chat": SupportChat;
  }
}
