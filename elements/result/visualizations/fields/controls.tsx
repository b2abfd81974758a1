import { useEffect, useState } from 'react';
import { chartTexts } from '../../../text/charts.ts';
import { degreeOf, type Setting } from '../chart/axes.ts';

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
}

/** A few values side by side, of which one is chosen; the arrow keys choose too. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onValue,
}: SegmentsProps<Value>) {
  const at = Math.max(
    0,
    options.findIndex(([one]) => one === value),
  );
  return (
    <span className="fields-control">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <span
        className="segments"
        role="radiogroup"
        aria-label={label}
        onKeyDown={(event) => {
          const by =
            event.key === 'ArrowRight' || event.key === 'ArrowDown'
              ? 1
              : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
                ? -1
                : 0;
          if (by === 0) return;
          event.preventDefault();
          event.stopPropagation();
          const next = (at + by + options.length) % options.length;
          onValue(options[next]![0]);
          event.currentTarget.querySelectorAll('button')[next]?.focus();
        }}
      >
        {options.map(([one, name], place) => (
          <button
            key={one}
            type="button"
            role="radio"
            aria-checked={place === at}
            tabIndex={place === at ? 0 : -1}
            onClick={() => onValue(one)}
          >
            {name}
          </button>
        ))}
      </span>
    </span>
  );
}

/** A setting that is on or off. */
export function Check({
  label,
  value,
  onValue,
}: {
  label: string;
  value: boolean;
  onValue: (value: boolean) => void;
}) {
  return (
    <label className="fields-control fields-check">
      <input type="checkbox" checked={value} onChange={(event) => onValue(event.target.checked)} />
      {label}
    </label>
  );
}

interface SavedFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  /** Characters it is wide. */
  size: number;
  /** The text as it is saved; `null` for one that cannot be, which gives way to the saved one. */
  accept: (text: string) => string | null;
  onSave: (text: string) => void;
}

/** A text that is saved by Enter or when the field is left; Escape takes back what was typed. */
export function SavedField({ label, value, placeholder, size, accept, onSave }: SavedFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const save = (): void => {
    const next = accept(text);
    setText(next ?? value);
    if (next !== null && next !== value) onSave(next);
  };
  return (
    <span className="input fields-input">
      <input
        aria-label={label}
        value={text}
        size={size}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') save();
          else if (event.key === 'Escape' && text !== value) {
            event.preventDefault();
            setText(value);
          }
        }}
      />
    </span>
  );
}

const statuses = ['default', 'rotate', 'hide'] as const;
/** Degrees have at most three digits. */
const mostDegrees = 999;

function degrees(text: string): string | null {
  const value = Number(text.trim().replace('\u2212', '-'));
  return text.trim() === '' || !Number.isFinite(value)
    ? null
    : String(Math.max(-mostDegrees, Math.min(mostDegrees, value)));
}

/** How the labels of the x axis stand: bar, area and line have this in common. */
export function XLabelControl({
  setting,
  save,
}: {
  setting: Setting;
  save: (patch: Setting) => void;
}) {
  const status = statuses.find((one) => one === setting['xLabelStatus']) ?? 'default';
  return (
    <span className="fields-control">
      <Segments
        label={chartTexts.xLabel}
        value={status}
        options={statuses.map((one) => [one, chartTexts.xLabels[one]] as const)}
        onValue={(xLabelStatus) => save({ xLabelStatus })}
      />
      {status === 'rotate' && (
        <SavedField
          label={chartTexts.degree}
          value={degreeOf(setting)}
          size={4}
          accept={degrees}
          onSave={(degree) => save({ rotate: { degree } })}
        />
      )}
    </span>
  );
}
