import { useId, useMemo, useSyncExternalStore } from 'react';
import { type Portal, portal } from '../portal/bus.ts';
import type { PortalSignals, PortalValue } from '../portal/signals.ts';
import { portalTexts } from '../portal/texts.ts';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { HostContext } from '../runtime/hooks.ts';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { Button } from '../ui/button.tsx';
import sheet from './filter.css';
import { type FilterOption, readOptions } from './filter-options.ts';
import type { Range } from './range-filter.tsx';
import { ValueList } from './value-list.tsx';

const texts = portalTexts.filter;

// Apart, because every page lists the files that this view needs at once.
const NumberFilter = lazyCode(async () => (await import('./range-filter.tsx')).NumberFilter);
const DateFilter = lazyCode(async () => (await import('./range-filter.tsx')).DateFilter);

/** Only filters of a paragraph need the code of clients. */
const ParagraphOptions = lazyCode(() => import('./paragraph-options.tsx'));

interface Properties {
  portal?: string;
  column?: string;
  type?: string;
  label?: string;
  options?: unknown;
  fromParagraph?: string;
}

export default function FilterView(props: ViewProps) {
  const { host, values } = props;
  const { portal: name, column } = values as Properties;
  const bus = useMemo(() => (name ? portal(name) : undefined), [name]);
  if (!bus || !column) return <p className="element-message">{texts.noPortal}</p>;
  return (
    <HostContext value={host}>
      <Filter {...props} bus={bus} column={column} />
    </HostContext>
  );
}

export const sheets = [sheet];

function useSignal<Name extends 'selection' | 'range'>(bus: Portal, signal: Name, column: string) {
  return useSyncExternalStore(bus.subscribe, () => bus.get(signal, column));
}

interface FilterProps extends ViewProps {
  bus: Portal;
  column: string;
}

function Filter({ bus, column, ...props }: FilterProps) {
  const { host } = props;
  const { type, label = column, options, fromParagraph } = props.values as Properties;
  const heading = useId();
  const selection = useSignal(bus, 'selection', column);
  const range = useSignal(bus, 'range', column);
  const isRange = type === 'range' || type === 'date';
  const chosen = selection?.values ?? [];
  const isSet = isRange ? range !== undefined : chosen.length > 0;
  const given = useMemo(() => readOptions(options), [options]);

  const changed = (detail: Partial<PortalSignals['selection'] & PortalSignals['range']>): void =>
    void emitEvent(host, 'tiding-filter-changed', { portal: bus.name, column, ...detail });
  const clear = (): void => {
    bus.clear(isRange ? 'range' : 'selection', { by: host, column });
    changed({});
  };
  const toggle = (value: PortalValue): void => {
    // Not the rendered ones: two choices may come before the first one is rendered.
    const before = bus.get('selection', column)?.values ?? [];
    const next = before.includes(value)
      ? before.filter((one) => one !== value)
      : [...before, value];
    if (next.length === 0) return clear();
    bus.set('selection', { column, values: next }, { by: host });
    changed({ values: next });
  };
  const setRange = (next: Range | undefined): void => {
    if (!next) return clear();
    bus.set('range', { column, ...next }, { by: host });
    changed(next);
  };
  const list = (found: readonly FilterOption[], empty?: string) => (
    <ValueList label={label} options={found} chosen={chosen} empty={empty} onToggle={toggle} />
  );
  return (
    <fieldset className="filter" aria-labelledby={heading} part="filter">
      <div className="filter-head">
        <span id={heading} className="label filter-label">
          {label}
        </span>
        <span className="filter-count" role="status">
          {chosen.length > 0 && !isRange ? texts.chosen(chosen.length) : ''}
        </span>
        <Button
          size="sm"
          aria-label={texts.clearLabel(label)}
          aria-disabled={!isSet || undefined}
          onClick={() => isSet && clear()}
        >
          {texts.clear}
        </Button>
      </div>
      <CodeBoundary fallback={<p className="filter-note">{isRange ? '' : texts.loading}</p>}>
        {type === 'range' ? (
          <NumberFilter range={range} onRange={setRange} />
        ) : type === 'date' ? (
          <DateFilter range={range} onRange={setRange} />
        ) : fromParagraph && options === undefined ? (
          <ParagraphOptions {...props} column={column} paragraph={fromParagraph}>
            {list}
          </ParagraphOptions>
        ) : (
          list(given)
        )}
      </CodeBoundary>
    </fieldset>
  );
}
