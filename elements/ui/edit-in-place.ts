import { type InputHTMLAttributes, useState } from 'react';

/** Text that turns into a field on click. Enter and blur save, Escape cancels. */
interface EditInPlace {
  /** Shows the field. */
  begin(): void;
  /** Props of the field; `undefined` while only the text is shown. */
  readonly field:
    | Pick<
        InputHTMLAttributes<HTMLInputElement>,
        'value' | 'autoFocus' | 'onChange' | 'onBlur' | 'onKeyDown'
      >
    | undefined;
}

/**
 * State of an {@link EditInPlace}. `onSave` is called each time the field is left, even if the text
 * is unchanged.
 */
export function useEditInPlace(value: string, onSave: (typed: string) => void): EditInPlace {
  const [draft, setDraft] = useState<string>();
  const save = () => {
    if (draft !== undefined) onSave(draft);
    setDraft(undefined);
  };
  return {
    begin: () => setDraft(value),
    field:
      draft === undefined
        ? undefined
        : {
            value: draft,
            autoFocus: true,
            onBlur: save,
            onChange: (event) => setDraft(event.target.value),
            onKeyDown: (event) => {
              event.stopPropagation();
              if (event.key === 'Enter') save();
              if (event.key === 'Escape') setDraft(undefined);
            },
          },
  };
}
