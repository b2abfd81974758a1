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
  home: 188_300,
  /** Home with a warm cache, with the headers of the answers. */
  homeAgain: 3_450,
  /** A note with one result, cold, until nothing more is requested. */
  note: 496_100,
  /** The page of one paragraph in a frame, cold. */
  frame: 261_500,
  /** `<tiding-paragraph>` with a text in layout embed, for a user who may edit it. */
  embed: 240_700,
  /**
   * Elements by tag in a host page, with React. Paragraphs and the notebook have a token of the
   * scope `view` and show their code; paragraphs as the server shows them first.
   */
  text: 108_900,
  table: 110_700,
  chart: 111_000,
  /** The view of a chart, which the page loads when it is touched. */
  chartView: 561_400,
  /** Fifty tables of a note. */
  many: 113_900,
  /** The same in the layout report. */
  readText: 107_500,
  readTable: 107_500,
  readChart: 108_000,
  /** Rows of the page as a table with its toolbar, and as a chart. */
  output: 180_800,
  plainChart: 389_200,
  profile: 158_700,
  card: 180_900,
  notebook: 630_900,
  /** The same elements, bundled by Vite. */
  viteText: 105_800,
  viteTable: 107_700,
  viteChartView: 583_200,
  viteProfile: 161_300,
  viteCard: 176_100,
  viteNotebook: 642_400,
  viteOutput: 190_500,
  vitePlainChart: 380_700,
};

/** Fails if an entry has grown beyond its budget. */
export function expectWithinBudget(entry: keyof typeof budgets, bytes: number): void {
  const budget = budgets[entry];
  console.log(`${entry}: ${bytes} bytes gzip, budget ${budget}`);
  expect(bytes, `bytes of ${entry}, gzip`).toBeLessThanOrEqual(budget * GROWTH);
}
