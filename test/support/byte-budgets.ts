/**
 * Bytes that each entry loads, compressed with gzip at level 9, as measured when the budget was
 * last changed. A change that makes an entry grow by 3 % fails; one that saves as much should lower
 * the figure.
 */
import { expect } from 'vitest';

/** How much an entry may grow before its budget must be changed. */
const GROWTH = 1.03;

const budgets = {
  /** `@tiding/client`, to start: the static imports of its entry. */
  client: 13_930,
  /** `<tiding-profile>` with its data in the page, bundled by a host, without React. */
  widget: 59_627,
  /** A component and the provider of `@tiding/elements/react`, without React and the element. */
  react: 2_464,
  /** A page with `useRows` that draws a table, and with `usePivot`, by Vite, without React. */
  ownTable: 11_050,
  ownChart: 16_900,
  /** Home with a cold cache: document, scripts, styles, font and calls. */
  home: 192_000,
  /** Home with a warm cache, with the headers of the answers. */
  homeAgain: 3_450,
  /** A note with one result, cold, until nothing more is requested. */
  note: 497_800,
  /** The page of one paragraph in a frame, cold. */
  frame: 262_700,
  /** `<tiding-paragraph>` with a text in layout embed, for a user who may edit it. */
  embed: 242_000,
  /**
   * Elements by tag in a host page, with all that they load. Paragraphs and the notebook have a
   * token of the scope `view` and show their code; paragraphs as the server shows them first,
   * without React.
   */
  text: 36_400,
  table: 38_300,
  chart: 38_400,
  /** The view of a chart, which the page loads when it is touched. */
  chartView: 563_200,
  /** Fifty tables of a note. */
  many: 41_400,
  /** The same in the layout report. */
  readText: 35_000,
  readTable: 35_000,
  readChart: 35_600,
  /** Rows of the page as a table with its toolbar, and as a chart. */
  output: 182_800,
  plainChart: 390_900,
  profile: 160_000,
  card: 185_600,
  notebook: 632_600,
  /** The same elements, bundled by Vite. */
  viteText: 36_700,
  viteTable: 38_600,
  viteChartView: 587_700,
  viteProfile: 167_000,
  viteCard: 181_300,
  viteNotebook: 666_400,
  viteOutput: 194_700,
  vitePlainChart: 384_500,
};

/** Fails if an entry has grown beyond its budget. */
export function expectWithinBudget(entry: keyof typeof budgets, bytes: number): void {
  const budget = budgets[entry];
  console.log(`${entry}: ${bytes} bytes gzip, budget ${budget}`);
  expect(bytes, `bytes of ${entry}, gzip`).toBeLessThanOrEqual(budget * GROWTH);
}
