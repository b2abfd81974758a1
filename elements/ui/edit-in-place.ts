import { type ComponentProps, useState } from 'react';

/**
 * A text that turns into a field on `begin`. `field` has the props of the field, and is `undefined`
 * while only the text is shown. Enter and blur save, Escape cancels. `onSave` is called each time
 * the field is left, even if the text is unchanged.
 */
export function useEditInPlace(value: string, onSave: (typed: string) => void) {
  const [draft, setDraft] = useState<string>();
  const save = () => {
    if (draft !== undefined) onSave(draft);
    setDraft(undefined);
  };
  const field: ComponentProps<'input'> = {
    value: draft,
    autoFocus: true,
    onBlur: save,
    onChange: (event) => setDraft(event.target.value),
    onKeyDown: (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') save();
      if (event.key === 'Escape') setDraft(undefined);
    },
  };
  return { begin: () => setDraft(value), field: draft === undefined ? undefined : field };
}
