import { resultText } from '../../texts.ts';

interface HiddenTableProps {
  /** Title of the chart. */
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** What the table doesn't contain. */
  more: readonly string[];
}

/** Visually hidden table of the drawn values for screen readers. */
export const HiddenTable = ({ title, head, rows, more }: HiddenTableProps) => (
  <div className="visually-hidden">
    <table>
      <caption>{resultText.chart.data(title)}</caption>
      <thead>
        <tr>
          {head.map((name, at) => (
            <th key={at} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...cells], row) => (
          <tr key={row}>
            <th scope="row">{first}</th>
            {cells.map((cell, at) => (
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
        {more.map((note) => (
          <tr key={note}>
            <td colSpan={head.length}>{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Maximum length of a chart as text, in characters. */
const MAX_TEXT = 20_000;

/** Returns the title and the values of a chart as lines of text, from its hidden table. */
export function hiddenText(chart: HTMLElement): string {
  const table = chart.querySelector<HTMLTableElement>('.visually-hidden > table');
  const lines = [...(table?.rows ?? [])].map(({ cells }) =>
    [...cells].map(({ textContent }) => textContent).join('\t'),
  );
  return [table?.caption?.textContent, ...lines].join('\n').slice(0, MAX_TEXT);
}
