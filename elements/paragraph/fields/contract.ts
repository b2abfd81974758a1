/** What every field of a form is given. */
import type { normalizeForm } from 'tiding/model';
import type { Form } from 'tiding/protocol';

/** A form in the one notation. */
export type ShownForm = ReturnType<typeof normalizeForm<Form>>;

/** Told of a value; `act`: it is to take effect now (run, save), else it is only the value of the next run. */
export type OnValue = (name: string, value: unknown, act: boolean) => void;

/** See the head of this file. */
export interface FieldProps {
  name: string;
  label: string;
  form: ShownForm;
  value: unknown;
  /** The paragraph runs: the field looks off and changes nothing, and keeps the focus for what comes after. */
  busy: boolean;
  /** The value is given from outside and cannot be changed here. */
  locked: boolean;
  /** A choice takes effect at once, a text 1000 ms after the last key; else a text by Enter and choices with the next run. */
  acting: boolean;
  onValue: OnValue;
}
