import { Info } from 'lucide-react';
import { useId, useState } from 'react';
import type { ScatterConfig, TableColumn } from 'tiding/model';
import { chartTexts } from '../../../text/charts.ts';
import { Icon } from '../../../ui/button.tsx';
import { resultText } from '../../text.ts';
import { ColumnChip } from './fields.tsx';
import { Wells } from './wells.tsx';

const words = resultText.fields;
const wells = ['xAxis', 'yAxis', 'group', 'size'] as const;

interface ScatterFieldsProps {
  columns: readonly TableColumn[];
  config: ScatterConfig;
  onConfig: (config: ScatterConfig) => void;
  /** The size has a say. */
  sizeAllowed: boolean;
}

/** The four places of a scatter chart, one column each: another replaces it. */
export function ScatterFields({ columns, config, onConfig, sizeAllowed }: ScatterFieldsProps) {
  const [said, setSaid] = useState('');
  const info = useId();
  const [open, setOpen] = useState(false);
  return (
    <Wells
      columns={columns}
      said={said}
      wells={wells.map((id) => ({
        id,
        label: chartTexts.axes[id],
        hint: chartTexts.axisHints[id],
        add: chartTexts.setAs[id],
        columns: config[id] ? [config[id]] : [],
        ...(id === 'size' && {
          unused: !sizeAllowed,
          info: (
            <button
              type="button"
              className="well-info"
              aria-label={chartTexts.sizeInfo}
              title={chartTexts.sizeInfo}
              aria-expanded={open}
              aria-controls={info}
              onClick={() => setOpen(!open)}
            >
              <Icon of={Info} size="xs" />
              {!sizeAllowed && config.size && (
                <span className="well-hint">{chartTexts.sizeUnused}</span>
              )}
            </button>
          ),
        }),
      }))}
      onAdd={(well, { name, index, aggr = 'sum' }) => {
        onConfig({ ...config, [well]: { name, index, aggr } });
        setSaid(words.added(name, chartTexts.axes[well]));
      }}
      onMove={(from, _, to) => {
        if (from !== to) onConfig({ ...config, [from]: null, [to]: config[from] });
      }}
      chip={(well, column, _, drag) => (
        <ColumnChip
          column={column}
          drag={drag}
          onRemove={() => {
            onConfig({ ...config, [well]: null });
            setSaid(words.removed(column.name, chartTexts.axes[well]));
          }}
        />
      )}
    >
      {open && (
        <p id={info} className="fields-settings well-hint">
          {chartTexts.sizeInfo}
        </p>
      )}
    </Wells>
  );
}
