/**
 * Selects the forms shown for a paragraph: those stored on the server, or those in the text typed
 * since the last run.
 */
import { configForText, type ParagraphState } from '@tiding/client';
import { formSource, isOutdated, normalizeForm, textForms } from '@tiding/client/model';
import type { Form } from '@tiding/client/protocol';
import type { ShownForm } from './fields/contract.ts';

const none: Readonly<Record<string, Form>> = {};

/**
 * Returns the forms to show. After a run, these are the server's forms. Before the first run, and
 * while the text differs from the one that ran, these are the forms in the text, plus server forms
 * that occur in no text (created by code).
 */
export function formsToShow(
  text: string,
  paragraph: ParagraphState,
): Readonly<Record<string, Form>> {
  const { server, draft } = paragraph;
  const stored = server.settings?.forms ?? none;
  const changed = draft !== undefined || server.dateStarted === undefined || isOutdated(server);
  if (!changed || !text.includes('${')) return stored;
  const config = configForText(paragraph, text);
  const { forms } = textForms(formSource({ text, config }));
  const ran = textForms(formSource(server)).forms;
  const made = Object.entries(stored).filter(
    ([name]) => !Object.hasOwn(forms, name) && !Object.hasOwn(ran, name),
  );
  return Object.keys(forms).length === 0 && made.length === Object.keys(stored).length
    ? stored
    : { ...forms, ...Object.fromEntries(made) };
}

/** Returns the visible forms in normalized notation. */
export function shownForms(
  forms: Readonly<Record<string, Form>>,
): { name: string; form: ShownForm }[] {
  return Object.entries(forms)
    .map(([name, form]) => ({ name, form: normalizeForm(form) }))
    .filter(({ form }) => !form.hidden);
}
