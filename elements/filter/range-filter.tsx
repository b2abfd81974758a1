import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { PortalSignals } from '../portal/signals.ts';
import { portalTexts } from '../portal/texts.ts';
import { numberSpan, typedNumber } from '../result/rows/filter-range.ts';
import { useEvent } from '../runtime/hooks.ts';
import { Button } from '../ui/button.tsx';
import { type QuickRange, quickRanges } from './quick-ranges.ts';

const texts = portalTexts.filter;
/** Delay between the last key press and filtering, in ms. */
const TYPING_PAUSE_MS = 300;

/** The bounds of a range. */
export type Range = Omit<PortalSignals['range'], 'column'>;

interface RangeProps {
  range: Range | undefined;
  onRange: (range: Range | undefined) => void;
}

interface Bounds {
  readonly from: string;
  readonly to: string;
}

const boundText = (bound: number | string | undefined): string =>
  typeof bound === 'number' ? typedNumber(String(bound)) : (bound ?? '');

/** The texts of two fields, which are sent when the user stops typing. */
function useBounds(
  range: Range | undefined,
  send: (bounds: Bounds) => void,
): {
  bounds: Bounds;
  type: (patch: Partial<Bounds>) => void;
  onKeyDown: (event: KeyboardEvent) => void;
} {
  const current = { from: boundText(range?.from), to: boundText(range?.to) };
  const [typed, setTyped] = useState<Bounds | null>(null);
  const bounds = typed ?? current;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useEvent((): void => {
    clearTimeout(timer.current);
    if (typed) send(typed);
  });
  useEffect(() => {
    if (!typed) return undefined;
    timer.current = setTimeout(flush, TYPING_PAUSE_MS);
    return () => clearTimeout(timer.current);
  }, [typed, flush]);
  // A change by another element, or by this one, replaces what was typed. Not in an effect, which
  // may run after the first key.
  const key = `${current.from} ${current.to}`;
  const [shown, setShown] = useState(key);
  if (shown !== key) {
    setShown(key);
    setTyped(null);
  }
  return {
    bounds,
    type: (patch) => setTyped({ ...bounds, ...patch }),
    onKeyDown: ({ key: pressed }) => {
      if (pressed === 'Enter') flush();
    },
  };
}

interface FieldsProps extends RangeProps {
  type: 'number' | 'date';
  /** Reads a field; `null` if it is invalid. */
  read: (text: string) => number | string | undefined | null;
}

function Fields({ type, range, read, onRange }: FieldsProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const send = ({ from, to }: Bounds): void => {
    const [low, high] = [read(from), read(to)];
    if (low === null || high === null) return setProblem(texts.notNumber);
    if (low !== undefined && high !== undefined && low > high) return setProblem(texts.reversed);
    setProblem('');
    onRange(
      low === undefined && high === undefined
        ? undefined
        : {
            ...(low !== undefined && { from: low }),
            ...(high !== undefined && { to: high }),
          },
    );
  };
  const { bounds, type: onType, onKeyDown } = useBounds(range, send);
  // A range that replaces what was typed is valid.
  useEffect(() => {
    void range;
    setProblem('');
  }, [range]);
  return (
    <>
      <div className="filter-bounds">
        {(['from', 'to'] as const).map((bound) => (
          <div key={bound} className="field">
            <label className="label" htmlFor={`${id}${bound}`}>
              {texts[bound]}
            </label>
            <span className={problem === '' ? 'input' : 'input error'}>
              <input
                id={`${id}${bound}`}
                type={type === 'date' ? 'date' : 'text'}
                inputMode={type === 'date' ? undefined : 'decimal'}
                autoComplete="off"
                value={bounds[bound]}
                aria-invalid={problem !== '' || undefined}
                aria-describedby={problem === '' ? undefined : `${id}-problem`}
                onChange={({ target }) => onType({ [bound]: target.value })}
                onKeyDown={onKeyDown}
              />
            </span>
          </div>
        ))}
      </div>
      {problem !== '' && (
        <p id={`${id}-problem`} className="hint error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Reads a number as the user's language spells it. */
function readNumber(text: string): number | undefined | null {
  if (text.trim() === '') return undefined;
  const value = Number(numberSpan(text)?.from);
  return Number.isFinite(value) ? value : null;
}

/** Two fields for the lowest and the highest number. */
export function NumberFilter(props: RangeProps) {
  return <Fields {...props} type="number" read={readNumber} />;
}

/** Two fields for the first and the last day, with buttons for usual ranges. */
export function DateFilter(props: RangeProps) {
  const { range, onRange } = props;
  const isShown = ({ from, to }: QuickRange) => range?.from === from && range.to === to;
  return (
    <>
      <Fields {...props} type="date" read={(text) => (text === '' ? undefined : text)} />
      <div className="filter-quick" role="group" aria-label={texts.quick}>
        {quickRanges(new Date()).map((quick) => (
          <Button
            key={quick.label}
            size="sm"
            kind="secondary"
            aria-pressed={isShown(quick)}
            onClick={() => onRange(isShown(quick) ? undefined : { from: quick.from, to: quick.to })}
          >
            {quick.label}
          </Button>
        ))}
      </div>
    </>
  );
}
