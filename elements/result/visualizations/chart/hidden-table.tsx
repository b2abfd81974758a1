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
