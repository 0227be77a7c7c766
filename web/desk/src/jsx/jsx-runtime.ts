// React's elements, in which each text is the only child of its element. Browsers that translate a page replace its text
// nodes. React finds such a text by its element; one that stands beside others, or that a component gives, it would look
// for in vain, and take the whole page away. Every file of the desk is compiled with this (`jsxImportSource`).

import { createElement, type ElementType, type Key, type ReactElement, type ReactNode } from "react";
import { Fragment, jsx as element, jsxs as elements } from "react/jsx-runtime";

export { Fragment };
export type { JSX } from "react/jsx-runtime";

type Props = { children?: ReactNode; translate?: "no" };

/** Of the browser's own controls and of keys and codes, nothing is translated: what is typed or chosen goes to the service. */
const KEPT = new Set<ElementType>(["input", "textarea", "select", "kbd", "code"]);

const kept = (type: ElementType, props: Props): Props => (KEPT.has(type) ? { translate: "no", ...props } : props);

const isText = (child: ReactNode): child is string | number => (typeof child === "string" && child !== "") || typeof child === "number";
const isNothing = (child: ReactNode): boolean => child === null || child === undefined || typeof child === "boolean" || child === "";

function own(child: ReactNode, key?: Key): ReactNode {
  if (Array.isArray(child)) return child.some(isText) ? child.map((one, at) => own(one, `text ${at}`)) : child;
  return isText(child) ? createElement("desk-text", { key }, child) : child;
}

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  const { children } = props;
  const shown = typeof type === "string" && isText(children) ? children : own(children);
  return element(type, shown === children ? kept(type, props) : { ...kept(type, props), children: shown }, key);
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  const children = props.children as ReactNode[];
  // Of texts alone, one: also an `option` holds nothing else.
  const isOneText = typeof type === "string" && children.every((child) => isText(child) || isNothing(child));
  if (isOneText) return element(type, { ...kept(type, props), children: children.filter(isText).join("") }, key);
  return elements(type, { ...kept(type, props), children: children.map((child) => own(child)) }, key);
}
