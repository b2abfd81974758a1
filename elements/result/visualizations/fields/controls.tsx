import { Segments } from '../../../ui/segments.tsx';
import { useTypedText } from '../../../ui/use-typed-text.ts';
import { degreeOf, type ViewSetting } from '../chart/axes.ts';
import { chartTexts } from '../chart/texts.ts';

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
}

/** Segmented radio buttons; the arrow keys change the value too. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onValue,
}: SegmentsProps<Value>) {
  return (
    <span className="fields-control">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <Segments label={label} value={value} options={options} onValue={onValue} />
    </span>
  );
}

/** A labelled checkbox. */
export function CheckboxControl({
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
  /** Width in characters. */
  size: number;
  /** Converts the text to its stored form; `null` rejects it and restores the stored text. */
  accept: (text: string) => string | null;
  onSave: (text: string) => void;
}

/** Text field that saves on Enter or blur; Escape restores the stored text. */
export function SavedField({ label, value, placeholder, size, accept, onSave }: SavedFieldProps) {
  const { typed, setTyped, told } = useTypedText(value);
  const save = (text: string): void => {
    const next = accept(text);
    setTyped(next ?? told.current);
    if (next === null || next === told.current) return;
    told.current = next;
    onSave(next);
  };
  return (
    <span className="input fields-input">
      <input
        aria-label={label}
        value={typed}
        size={size}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={(event) => save(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') save(event.currentTarget.value);
          else if (event.key === 'Escape' && typed !== told.current) {
            event.preventDefault();
            setTyped(told.current);
          }
        }}
      />
    </span>
  );
}

const statuses = ['default', 'rotate', 'hide'] as const;
/** Maximum angle; the field has room for three digits. */
const mostDegrees = 999;

function degrees(text: string): string | null {
  const value = Number(text.trim().replace('\u2212', '-'));
  return text.trim() === '' || !Number.isFinite(value)
    ? null
    : String(Math.max(-mostDegrees, Math.min(mostDegrees, value)));
}

/** Setting for the labels of the x axis, shared by bar, area and line charts. */
export function XLabelControl({
  setting,
  save,
}: {
  setting: ViewSetting;
  save: (patch: ViewSetting) => void;
}) {
  const status = statuses.find((one) => one === setting['xLabelStatus']) ?? 'default';
  return (
    <span className="fields-control">
      <SegmentedControl
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
