import { Autocomplete } from '@base-ui/react/autocomplete';
import { useId } from 'react';
import { usePortal } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';

const t = text.credentials;

/** The entity of a credential: `group.name` of an interpreter is suggested, anything may be typed. */
export function EntityField({ value, names, hint, onValue }: { value: string; names: readonly string[]; hint: string; onValue: (value: string) => void }) {
  const id = useId();
  const portal = usePortal();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>{t.entity}</label>
      <Autocomplete.Root items={names} value={value} onValueChange={onValue} openOnInputClick>
        <span className="input">
          <Autocomplete.Input id={id} placeholder={t.entityPlaceholder} autoFocus spellCheck={false} autoCapitalize="off" aria-describedby={`${id}-hint`} />
        </span>
        <Autocomplete.Portal container={portal}>
          <Autocomplete.Positioner className="menu-positioner" sideOffset={4}>
            <Autocomplete.Popup className="menu combobox">
              <Autocomplete.List>
                {(name: string) => <Autocomplete.Item key={name} value={name} className="menu-item">{name}</Autocomplete.Item>}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <span className="hint" id={`${id}-hint`} role="status">{hint}</span>
    </div>
  );
}
