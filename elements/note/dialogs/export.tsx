import { useState } from 'react';
import { FormDialog } from '../../ui/dialogs.tsx';
import { LabelledCheckbox } from '../../ui/fields/labelled.tsx';
import { type ExportFormat, exportNote } from '../export.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { exportTexts as t } from './export-texts.ts';

type Choice = Exclude<ExportFormat, 'zpln' | 'json'> | 'zeppelin' | 'pdf';
const CHOICES: readonly Choice[] = ['zeppelin', 'ipynb', 'html', 'pdf', 'py', 'md'];

/** Asks for the format of an exported note. PDF is a choice of the browser's print dialog. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { client, note, messages } = useNoteUi();
  const [choice, setChoice] = useState<Choice>('zeppelin');
  const [code, setCode] = useState(true);
  // A server of generation B names its files .zpln (as in Zeppelin).
  const ending = client.state.server?.generation === 'B' ? 'zpln' : 'json';
  const submit = (): void => {
    onClose();
    // The dialog is gone in the next frame.
    if (choice === 'pdf') requestAnimationFrame(() => requestAnimationFrame(() => window.print()));
    else
      void messages.act(() =>
        exportNote(client, note, choice === 'zeppelin' ? ending : choice, code),
      );
  };
  return (
    <FormDialog
      title={t.title}
      action={choice === 'pdf' ? t.print : t.action}
      onSubmit={submit}
      onClose={onClose}
    >
      <fieldset className="export-formats">
        <legend className="label">{t.format}</legend>
        {CHOICES.map((each) => (
          <label key={each} className="check">
            <input
              type="radio"
              name="format"
              autoFocus={each === choice}
              checked={each === choice}
              onChange={() => setChoice(each)}
            />
            <span>
              {t.formats[each].name}
              {each === 'pdf' ? null : <code>.{each === 'zeppelin' ? ending : each}</code>}
              <span className="hint">{t.formats[each].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {choice === 'html' ? (
        <LabelledCheckbox label={t.code} checked={code} onChange={setCode} />
      ) : null}
    </FormDialog>
  );
}
