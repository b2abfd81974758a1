import { Combobox } from '@base-ui/react/combobox';
import { useId, useMemo, useState } from 'react';
import { fill } from '../../../text/fill.ts';
import { ComboboxPopup } from '../../../ui/fields/combobox-popup.tsx';
import type { ShownForm } from './contract.ts';
import { optionText } from './options.ts';
import { fieldTexts } from './texts.ts';

/** Maximum number of options rendered; the others are found by typing. */
const MAX_SHOWN = 100;

interface Props {
  label: string;
  options: NonNullable<ShownForm['options']>;
  /** Index of the value among the options; -1 if it is none of them and shown as `other`. */
  at: number;
  other: string;
  off: boolean;
  onChoose: (index: number) => void;
}

/** A combobox for long lists of options. */
export default function OptionSearch({ label, options, at, other, off, onChoose }: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const names = useMemo(() => options.map(optionText), [options]);
  const chosen = at < 0 ? other : names[at]!;
  const term = (typed ?? '').trim().toLowerCase();
  const { found, all } = useMemo(() => {
    const hits: number[] = [];
    let count = 0;
    for (const [index, name] of names.entries()) {
      if (!name.toLowerCase().includes(term)) continue;
      count += 1;
      if (hits.length < MAX_SHOWN) hits.push(index);
    }
    return { found: hits, all: count };
  }, [names, term]);
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <Combobox.Root<number>
        items={found}
        filter={null}
        value={at < 0 ? null : at}
        readOnly={off}
        inputValue={typed ?? chosen}
        itemToStringLabel={(index) => names[index] ?? ''}
        autoHighlight
        onValueChange={(index) => {
          setTyped(undefined);
          if (index !== null) onChoose(index);
        }}
        onInputValueChange={(now, { reason }) => {
          if (reason === 'input-change') setTyped(now);
        }}
        onOpenChange={(open) => open || setTyped(undefined)}
      >
        <Combobox.InputGroup className={off ? 'input off' : 'input'}>
          <Combobox.Input
            id={id}
            aria-disabled={off || undefined}
            onFocus={(event) => event.currentTarget.select()}
          />
        </Combobox.InputGroup>
        <ComboboxPopup>
          <Combobox.Empty className="menu-heading">
            {term === '' ? '' : fill(fieldTexts.noOption, { term: typed ?? '' })}
          </Combobox.Empty>
          <Combobox.List>
            {(index: number) => (
              <Combobox.Item key={index} value={index} className="menu-item">
                {names[index]}
              </Combobox.Item>
            )}
          </Combobox.List>
          {all > found.length ? (
            <p className="menu-heading">
              {fill(fieldTexts.moreOptions, { n: all - found.length })}
            </p>
          ) : null}
        </ComboboxPopup>
      </Combobox.Root>
    </>
  );
}
