/** Clearing outputs, and changing forms and settings of a whole note. */
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { NoteConfig } from '../protocol/index.ts';
import { paragraphChange } from './change.ts';
import { Refusal } from './refusal.ts';
import { noteOnWire, paragraphOf } from './stored-note.ts';
import type {
  FieldChanges,
  NotebookRules,
  NoteChange,
  NoteMessage,
  NoteOperation,
  StoredNote,
  StoredParagraph,
} from './types.ts';

const CLEARED: FieldChanges<StoredParagraph> = {
  results: undefined,
  errorMessage: undefined,
  runtimeInfos: undefined,
};

/** Clears the output of a paragraph, which must not be running. */
export function paragraphClearing(note: StoredNote, id: string): NoteChange {
  const paragraph = paragraphOf(note, id);
  if (isRunning(paragraph.status))
    throw new Refusal(
      423,
      'The paragraph is running. Wait for it to finish or cancel it, then try again.',
    );
  return paragraphChange(paragraph, CLEARED);
}

/** Rejects changes of a note that is running. */
export const noteIsBusy = (): Refusal =>
  new Refusal(423, 'The note is running. Wait for it to finish or cancel it, then try again.');

/** Clears all outputs of a note, except those of running paragraphs. */
export function noteClearing(note: StoredNote, isSequential: boolean): NoteChange {
  if (isSequential) throw noteIsBusy();
  const idle = note.paragraphs.filter(({ status }) => !isRunning(status));
  return {
    paragraphs: new Map(idle.map((paragraph) => [paragraph, CLEARED])),
    messages: [{ op: 'NOTE' }],
    changesJob: true,
  };
}

/** Returns a change of the forms of a whole note, with the message about all of them. */
export const formsChange = (
  note: StoredNote,
  changes: Partial<Pick<StoredNote, 'noteForms' | 'noteParams'>>,
): NoteChange => {
  const { noteParams: params, noteForms: forms } = { ...note, ...changes };
  return {
    note: changes,
    messages: [{ op: 'SAVE_NOTE_FORMS', data: { formsData: { params, forms } } }],
    changesJob: false,
  };
};

const without = <V>(values: Record<string, V>, name: string): Record<string, V> =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name));

/** Removes a form of the whole note, with its value. */
export const formRemoval: NoteOperation<'REMOVE_NOTE_FORMS'> = ({ note, data }) =>
  formsChange(note, {
    noteForms: without(note.noteForms, data.formName),
    noteParams: without(note.noteParams, data.formName),
  });

/** Sets whether each user sees their own outputs. */
export const personalizedModeChange: NoteOperation<'UPDATE_PERSONALIZED_MODE'> = ({
  note,
  data: { personalized },
}) => {
  if (personalized !== 'true' && personalized !== 'false')
    throw new Refusal(400, 'personalized must be "true" or "false".');
  return {
    note: { config: { ...note.config, personalizedMode: personalized } },
    messages: [{ op: 'NOTE' }],
    changesJob: true,
  };
};

/** Returns the message about the settings of a note. */
export const settingsMessage = (
  note: StoredNote,
  rules: Pick<NotebookRules, 'canSchedule'>,
): NoteMessage => {
  const { name, info } = note;
  const { config } = noteOnWire(note, rules);
  return { op: 'NOTE_UPDATED', data: { name, config, info } };
};

/** Replaces the settings of a note. */
export const settingsChange = (
  note: StoredNote,
  config: NoteConfig,
  rules: Pick<NotebookRules, 'canSchedule'>,
): NoteChange => ({
  note: { config },
  messages: [settingsMessage({ ...note, config }, rules)],
  changesJob: config.cron !== note.config.cron,
});
