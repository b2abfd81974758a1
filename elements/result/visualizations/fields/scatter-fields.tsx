import type { ScatterConfig, TableColumn } from '@tiding/client/model';
import { Info } from 'lucide-react';
import { useId, useState } from 'react';
import { Icon } from '../../../ui/button.tsx';
import { resultText } from '../../texts.ts';
import { chartTexts } from '../chart/texts.ts';
import { FieldWells } from './field-wells.tsx';
import { ColumnChip } from './pivot-fields.tsx';

const uiText = resultText.fields;
const wells = ['xAxis', 'yAxis', 'group', 'size'] as const;

interface ScatterFieldsProps {
  columns: readonly TableColumn[];
  config: ScatterConfig;
  onConfig: (config: ScatterConfig) => void;
  texts: Pick<typeof chartTexts, 'axes' | 'axisHints' | 'setAs'>;
  /** Whether the size column has an effect. */
  sizeAllowed: boolean;
}

/** The four fields of a scatter chart. Each takes one column; adding another replaces it. */
export function ScatterFields({
  columns,
  config,
  onConfig,
  texts,
  sizeAllowed,
}: ScatterFieldsProps) {
  const [said, setSaid] = useState('');
  const info = useId();
  const [open, setOpen] = useState(false);
  return (
    <FieldWells
      columns={columns}
      announcement={said}
      wells={wells.map((id) => ({
        id,
        label: texts.axes[id],
        hint: texts.axisHints[id],
        add: texts.setAs[id],
        columns: config[id] ? [config[id]] : [],
        ...(id === 'size' && {
          unused: !sizeAllowed,
          info: (
            <button
              type="button"
              className="well-info bare"
              aria-label={chartTexts.sizeInfo}
              title={chartTexts.sizeInfo}
              aria-expanded={open}
              aria-controls={info}
              onClick={() => setOpen(!open)}
            >
              <Icon of={Info} size="xs" />
              {!sizeAllowed && config.size && (
                <span className="small-text dim">{chartTexts.sizeUnused}</span>
              )}
            </button>
          ),
        }),
      }))}
      onAdd={(well, { name, index, aggr = 'sum' }) => {
        onConfig({ ...config, [well]: { name, index, aggr } });
        setSaid(uiText.added(name, texts.axes[well]));
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
            setSaid(uiText.removed(column.name, texts.axes[well]));
          }}
        />
      )}
    >
      {open && (
        <p id={info} className="small-text dim">
          {chartTexts.sizeInfo}
        </p>
      )}
    </FieldWells>
  );
}
