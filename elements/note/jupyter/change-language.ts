/** Turns a paragraph into Markdown, and back into code. */
import { magicOf, splitMagic } from '@tiding/client/model';
import type { ParagraphTarget } from '../commands/command.ts';
import { present } from '../commands/present.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** Magics that paragraphs had before they became Markdown, by paragraph id. */
const magicsBefore = new WeakMap<NoteUi, Map<string, string | undefined>>();

const isMarkdown = (magic: string | undefined): boolean => magic === 'md' || magic === 'markdown';

const withMagic = (text: string, magic: string | undefined): string => {
  const { scriptOffset } = splitMagic(text);
  const script = text.slice(magicOf(text) === undefined ? 0 : scriptOffset);
  return magic === undefined ? script : `%${magic}\n${script}`;
};

export async function toMarkdown({ ui, paragraph }: ParagraphTarget): Promise<void> {
  const { id, text } = paragraph;
  const magic = magicOf(text);
  if (isMarkdown(magic)) return;
  const before = magicsBefore.get(ui) ?? new Map<string, string | undefined>();
  magicsBefore.set(ui, before.set(id, magic));
  paragraph.edit(withMagic(text, 'md'));
  await paragraph.commit();
}

/**
 * Makes a Markdown paragraph code: in the language it had before, or else in that of the nearest
 * code above or below.
 */
export async function toCode({ ui, note, paragraph, index }: ParagraphTarget): Promise<void> {
  const { id, text } = paragraph;
  if (!isMarkdown(magicOf(text))) return;
  const before = magicsBefore.get(ui);
  const { paragraphs } = note;
  const near = [...paragraphs.slice(0, index).reverse(), ...paragraphs.slice(index + 1)]
    .map((other) => magicOf(other.text))
    .find((magic) => magic !== undefined && !isMarkdown(magic));
  paragraph.edit(withMagic(text, before?.has(id) ? before.get(id) : near));
  await paragraph.commit();
  await present(ui, paragraph, { editorHide: false, tableHide: false });
}
