// A fault in a part of the page takes that part alone, and says so. What is written is kept as it is typed; a reload brings
// it back.

import { Component, type ReactNode } from "react";

import { saveAll } from "../writing/drafts";
import { Button } from "./parts";
import { t } from "./texts";

interface Props {
  /** The thing that is shown: another one is tried anew. */
  of?: string | null;
  /** Whether it is all of the page under its head. */
  isArea?: boolean;
  children: ReactNode;
}

export class Boundary extends Component<Props, { hasFailed: boolean }> {
  state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  componentDidCatch(): void {
    void saveAll();
  }

  componentDidUpdate({ of }: Props): void {
    if (this.state.hasFailed && of !== this.props.of) this.setState({ hasFailed: false });
  }

  render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return this.props.isArea ? <main className="panes">{failed()}</main> : failed();
  }
}

const failed = (): ReactNode => (
  <section className="conversation nothing failed" role="alert">
    <p>{t("failed.text")}</p>
    <Button kind="primary" onPress={() => location.reload()}>
      {t("failed.reload")}
    </Button>
  </section>
);
