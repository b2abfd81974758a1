/** Types of the notes that a program runs by name. */

/**
 * Forms and result columns of notes, by path. Empty: `tiding types` writes a module that adds notes
 * to it, after which `client.run` checks form values and types the rows of these notes.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add members.
export interface NoteTypes {}

/** Id or full path of a note. */
export type NoteName = keyof NoteTypes | (string & Record<never, never>);
/** Form values for a note. */
export type NoteParams<Name extends NoteName> = Name extends keyof NoteTypes
  ? NoteTypes[Name] extends { params: infer Params }
    ? Partial<Params>
    : never
  : Record<string, unknown>;
/** A row of the last table of a note, by column name. */
export type NoteRow<Name extends NoteName> = Name extends keyof NoteTypes
  ? NoteTypes[Name] extends { row: infer Row }
    ? Row
    : never
  : Record<string, unknown>;
