// The order of the lines, as the person chose it: that of the service, or by when customers wrote.

import { Observable } from "../store/observable";
import type { List, Row } from "./data";

export const ORDERS = ["usual", "longest", "newest"] as const;
export type Order = (typeof ORDERS)[number];

export const order = new Observable<Order>("usual");

const wrote = (row: Row): string => row.wroteAt ?? row.since;
/** Those that a person has answered last come after the others. */
const isAnswered = (row: Row): number => Number(row.words?.role === "agent");

const compare = {
  longest: (a: Row, b: Row) => isAnswered(a) - isAnswered(b) || wrote(a).localeCompare(wrote(b)),
  newest: (a: Row, b: Row) => wrote(b).localeCompare(wrote(a)),
};

export const inOrder = (list: List | undefined, by: Order): List | undefined => (list && by !== "usual" ? { ...list, items: [...list.items].sort(compare[by]) } : list);
