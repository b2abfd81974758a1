import { chooseByArrow } from './choice-keys.ts';

/** Radio buttons in a row, of which one is chosen with a click or the arrow keys. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  className = 'segments',
  onValue,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  className?: string;
  onValue: (value: Value) => void;
}) {
  const at = Math.max(
    0,
    options.findIndex(([each]) => each === value),
  );
  return (
    <div
      className={className}
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) =>
        chooseByArrow(event, at, options.length, (next) => onValue(options[next]![0]))
      }
    >
      {options.map(([each, text], place) => (
        <button
          key={each}
          type="button"
          role="radio"
          aria-checked={place === at}
          tabIndex={place === at ? 0 : -1}
          onClick={() => onValue(each)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
