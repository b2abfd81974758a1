import type { RowColumn } from '@tiding/client/model';
import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { formatInteger } from '../../../parts/numbers.ts';
import { tableOptions } from '../state/table-settings.ts';
import type { TableSettings } from '../state/use-table-state.ts';
import { gridTexts } from '../texts.ts';
import { Popover } from './popover.tsx';

/** Maximum number of columns listed. */
const listed = 200;

interface OptionsPanelProps {
  settings: TableSettings;
  columns: readonly RowColumn[];
  anchor: () => DOMRect | undefined;
  onClose: () => void;
}

/** Panel with the table's options and the list of columns to show. Changes apply immediately. */
export function OptionsPanel({ settings, columns, anchor, onClose }: OptionsPanelProps) {
  const { state, change, reset } = settings;
  const [wanted, setWanted] = useState('');
  const needle = wanted.trim().toLowerCase();
  const found = state.order.filter((index) => columns[index]?.name.toLowerCase().includes(needle));
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
    <Popover anchor={anchor} label={gridTexts.options} className="options" onClose={onClose}>
      <table>
        <caption>{gridTexts.options}</caption>
        <thead>
          <tr>
            <th scope="col">{gridTexts.optionName}</th>
            <th scope="col">{gridTexts.optionValue}</th>
          </tr>
        </thead>
        <tbody>
          {tableOptions.map((name) => (
            <tr key={name}>
              <th scope="row">
                {gridTexts.optionNames[name]}
                <small className="small-text dim">{gridTexts.optionHints[name]}</small>
              </th>
              <td>
                <input
                  type="checkbox"
                  aria-label={gridTexts.optionNames[name]}
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
        <legend>{gridTexts.chooseColumns}</legend>
        <div className="grid-panel-row">
          {columns.length > 8 && (
            <input
              type="search"
              className="grid-filter"
              aria-label={gridTexts.findColumn}
              placeholder={gridTexts.findColumn}
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
          )}
          <Button size="sm" onClick={() => show(found, true)}>
            {gridTexts.showAll}
          </Button>
          <Button size="sm" onClick={() => show(found, false)}>
            {gridTexts.hideAll}
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
            <p className="dim">{gridTexts.moreColumns(formatInteger(found.length - listed))}</p>
          )}
        </div>
      </fieldset>
      <Button size="sm" kind="secondary" onClick={reset}>
        {gridTexts.restore}
      </Button>
    </Popover>
  );
}
