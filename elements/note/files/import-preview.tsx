import type { FileTables } from '@tiding/client';
import { useEffect, useRef, useState } from 'react';
import { fill } from '../../text/fill.ts';
import { Alert } from '../../ui/alert.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { LabelledChoice } from '../../ui/fields/labelled.tsx';
import type { Dialogs } from '../ui/dialogs.tsx';
import { paragraphForTables, type TablesParagraph } from './table-files.ts';
import { importPreviewTexts as t } from './texts.ts';

/** A label by the name of a guess or its value, which come from the server. */
const labelOf = (labels: object, name: string): string | undefined =>
  new Map<string, string>(Object.entries(labels)).get(name);

type Choices = Readonly<Record<string, string>>;
type Read = (how: { choices?: Choices; preview?: boolean }) => Promise<FileTables>;

/**
 * Shows how a file will be read and lets the user change it. Resolves to the paragraph that reads
 * the file; `undefined` if the user cancels. Rejects if the file can't be read.
 */
export async function previewTables(
  dialogs: Dialogs,
  name: string,
  read: Read,
): Promise<TablesParagraph | undefined> {
  const first = await read({ preview: true });
  return new Promise((resolve) => {
    // One function for all renders: an effect of the dialog calls it when the dialog goes.
    const onGone = (): void => resolve(undefined);
    dialogs.open((close) => (
      <ImportPreview
        {...{ name, first, read, onGone }}
        onClose={(paragraph) => {
          close();
          resolve(paragraph);
        }}
      />
    ));
  });
}

/** A guess is about what precedes it in the list, so a choice ends the choices after it. */
function changed(choices: Choices, guesses: FileTables['guesses'], name: string, value: string) {
  const at = guesses.findIndex((guess) => guess.name === name);
  const kept = guesses.filter((guess, index) => index < at || (isType(name) && isType(guess.name)));
  return {
    ...Object.fromEntries(
      kept.flatMap((guess) => {
        const chosen = choices[guess.name];
        return chosen === undefined ? [] : [[guess.name, chosen] as const];
      }),
    ),
    [name]: value,
  };
}

const isType = (name: string): boolean => name.startsWith('type.');

interface ImportPreviewProps {
  name: string;
  first: FileTables;
  read: Read;
  onClose: (paragraph: TablesParagraph | undefined) => void;
  /** Called also if another dialog replaces this one. */
  onGone: () => void;
}

function ImportPreview({ name, first, read, onClose, onGone }: ImportPreviewProps) {
  const [shown, setShown] = useState(first);
  const [choices, setChoices] = useState<Choices>({});
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const last = useRef(0);
  useEffect(() => {
    return onGone;
  }, [onGone]);
  /** Reads the file; an answer that another request has overtaken is dropped. */
  const ask = (how: Parameters<Read>[0], use: (tables: FileTables) => void): void => {
    const number = (last.current += 1);
    setBusy(true);
    read(how)
      .then(
        (tables) => {
          if (number !== last.current) return;
          setError(undefined);
          use(tables);
        },
        (reason: unknown) => number === last.current && setError((reason as Error).message),
      )
      .finally(() => number === last.current && setBusy(false));
  };
  const choose = (guess: string, value: string): void => {
    const next = changed(choices, shown.guesses, guess, value);
    setChoices(next);
    ask({ choices: next, preview: true }, setShown);
  };
  const field = ({ name: guess, value, values: all }: FileTables['guesses'][number]) => {
    const current = choices[guess] ?? value;
    const label = labelOf(t.options, guess) ?? fill(t.type, { name: guess.slice('type.'.length) });
    return all.every((each) => each === '') ? (
      <label key={guess} className="field">
        <span className="label">{label}</span>
        <input
          className="input"
          defaultValue={current}
          placeholder={t.wholeSheet}
          onBlur={({ target }) => target.value !== current && choose(guess, target.value)}
        />
      </label>
    ) : (
      <LabelledChoice
        key={guess}
        label={label}
        value={current}
        options={all.map((each) => [each, labelOf(t.values, each) ?? each] as const)}
        onValue={(next) => choose(guess, next)}
      />
    );
  };
  const { columns, rows } = shown.preview;
  const [table] = shown.tables;
  const types = new Map(shown.guesses.map((guess) => [guess.name, guess]));
  const notes = [
    ...shown.remarks,
    ...shown.skipped.map((each) => `${t.leftOut}: ${each.name} ${each.reason}`),
  ];
  return (
    <FormDialog
      title={fill(t.title, { name })}
      action={t.action}
      size="wide"
      focusesAction
      busy={busy}
      disabled={error !== undefined}
      onSubmit={() => ask({ choices }, (tables) => onClose(paragraphForTables(name, tables)))}
      onClose={() => onClose(undefined)}
    >
      <div className="import-options">
        {shown.guesses.filter((guess) => !isType(guess.name)).map(field)}
      </div>
      {error === undefined ? null : <Alert>{error}</Alert>}
      {notes.length === 0 ? null : (
        <ul className="import-notes">
          {notes.map((note, index) => (
            <li key={index}>{note}</li>
          ))}
        </ul>
      )}
      <div
        className="import-rows"
        role="region"
        aria-label={t.rows}
        tabIndex={0}
        aria-busy={busy || undefined}
      >
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                  {field(types.get(`type.${column}`)!)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at}>{cell ?? <i>{t.missing}</i>}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="hint">
        {fill(t.size, { rows: (table?.rows ?? 0).toLocaleString(), columns: table?.columns ?? 0 })}
      </p>
      <details>
        <summary>{t.code}</summary>
        <pre className="import-sql">{paragraphForTables(name, shown).text}</pre>
      </details>
    </FormDialog>
  );
}
