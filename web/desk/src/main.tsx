// The desk: the page where a company's people answer their customers.

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { I18nProvider } from "react-aria-components/I18nProvider";

import { Desk, DeskWithoutInbox } from "./Desk";
import { queries } from "./inbox/data";
import { SignInPage } from "./signin/SignInPage";
import { hasRole, signIn, start } from "./signin/session";
import { useObservable } from "./store/observable";
import { Boundary } from "./ui/Boundary";
import { dateLocale, loadTexts, t } from "./ui/texts";
import "./desk.css";

function Page(): ReactNode {
  const { state } = useObservable(signIn);
  if (state === "starting") {
    return (
      <main className="sign-in" aria-busy="true">
        <p role="status">{t("loading")}</p>
      </main>
    );
  }
  if (state === "out") return <SignInPage />;
  return hasRole("admin", "agent") ? <Desk /> : <DeskWithoutInbox />;
}

await loadTexts();
document.title = t("title");
void start();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <I18nProvider locale={dateLocale()}>
        <QueryClientProvider client={queries}>
          <Boundary isArea>
            <Page />
          </Boundary>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}
