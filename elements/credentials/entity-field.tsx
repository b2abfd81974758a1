import { Autocomplete } from '@base-ui/react/autocomplete';
import { useId } from 'react';
import { useOverlayContainer } from '../runtime/hooks.ts';
import { credentialTexts } from '../text/pages/credentials.ts';

const t = credentialTexts;
/** Maximum number of suggestions shown. */
const MAX_SUGGESTIONS = 50;

/**
 * Field for the entity of a credential. Suggests `group.name` of each interpreter and accepts any
 * text. Not modal: the page stays readable by screen readers while the list is open.
 */
export function EntityField({
  value,
  names,
  hint,
  onValue,
}: {
  value: string;
  names: readonly string[];
  hint: string;
  onValue: (value: string) => void;
}) {
  const id = useId();
  const container = useOverlayContainer();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {t.entity}
      </label>
      <Autocomplete.Root
        items={names}
        limit={MAX_SUGGESTIONS}
        value={value}
        openOnInputClick
        onValueChange={onValue}
      >
        <span className="input">
          <Autocomplete.Input
            id={id}
            placeholder={t.entityPlaceholder}
            aria-describedby={`${id}-hint`}
            autoFocus
            spellCheck={false}
            autoCapitalize="off"
          />
        </span>
        <Autocomplete.Portal container={container}>
          <Autocomplete.Positioner className="menu-positioner" sideOffset={4}>
            <Autocomplete.Popup className="menu combobox">
              <Autocomplete.List aria-label={t.entity}>
                {(name: string) => (
                  <Autocomplete.Item key={name} value={name} className="menu-item">
                    {name}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <span className="hint" id={`${id}-hint`} role="status">
        {hint}
      </span>
    </div>
  );
}
