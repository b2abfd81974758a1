/** One paragraph of an open note, and what its fields do. What its buttons, menu and keys do is in the table of commands. */
import { createContext, useCallback, useMemo, useSyncExternalStore } from 'react';
import { isTidingError, type ParagraphState } from 'tiding/client';
import { canRun, placeOf } from '../note/commands/contract.ts';
import { isRunnable, paragraphCommands, runOne } from '../note/commands/paragraph.tsx';
import type { NoteView } from '../note/view.tsx';

/** What the fields of a paragraph do; failures are shown by the view. */
export interface ParagraphActions {
  /** Does a command of the table, by its id, if it can be done. */
  command(id: string): void;
  edit(text: string, from?: string): void;
  save(): void;
  setTitle(title: string): void;
  configure(change: Record<string, unknown>): void;
  /** A value of a form; `act`: it takes effect now, by a run where one can be asked for. */
  setForm(name: string, value: unknown, act: boolean): void;
  /** Forms without a value get their default, here and with the next run. */
  fillParams(): void;
  keepMine(): void;
  takeTheirs(): void;
  complete(text: string, offset: number): Promise<{ name: string; value: string; meta?: string }[]>;
}

/** Whether the note is connected to its server. */
export const OnlineContext = createContext(false);

/** Far from the window a paragraph shows what has changed at most this much later, ms. */
const AWAY_MS = 500;

/** The paragraph's state; renders again only when this paragraph changed, and seldom while nobody can see it. */
export function useParagraph(
  { client, note, nearness, single }: NoteView,
  id: string,
): ParagraphState | undefined {
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const tell = (): void => {
        clearTimeout(timer);
        timer = undefined;
        listener();
      };
      const undo = [
        client.subscribeParagraph(note.id, id, () => {
          if (single || nearness.isHere(id)) tell();
          else timer ??= setTimeout(tell, AWAY_MS);
        }),
        nearness.subscribe(id, () => {
          if (timer !== undefined && nearness.isHere(id)) tell();
        }),
        () => clearTimeout(timer),
      ];
      return () => undo.forEach((each) => each());
    },
    [client, note, nearness, single, id],
  );
  return useSyncExternalStore(subscribe, () => client.state.open[note.id]?.paragraphs[id]);
}

/** Does a command of the table on a paragraph, if it is there and the command can be done. */
export function doCommand(view: NoteView, id: string, commandId: string): void {
  const command = paragraphCommands.find((entry) => entry.id === commandId);
  const place = placeOf(view, id);
  if (command && place && canRun(command, place)) void view.act(() => command.run(place));
}

/** The actions of a paragraph; their identity stays. */
export function useActions(view: NoteView, id: string): ParagraphActions {
  return useMemo(() => {
    const { note, act } = view;
    const paragraph = () => note.paragraph(id);
    return {
      command: (commandId) => doCommand(view, id, commandId),
      edit: (text, from) => void act(() => paragraph().edit(text, from)),
      // A refusal is shown at the paragraph, where the text still stands.
      save: () => {
        if (!view.leaving)
          void view
            .paragraph(id)
            ?.commit()
            .catch(() => {});
      },
      setTitle: (title) => void act(() => paragraph().setTitle(title)),
      // In a revision it stays on this page.
      configure: (change) =>
        void act(() =>
          note.revision === undefined ? paragraph().configure(change) : paragraph().present(change),
        ),
      setForm: (name, value, run) =>
        void act(async () => {
          const place = run ? placeOf(view, id) : undefined;
          // A run takes the values along, and who may only run may not store them without it.
          if (place && isRunnable(place)) await runOne(place, { [name]: value });
          else await paragraph().setParams({ [name]: value });
        }),
      fillParams: () => view.paragraph(id)?.fillParams(),
      keepMine: () => void act(() => view.resolve(id, 'mine')),
      takeTheirs: () => void act(() => view.resolve(id, 'theirs')),
      complete: async (text, offset) => {
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
  }, [view, id]);
}
