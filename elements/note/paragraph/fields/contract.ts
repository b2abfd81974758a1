/** Props shared by all form fields. */
import type { normalizeForm } from '@tiding/client/model';
import type { Form } from '@tiding/client/protocol';

/** A form in normalized notation. */
export type ShownForm = ReturnType<typeof normalizeForm<Form>>;

/**
 * Called with a new value. `act`: the value takes effect now (run or save); otherwise it applies to
 * the next run.
 */
export type OnValue = (name: string, value: unknown, act: boolean) => void;

export interface FieldProps {
  name: string;
  label: string;
  form: ShownForm;
  value: unknown;
  /**
   * The paragraph is running: the field looks disabled and rejects changes, but keeps the focus.
   */
  busy: boolean;
  /** The value is set by the host page and can't be changed here. */
  locked: boolean;
  /**
   * If set, a choice takes effect immediately and a text 1000 ms after the last key. Otherwise a
   * text takes effect on Enter and choices with the next run.
   */
  acting: boolean;
  onValue: OnValue;
}
