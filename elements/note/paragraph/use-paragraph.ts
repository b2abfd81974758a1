/**
 * Hooks for one paragraph of an open note: its state and the actions of its fields. Actions of its
 * buttons, menu and shortcuts are in the command table.
 */

import { isTidingError, type ParagraphState } from '@tiding/client';
import type { TextChange } from '@tiding/client/changes';
import { createContext, useCallback, useMemo, useSyncExternalStore } from 'react';
import { paragraphTarget } from '../commands/command.ts';
import { present } from '../commands/present.ts';
import { isRunnable, runOne } from '../commands/run-one.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** Actions of a paragraph's fields; failures are shown as toasts. */
export type ParagraphActions = ReturnType<typeof useParagraphActions>;

/** Whether the note is connected to its server. */
export const OnlineContext = createContext(false);

/** Maximum delay before a paragraph far from the window shows changes, in ms. */
const FAR_UPDATE_DELAY_MS = 500;
/** Maximum delay before the parts around an editor show what was typed into it, in ms. */
const TYPED_UPDATE_DELAY_MS = 250;
/** What changes with each key. */
const typedFields: readonly string[] = ['draft', 'base', 'change', 'author'];

/**
 * Returns a function that subscribes to a paragraph's state. It tells changes at a lower rate while
 * the paragraph is far from the window, and while the user types: the editor shows the keys.
 */
export function useNearChanges(
  { client, note, viewport, single, editors }: NoteUi,
  id: string,
): (listener: () => void) => () => void {
  return useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const read = () => client.state.open[note.id]?.paragraphs[id];
      let shown = read();
      const tell = (): void => {
        clearTimeout(timer);
        timer = undefined;
        shown = read();
        listener();
      };
      const isTyped = (): boolean => {
        const now = read();
        return (
          shown?.draft !== undefined &&
          now?.draft !== undefined &&
          editors.isTyped(id, now.draft) &&
          Object.entries(now).every(
            ([name, value]) =>
              typedFields.includes(name) || shown![name as keyof ParagraphState] === value,
          )
        );
      };
      const undo = [
        client.subscribeParagraph(note.id, id, () => {
          if (!single && !viewport.isNear(id)) timer ??= setTimeout(tell, FAR_UPDATE_DELAY_MS);
          else if (isTyped()) timer ??= setTimeout(tell, TYPED_UPDATE_DELAY_MS);
          else tell();
        }),
        viewport.subscribe(id, () => {
          if (timer !== undefined && viewport.isNear(id)) tell();
        }),
        () => clearTimeout(timer),
      ];
      return () => undo.forEach((each) => each());
    },
    [client, note, viewport, single, editors, id],
  );
}

/**
 * Subscribes to a paragraph's state. Renders again only when this paragraph changes, and at a lower
 * rate while it is far from the window.
 */
export function useNearParagraph(ui: NoteUi, id: string): ParagraphState | undefined {
  return useSyncExternalStore(
    useNearChanges(ui, id),
    () => ui.client.state.open[ui.note.id]?.paragraphs[id],
  );
}

/** Returns the actions of a paragraph; the object is stable. */
export function useParagraphActions(ui: NoteUi, id: string) {
  return useMemo(() => {
    const { note } = ui;
    const { act } = ui.messages;
    const paragraph = () => note.paragraph(id);
    return {
      edit: (text: string, from?: string, change?: TextChange) => {
        ui.editors.setTyped(id, text);
        void act(() => paragraph().edit(text, from, change));
      },
      // A refused save is shown at the paragraph, which keeps the text.
      save: () => {
        if (!ui.editors.isSavingPaused)
          void ui.paragraphs
            .get(id)
            ?.commit()
            .catch(() => {});
      },
      setTitle: (title: string) => void act(() => paragraph().setTitle(title)),
      configure: (change: Record<string, unknown>) =>
        void act(() => present(ui, paragraph(), change)),
      /** Sets a form value. With `run` it takes effect immediately if the paragraph can run. */
      setForm: (name: string, value: unknown, run: boolean) =>
        void act(async () => {
          const place = run ? paragraphTarget(ui, id) : undefined;
          // A run sends the values along. Users who may only run the note may not store values
          // without running.
          if (place && isRunnable(place)) await runOne(place, { [name]: value });
          else if (ui.rights.allows('writer')) await paragraph().setParams({ [name]: value });
          else paragraph().presentParams({ [name]: value });
        }),
      /** Sets fields without a value to their default, here and in the next run. */
      fillParams: () => ui.paragraphs.get(id)?.fillParams(),
      keepMine: () => void act(() => ui.paragraphs.resolve(id, 'mine')),
      takeTheirs: () => void act(() => ui.paragraphs.resolve(id, 'theirs')),
      check: async (text: string) => {
        const { client } = ui;
        const { server, open } = client.state;
        const connection = open[note.id]?.connection;
        // Only this server checks code, and a request without a connection fails.
        if (server?.tiding === undefined || connection !== 'open') return undefined;
        const params = { noteId: note.id, paragraphId: id };
        return client.call('checkCode', { params, body: { text } }).then(
          ({ ready, diagnostics }) => (ready ? diagnostics : undefined),
          () => undefined,
        );
      },
      inspect: (text: string, offset: number, hover: boolean) =>
        paragraph().inspect(text, offset, { hover }),
      complete: async (text: string, offset: number) => {
        try {
          return (await paragraph().complete(text, offset)).map(({ name, value, meta }) => ({
            name,
            value,
            ...(meta ? { meta } : {}),
          }));
        } catch (error) {
          if (isTidingError(error)) return [];
          throw error;
        }
      },
    };
  }, [ui, id]);
}
