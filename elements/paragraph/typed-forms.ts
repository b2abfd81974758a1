/** The forms of a paragraph as they are to be shown: the server's, or what is typed since it ran. */
import type { ParagraphState } from 'tiding/client';
import { collectForms, isOutdated } from 'tiding/model';
import type { Form } from 'tiding/protocol';

const none: Readonly<Record<string, Form>> = {};

/**
 * After a run the server's forms win. Before the first one, and while the text is another than the one that ran, those in the
 * text are shown as typed, and with them the server's that stand in no text (forms that the code makes).
 */
export function formsOf(
  text: string,
  { server, draft }: ParagraphState,
): Readonly<Record<string, Form>> {
  const stored = server.settings?.forms ?? none;
  const changed = draft !== undefined || server.dateStarted === undefined || isOutdated(server);
  if (!changed || !text.includes('${')) return stored;
  const { forms } = collectForms(text);
  const ran = collectForms(server.text ?? '').forms;
  const made = Object.entries(stored).filter(
    ([name]) => !Object.hasOwn(forms, name) && !Object.hasOwn(ran, name),
  );
  return Object.keys(forms).length === 0 && made.length === Object.keys(stored).length
    ? stored
    : { ...forms, ...Object.fromEntries(made) };
}
