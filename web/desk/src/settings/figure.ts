// A figure of the company, as the page of figures and its pictures show it.

import type { AnalyticsCounts } from "../api/client";

/** One figure: its value from the counts, and what stands above and below the line of the division. */
export interface Figure {
  id: "sessions" | "contained" | "escalated" | "firstResponse" | "handle" | "coverage" | "satisfaction";
  above: (counts: AnalyticsCounts) => number;
  /** Null if the figure is a number of things. */
  below: ((counts: AnalyticsCounts) => number) | null;
  write: (value: number) => string;
  /** The top of the picture, if it is known. */
  top?: number;
}

/** The value of a figure; null if there was nothing to divide by. */
export function valueOf(figure: Figure, counts: AnalyticsCounts): number | null {
  if (!figure.below) return figure.above(counts);
  const below = figure.below(counts);
  return below ? figure.above(counts) / below : null;
}
