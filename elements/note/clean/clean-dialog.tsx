import { useState } from 'react';
import { fill } from '../../text/fill.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { LabelledChoice, LabelledField } from '../../ui/fields/labelled.tsx';
import { replaceCode } from '../commands/replace-code.ts';
import { runHere } from '../commands/run-one.ts';
import { ReadOnlyCode } from '../dialogs/read-only-code.tsx';
import type { NoteUi } from '../ui/note-ui.ts';
import {
  fieldChoices,
  fieldValue,
  type StepName,
  type StepValues,
  stepKinds,
  withStep,
} from './clean-sql.ts';
import { cleanTexts as t } from './texts.ts';

/** Lines of the query that are shown; the others can be scrolled to. */
const MAX_LINES = 12;

interface CleanDialogProps {
  ui: NoteUi;
  paragraphId: string;
  column: string;
  onClose: () => void;
}

/** Adds a step that cleans a column to the query of a paragraph, and runs it. */
export function CleanDialog({ ui, paragraphId, column, onClose }: CleanDialogProps) {
  const [step, setStep] = useState<StepName>('trim');
  const [values, setValues] = useState<StepValues>({});
  const { text } = ui.note.paragraph(paragraphId);
  const code = withStep(text, column, step, values);
  const { fields } = stepKinds[step];
  const isEmpty = fields.some((name) => ['from', 'separator'].includes(name) && !values[name]);
  const names: Readonly<Partial<Record<string, string>>> = t.cases;
  return (
    <FormDialog
      title={fill(t.title, { column })}
      action={t.add}
      disabled={code === undefined || isEmpty}
      onSubmit={() => {
        onClose();
        const change = { before: text, after: code!, said: t.added };
        const paragraph = ui.note.paragraph(paragraphId);
        const run = async () => {
          // The run of the step that is taken back may not have ended.
          await paragraph.cancel();
          await runHere(ui, paragraph);
        };
        void ui.messages.act(() => replaceCode(ui, paragraphId, change, run));
      }}
      onClose={onClose}
    >
      <LabelledChoice
        label={t.step}
        value={step}
        options={Object.entries(t.steps)}
        onValue={(next) => setStep(next as StepName)}
      />
      {fields.map((name) => {
        const field = {
          label: t.fields[name],
          value: fieldValue(values, name),
          onValue: (value: string) => setValues((old) => ({ ...old, [name]: value })),
        };
        const options = fieldChoices[name]?.map((each) => [each, names[each] ?? each] as const);
        return options ? (
          <LabelledChoice key={name} {...field} options={options} />
        ) : (
          <LabelledField key={name} {...field} />
        );
      })}
      {code === undefined ? (
        <p className="dialog-text">{t.notQuery}</p>
      ) : (
        <ReadOnlyCode
          code={code}
          label={t.code}
          rows={Math.min(MAX_LINES, code.split('\n').length)}
        />
      )}
    </FormDialog>
  );
}
