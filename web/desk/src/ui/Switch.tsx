// Something that is on or off.

import type { ReactNode } from "react";
import { Switch as AriaSwitch } from "react-aria-components/Switch";

interface Props {
  isOn: boolean;
  change: (to: boolean) => void;
  children: ReactNode;
}

export function Switch({ isOn, change, children }: Props): ReactNode {
  return (
    <AriaSwitch translate="no" className="switch" isSelected={isOn} onChange={change}>
      <span className="track" />
      <span className="switch-text">{children}</span>
    </AriaSwitch>
  );
}
