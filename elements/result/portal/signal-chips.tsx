import { X } from 'lucide-react';
import type { PortalValue } from '../../portal/signals.ts';
import { portalTexts } from '../../portal/texts.ts';
import { Icon } from '../../ui/button.tsx';
import type { RowSignal } from './signal-filters.ts';

const MAX_NAMED = 3;

const valueText = (value: PortalValue): string =>
  value === null || value === '' ? portalTexts.missing : String(value);

/** Describes a signal: its column with the values or bounds. */
function signalText({ signal, value }: RowSignal): string {
  if (signal === 'selection') {
    const { values } = value;
    const named = values.slice(0, MAX_NAMED).map(valueText);
    if (values.length > MAX_NAMED) named.push(portalTexts.more(values.length - MAX_NAMED));
    return portalTexts.chip(value.column, named.join(', '));
  }
  const [from, to] = [value.from, value.to].map((bound) => bound?.toString());
  return portalTexts.chip(
    value.column,
    from === undefined
      ? portalTexts.until(to!)
      : to === undefined
        ? portalTexts.from(from)
        : from === to
          ? from
          : portalTexts.between(from, to),
  );
}

interface SignalChipsProps {
  signals: readonly RowSignal[];
  /** Whether this element sent the signal. */
  isOwn: (signal: RowSignal) => boolean;
  onRemove: (signal: RowSignal) => void;
}

/** The filters of the page that apply to a table or chart, each with a button that removes it. */
export function SignalChips({ signals, isOwn, onRemove }: SignalChipsProps) {
  if (signals.length === 0) return null;
  return (
    <ul className="signal-chips" aria-label={portalTexts.filters}>
      {signals.map((signal) => {
        const name = signalText(signal);
        return (
          <li
            key={`${signal.signal} ${signal.value.column}`}
            className={isOwn(signal) ? 'signal-chip own' : 'signal-chip'}
            title={isOwn(signal) ? portalTexts.own : portalTexts.setBy(signal.by.name)}
          >
            <span className="signal-text truncate">{name}</span>
            <button
              type="button"
              className="bare"
              aria-label={portalTexts.remove(name)}
              onClick={() => onRemove(signal)}
            >
              <Icon of={X} size="xs" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
