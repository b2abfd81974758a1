import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { LabelledChoice } from '../../../ui/fields/labelled.tsx';
import { formatInteger } from '../../parts/numbers.ts';
import { type defaultNetworkSettings, minimumSettings, type NetworkSettings } from './settings.ts';
import { networkTexts as uiText } from './texts.ts';

type Name = keyof typeof defaultNetworkSettings;

/** Makes a value for each setting that is a number. */
const eachNumber = <Value,>(make: (name: Name) => Value): Record<Name, Value> => ({
  timeout: make('timeout'),
  charge: make('charge'),
  linkDistance: make('linkDistance'),
  minScale: make('minScale'),
});

interface PanelProps {
  settings: NetworkSettings;
  /** Data fields that can be written at the nodes, by node label. */
  keys: ReadonlyMap<string, readonly string[]>;
  onSave: (settings: NetworkSettings) => void;
}

/** Settings form of the network view; changes apply when saved. */
export function SettingsPanel({ settings, keys, onSave }: PanelProps) {
  const [numbers, setNumbers] = useState(() => eachNumber((name) => String(settings[name])));
  const [fields, setFields] = useState(settings.fields);
  const faults = eachNumber((name) => faultOf(name, numbers[name]));
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (Object.values(faults).some((fault) => fault !== '')) return;
    onSave({ ...eachNumber((name) => Number(numbers[name])), fields });
  };
  const number = (name: Name, label: string) => (
    <NumberField
      label={label}
      value={numbers[name]}
      fault={faults[name]}
      onValue={(value) => setNumbers({ ...numbers, [name]: value })}
    />
  );
  return (
    <form className="network-settings" onSubmit={save} noValidate>
      <fieldset>
        <legend>{uiText.chooseLabels}</legend>
        {keys.size === 0 && <p className="secondary-text">{uiText.noLabels}</p>}
        {[...keys].map(([label, names]) => {
          const selected = (Object.hasOwn(fields, label) ? fields[label] : undefined) ?? 'label';
          return (
            <LabelledChoice
              key={label}
              label={<bdi>{label}</bdi>}
              value={selected}
              options={[...new Set([...names, selected])]}
              onValue={(name) => setFields({ ...fields, [label]: name })}
            />
          );
        })}
      </fieldset>
      <fieldset>
        <legend>{uiText.forceLayout}</legend>
        {number('timeout', uiText.timeout)}
        {number('charge', uiText.charge)}
        {number('linkDistance', uiText.linkDistance)}
      </fieldset>
      <fieldset>
        <legend>{uiText.globals}</legend>
        {number('minScale', uiText.minScale)}
      </fieldset>
      <div className="network-save">
        <Button type="submit" kind="secondary">
          {uiText.save}
        </Button>
      </div>
    </form>
  );
}

function faultOf(name: Name, text: string): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return uiText.notNumber;
  return value < minimumSettings[name] ? uiText.tooSmall(formatInteger(minimumSettings[name])) : '';
}

function NumberField({
  label,
  value,
  fault,
  onValue,
}: {
  label: string;
  value: string;
  fault: string;
  onValue: (value: string) => void;
}) {
  const id = useId();
  return (
    <label className="field">
      <span className="label">{label}</span>
      <span className={fault ? 'input error' : 'input'}>
        <input
          inputMode="decimal"
          value={value}
          aria-invalid={fault !== ''}
          aria-describedby={fault ? id : undefined}
          onChange={(event) => onValue(event.target.value)}
        />
      </span>
      {fault && (
        <span id={id} className="hint error">
          {fault}
        </span>
      )}
    </label>
  );
}
