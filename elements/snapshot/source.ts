import { type Note, type Output, parseNote, TidingError } from '@tiding/client';
import { isJsonObject, type NoteImages, noteTitle, type StoredTables } from '@tiding/client/model';
import type { Note as NoteFile, Paragraph, Results } from '@tiding/client/protocol';
import { type OutputData, outputOf, readData } from '../output/data.ts';
import { configOfRows, configsOf, type OutputConfig } from '../output/view-config.ts';

/**
 * A note to render: one that the client has open, or a note file (`.zpln`), as JSON or as text.
 */
export type SnapshotSource = Note | NoteFile | string;

/** A paragraph with its outputs. */
export interface SourceParagraph {
  readonly paragraph: Paragraph;
  readonly outputs: readonly Output[];
}

/** What a snapshot shows of a note. */
export interface SourceNote {
  readonly id: string;
  readonly title: string;
  readonly file: Pick<NoteFile, 'noteForms' | 'noteParams'>;
  readonly paragraphs: readonly SourceParagraph[];
  /** Its images, which only the file of a note contains. */
  readonly images: NoteImages;
}

const isOpen = (source: Note | NoteFile): source is Note => 'state' in source;

/** Reads a note. Throws `protocol` if it is none. */
export function readSource(source: SnapshotSource): SourceNote {
  const note = typeof source === 'string' ? (parseNote(source) as unknown as NoteFile) : source;
  if (isOpen(note)) {
    const { state } = note;
    return {
      id: note.id,
      title: noteTitle({ id: note.id, name: state.path }),
      file: state as SourceNote['file'],
      paragraphs: state.order.map((id) => {
        const { server, outputs } = state.paragraphs[id]!;
        return { paragraph: server, outputs };
      }),
      images: {},
    };
  }
  if (!isJsonObject(note) || !Array.isArray(note['paragraphs']))
    throw new TidingError(
      'protocol',
      'This is not a note: it has no paragraphs. Pass an open note or the content of a .zpln file.',
    );
  const file = note as unknown as NoteFile;
  return {
    id: file.id,
    title: noteTitle(file),
    file,
    paragraphs: file.paragraphs!.map((paragraph) => ({
      paragraph,
      outputs: outputsIn(paragraph.results),
    })),
    images: imagesIn((note as { images?: unknown }).images),
  };
}

const imagesIn = (images: unknown): NoteImages =>
  Object.fromEntries(
    Object.entries(isJsonObject(images) ? images : {}).filter(
      (each): each is [string, string] => typeof each[1] === 'string',
    ),
  );

/** The outputs of a result. */
export const outputsIn = (results: Results | undefined): Output[] =>
  (results?.msg ?? []).map((message) => outputOf(message, message.rows));

/** The paragraphs that show a page's own data, and the rows of their tables. */
export async function readOutputs(
  data: OutputData,
  config: OutputConfig = {},
): Promise<{ readonly paragraphs: SourceParagraph[]; readonly tables: StoredTables }> {
  const content = await readData(data);
  const rows = 'rows' in content ? content.rows : undefined;
  const table = { type: 'TABLE', chunks: [''], count: 1 };
  const blocks = 'rows' in content ? [{ outputs: [table], status: 'FINISHED' }] : content.blocks;
  const configs = rows ? [configOfRows(config, rows)] : configsOf(config, blocks);
  return {
    paragraphs: blocks.map(({ outputs, status }, at) => ({
      paragraph: { id: String(at), status, config: configs[at] } as Paragraph,
      outputs,
    })),
    tables: new Map(rows ? [['0.0', rows]] : []),
  };
}
