// A dialog over the page: keeps the focus, closes by Escape or a press beside it, and gives the focus back.

import type { KeyboardEvent, ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";

import { dialog } from "./dialogs";
import { Icon } from "./parts";
import { t } from "./texts";

interface Props {
  title: string;
  kind?: string;
  children: ReactNode;
  close?: () => void;
}

export function Dialog({ title, kind = "", children, close = () => dialog.set(null) }: Props): ReactNode {
  // A field that is searched in would only be emptied.
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.stopPropagation();
    close();
  };
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && close()}>
      <Modal className={`modal ${kind}`}>
        <div className="window-keys" onKeyDownCapture={leave}>
          <AriaDialog className="dialog">
            <div className="dialog-head">
              <Heading slot="title">{title}</Heading>
              <AriaButton translate="no" className="act icon" aria-label={t("close")} onPress={close}>
                <Icon name="close" />
              </AriaButton>
            </div>
            {children}
          </AriaDialog>
        </div>
      </Modal>
    </ModalOverlay>
  );
}

/** Sends a form by Ctrl-Enter from its text field. */
export function submitByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
