import type { Client } from '@tiding/client';
import { checkNotePath, freeNotePath, normalizePath } from '@tiding/client/model';
import { fill } from '../text/fill.ts';
import { ErrorHint } from '../ui/hints.tsx';
import { createNoteTexts } from './dialog-texts.ts';
import { noteListTexts } from './texts.ts';

/** Returns the paths of all notes that the list shows. */
export const notePaths = (client: Client): string[] =>
  client.state.notes?.map(({ path }) => path) ?? [];

interface TakenNameProps {
  name: string;
  taken: readonly string[];
  onUse: (name: string) => void;
}

/** Says that a note has the typed name, and offers the next free one. Shows nothing otherwise. */
export function TakenName({ name, taken, onUse }: TakenNameProps) {
  const path = normalizePath(name.trim());
  if (!taken.includes(path)) return null;
  const free = freeNotePath(path, taken);
  return (
    <ErrorHint>
      {fill(createNoteTexts.taken, { name: path })}{' '}
      <button type="button" className="link" onClick={() => onUse(free)}>
        {fill(noteListTexts.useName, { name: free })}
      </button>
    </ErrorHint>
  );
}

interface NotePathFieldProps {
  label: string;
  name: string;
  taken: readonly string[];
  error?: string | undefined;
  onName: (name: string) => void;
}

/** The field for the path of a note. `error` is shown below it. */
export function NotePathField({ label, name, taken, error, onName }: NotePathFieldProps) {
  const problem = pathProblem(name);
  const isWrong = problem !== undefined || isTaken(name, taken);
  return (
    <>
      <label className="field">
        <span className="label">{label}</span>
        <span className={isWrong ? 'input error' : 'input'}>
          <input
            value={name}
            autoFocus
            onChange={(event) => onName(event.target.value)}
            onFocus={(event) => event.target.select()}
            aria-invalid={isWrong}
          />
        </span>
        <span
          className={(problem ?? error) ? 'hint error' : 'hint'}
          role={error ? 'alert' : undefined}
        >
          {problem ?? error ?? createNoteTexts.hint}
        </span>
      </label>
      <TakenName name={name} taken={taken} onUse={onName} />
    </>
  );
}

const pathProblem = (name: string): string | undefined =>
  name.trim() === '' ? undefined : checkNotePath(name.trim());
const isTaken = (name: string, taken: readonly string[]): boolean =>
  taken.includes(normalizePath(name.trim()));

/** Whether a note can have a path. */
export const isFreePath = (name: string, taken: readonly string[]): boolean =>
  name.trim() !== '' && pathProblem(name) === undefined && !isTaken(name, taken);
