import { useState } from 'react';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';
import { formatInteger } from '../../numbers.ts';
import { Popover } from './popover.tsx';
import type { RowColumn } from './row-source.ts';
import { tableOptions, type TableState } from './settings.ts';
import type { ChangeState } from './use-table-state.ts';

/** Columns listed at once. */
const listed = 200;

interface OptionsPanelProps {
  state: TableState;
  change: ChangeState;
  reset: () => void;
  columns: readonly RowColumn[];
  anchor: () => DOMRect | undefined;
  onClose: () => void;
}

/** Options of the table, and which of its columns are shown. Everything acts at once. */
export function OptionsPanel({
  state,
  change,
  reset,
  columns,
  anchor,
  onClose,
}: OptionsPanelProps) {
  const words = texts.grid;
  const [wanted, setWanted] = useState('');
  const needle = wanted.trim().toLowerCase();
  const found = state.order.filter(
    (index) => columns[index] && columns[index].name.toLowerCase().includes(needle),
  );
  const show = (indices: readonly number[], shown: boolean): void =>
    change(({ hidden }) => {
      const next = new Set(hidden);
      for (const index of indices) {
        if (shown) next.delete(index);
        else next.add(index);
      }
      return { hidden: next };
    });
  return (
    <Popover anchor={anchor} label={words.options} className="options" onClose={onClose}>
      <table>
        <caption>{words.options}</caption>
        <thead>
          <tr>
            <th scope="col">{words.optionName}</th>
            <th scope="col">{words.optionValue}</th>
          </tr>
        </thead>
        <tbody>
          {tableOptions.map((name) => (
            <tr key={name}>
              <th scope="row">
                {words.optionNames[name]}
                <small>{words.optionHints[name]}</small>
              </th>
              <td>
                <input
                  type="checkbox"
                  aria-label={words.optionNames[name]}
                  checked={state.options[name]}
                  onChange={(event) =>
                    change({ options: { ...state.options, [name]: event.target.checked } })
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <fieldset>
        <legend>{words.chooseColumns}</legend>
        <div className="grid-panel-row">
          {columns.length > 8 && (
            <input
              type="search"
              className="grid-filter"
              aria-label={words.findColumn}
              placeholder={words.findColumn}
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
          )}
          <Button size="sm" onClick={() => show(found, true)}>
            {words.showAll}
          </Button>
          <Button size="sm" onClick={() => show(found, false)}>
            {words.hideAll}
          </Button>
        </div>
        <div className="grid-column-list">
          {found.slice(0, listed).map((index) => (
            <label key={index}>
              <input
                type="checkbox"
                checked={!state.hidden.has(index)}
                onChange={(event) => show([index], event.target.checked)}
              />{' '}
              {columns[index]!.name}
            </label>
          ))}
          {found.length > listed && (
            <p className="dim">{words.moreColumns(formatInteger(found.length - listed))}</p>
          )}
        </div>
      </fieldset>
      <Button size="sm" kind="secondary" onClick={reset}>
        {words.restore}
      </Button>
    </Popover>
  );
}
