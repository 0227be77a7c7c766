// The dialog that keeps a text being written as a saved reply. Loaded when it is asked for, with the texts of the settings.

import type { ReactNode } from "react";

import { dialog } from "../ui/dialogs";
import { ReplyForm } from "./ReplyForm";
import { loadSettingsTexts } from "./texts";
import "./settings.css";

// Before anything of this module is drawn.
await loadSettingsTexts();

export default function SaveReply({ content }: { content: string }): ReactNode {
  return <ReplyForm content={content} close={() => dialog.set(null)} />;
}
