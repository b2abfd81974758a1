/** What the elements of notes and paragraphs have in common. */
import { preloadNotes } from '@tiding/client';
import type { EventSpec } from '../runtime/define-element.ts';

/** Loads code of the client that a view needs, while the view itself loads. */
export const withNotes = <View>(view: Promise<View>): Promise<View> => {
  preloadNotes().catch(() => {});
  return view;
};

export const locked = {
  kind: 'json',
  valueType: 'Readonly<Record<string, unknown>>',
  doc:
    `Fixed form values, as JSON \`{"region": "EU"}\` or an object. They are shown, can't be ` +
    'edited, and apply to every run.',
} as const;

export const mayLeave = {
  name: 'mayLeave',
  doc: 'Asks the user if text is not saved; resolves to whether the page may navigate away.',
  returns: 'Promise<boolean>',
  withoutView: true,
} as const;

export const lastEvents: readonly EventSpec[] = [
  {
    name: 'tiding-sign-in-wanted',
    doc: "The user lacks a permission and chose 'Login'; detail {message}.",
  },
  {
    name: 'tiding-select',
    doc:
      'The user selected something in a result; detail {noteId, paragraphId, output, values, ' +
      'label?}. `values` is keyed by column, and empty when the selection is cleared.',
  },
  {
    name: 'tiding-error',
    doc:
      'An operation failed, or the token can no longer be used; detail {message, code?, ' +
      'reason?}. Call preventDefault() to suppress the message.',
  },
];
