import { useState, type InputHTMLAttributes } from 'react';

/** A text that a click makes a field: Enter and leaving save what is typed, Escape drops it. */
export interface EditInPlace {
  /** Makes it a field. */
  begin(): void;
  /** What the field is given; `undefined` while only the text is shown. */
  readonly field:
    | Pick<
        InputHTMLAttributes<HTMLInputElement>,
        'value' | 'autoFocus' | 'onChange' | 'onBlur' | 'onKeyDown'
      >
    | undefined;
}

/** See {@link EditInPlace}. `onSave` is told each time that it is left, also of what was there before. */
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
