/** Typing together: patches of a text, and what spells printed. */
import { applyTextPatch, checksum, makeTextPatch } from 'tiding/model';
import { resultMessage } from 'tiding/protocol';
import type { LiveHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';
import { wireDate } from '../notes/note.ts';
import { withoutRows } from '../results/store.ts';
import { orConflict } from './paragraphs.ts';

const STATUSES = ['FINISHED', 'ERROR', 'ABORT'] as const;

/** Live operations. */
export const collaborationLive = {
  PATCH_PARAGRAPH: (request, context) =>
    orConflict(request, context, async () => {
      const { data, connection, person, noteId, msgId } = request;
      const { editor, hub } = context;
      const note = context.notes.get(noteId);
      const paragraph = editor.paragraph(note, data.id);
      if (context.runs.isSequential(noteId))
        throw new Refusal(
          409,
          'Note is now running sequentially. Can not be performed: PATCH_PARAGRAPH',
        );
      let before = paragraph.text;
      // What it was made from, where it names that; else what stands here.
      const base = data.baseRev === undefined ? before : editor.textAt(paragraph, data.baseRev);
      const mine = base === undefined ? undefined : applyTextPatch(base, data.patch);
      if (mine === undefined)
        throw new Refusal(409, 'The patch does not fit the text of the paragraph.');
      await editor.changeText(
        note,
        paragraph,
        () => {
          before = paragraph.text;
          editor.setText(paragraph, mine, data);
          paragraph.user = person.principal;
          paragraph.dateUpdated = wireDate();
        },
        (made) => {
          const about = {
            paragraphId: paragraph.id,
            rev: made.rev,
            checksum: checksum(made.text),
            author: made.author,
          };
          hub.tellNote(
            noteId,
            'PATCH_PARAGRAPH',
            { ...about, patch: makeTextPatch(before, made.text) },
            { except: connection },
          );
          // Who names no version is of another make, and expects no answer.
          if (data.baseRev !== undefined)
            hub.tell(
              connection,
              'PATCH_PARAGRAPH',
              { ...about, patch: makeTextPatch(mine, made.text) },
              msgId,
            );
        },
      );
    }),
  TIDING_RESTORE_PARAGRAPH: ({ data, noteId, person, msgId }, { notes, editor }) =>
    editor.restore(notes.get(noteId), data.index, data.paragraph, person.principal, msgId),
  PARAGRAPH_EXECUTED_BY_SPELL: async (
    { data, connection, person, noteId },
    { notes, editor, hub },
  ) => {
    const note = notes.get(noteId);
    const paragraph = editor.paragraph(note, data.id);
    const status = STATUSES.find((each) => each === data.status) ?? 'FINISHED';
    await editor.change(note, [paragraph], () => {
      editor.apply(
        paragraph,
        { title: data.title, paragraph: data.paragraph, config: data.config, params: data.params },
        person.principal,
      );
      paragraph.status = status;
      if (data.errorMessage) paragraph.errorMessage = data.errorMessage.slice(0, 65_536);
      else delete paragraph.errorMessage;
      paragraph.results = {
        code: data.results?.code ?? status,
        msg: (data.results?.msg ?? [])
          .filter((message) => resultMessage.safeParse(message).success)
          .map(withoutRows),
      };
      paragraph.dateFinished = wireDate();
      const [began, ended] = [
        Date.parse(data.dateStarted ?? ''),
        Date.parse(data.dateFinished ?? ''),
      ];
      if (began <= ended)
        Object.assign(paragraph, { dateStarted: wireDate(new Date(began)), tookMs: ended - began });
      else delete paragraph.tookMs;
    });
    hub.tellNote(noteId, 'RUN_PARAGRAPH_USING_SPELL', { paragraph }, { except: connection });
    editor.onChange(note);
  },
} satisfies Partial<LiveHandlers>;
