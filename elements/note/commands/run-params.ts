import { configForText, type Paragraph, type ParagraphState, paragraphText } from '@tiding/client';
import { formSource, isSameJson, paramsFor, textForms } from '@tiding/client/model';
import type { NoteUi } from '../ui/note-ui.ts';

const currentSource = (state: ParagraphState, text: string) =>
  formSource({ ...state.server, text, config: configForText(state, text) });

/**
 * Returns the parameters for a run of some paragraphs: `chosen` plus the locked values, without
 * those for none of them, because a host passes on all values of a selection. Locked values of note
 * forms are stored in the note first, because runs read them from there.
 */
export async function runParams(
  { note, locked }: Pick<NoteUi, 'note' | 'locked'>,
  targets: readonly Paragraph[],
  chosen: Readonly<Record<string, unknown>> = {},
): Promise<{ params?: Record<string, unknown> }> {
  const { values } = locked.get();
  const { forms, params, paragraphs } = note.state;
  // Before its first run, a form exists only in the paragraph text.
  const written = new Set(
    Object.keys(values).length === 0
      ? []
      : Object.values(paragraphs).flatMap((paragraph) =>
          Object.keys(textForms(currentSource(paragraph, paragraphText(paragraph))).noteForms),
        ),
  );
  const ofNote = Object.entries(values).filter(
    ([name, value]) =>
      (Object.hasOwn(forms, name) || written.has(name)) && !isSameJson(params[name], value),
  );
  if (ofNote.length > 0) await note.setParams(Object.fromEntries(ofNote));
  const all: Record<string, unknown> = {};
  for (const { text, state } of targets)
    Object.assign(all, paramsFor(currentSource(state, text), { ...chosen, ...values }));
  return Object.keys(all).length > 0 ? { params: all } : {};
}
