/** One paragraph of an open note, and what its buttons do. */
import { useMemo } from 'react';
import { isTidingError, type Client, type Note, type ParagraphState } from 'tiding/client';
import { isRunning, magicOf } from 'tiding/model';
import { useSelect } from '../runtime/hooks.ts';

/** Commands of a paragraph view; failures go to `fail`. */
export interface ParagraphCommands {
  run(): void;
  cancel(): void;
  edit(text: string): void;
  save(): void;
  setTitle(title: string): void;
  configure(change: Record<string, unknown>): void;
  setParams(params: Record<string, unknown>, run: boolean): void;
  move(by: number): void;
  insertBelow(): void;
  copy(): void;
  clear(): void;
  remove(): void;
  keepMine(): void;
  takeTheirs(): void;
  complete(text: string, offset: number): Promise<{ name: string; value: string; meta?: string }[]>;
}

/** The paragraph's state; renders again only when this paragraph changed. */
export function useParagraph(client: Client, noteId: string, id: string): ParagraphState | undefined {
  return useSelect(client, (state) => state.open[noteId]?.paragraphs[id], undefined);
}

/** Languages whose paragraphs show their result alone once they have run (markdown). */
const proseMagics = new Set(['md', 'markdown', 'angular']);

/** The commands of a paragraph; their identity stays. */
export function useCommands(note: Note, id: string, fail: (message: string) => void): ParagraphCommands {
  return useMemo(() => {
    const paragraph = () => note.paragraph(id);
    const report = (error: unknown) => {
      // Both texts of a conflict, and a text that was not saved, are shown at the paragraph.
      if (!isTidingError(error, 'conflict') && !isTidingError(error, 'aborted') && !isTidingError(error, 'closed')) fail(isTidingError(error) ? error.message : String(error));
    };
    const act = (work: () => PromiseLike<unknown> | void) => {
      try {
        Promise.resolve(work()).catch(report);
      } catch (error) {
        report(error);
      }
    };
    return {
      run: () => act(async () => {
        const target = paragraph();
        if (isRunning(target.status) || target.text.trim() === '') return;
        const result = await target.run();
        const { config } = target.state.server;
        if (result.status === 'FINISHED' && proseMagics.has(magicOf(target.text) ?? '') && !config?.editorHide) {
          await target.configure({ editorHide: true, tableHide: false });
        }
      }),
      cancel: () => act(() => paragraph().cancel()),
      edit: (text) => act(() => paragraph().edit(text)),
      // A refusal is shown at the paragraph, where the text still stands.
      save: () => void paragraph().commit().catch(() => {}),
      setTitle: (title) => act(() => paragraph().setTitle(title)),
      configure: (change) => act(() => paragraph().configure(change)),
      setParams: (params, run) => act(async () => {
        await paragraph().setParams(params);
        if (run && !isRunning(paragraph().status)) await paragraph().run();
      }),
      move: (by) => act(() => paragraph().move(paragraph().index + by)),
      insertBelow: () => act(() => note.insert({ index: paragraph().index + 1 })),
      copy: () => act(() => paragraph().copy()),
      clear: () => act(() => paragraph().clear()),
      remove: () => act(() => paragraph().remove()),
      keepMine: () => act(() => paragraph().keepMine()),
      takeTheirs: () => act(() => paragraph().discard()),
      complete: async (text, offset) =>
        (await paragraph().complete(text, offset)).map(({ name, value, meta }) => ({ name, value, ...(meta ? { meta } : {}) })),
    };
  }, [note, id, fail]);
}
