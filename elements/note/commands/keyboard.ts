/** Keys of a note's page: which command a key event stands for. */
import { paragraphCommands } from './paragraph.tsx';
import { noteCommands } from './note.tsx';
import { collectorOf } from '../../editor/type-ahead.ts';
import { canRun, placeOf, type Command, type NotePlace, type ParagraphPlace } from './contract.ts';
import type { NoteView } from '../view.tsx';

/** `Ctrl+Alt+K` of an event: modifiers in a fixed order, the key as a US keyboard prints it without them. */
export function keysOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>,
): string {
  const { code, key } = event;
  const plain = /^Key[A-Z]$/.test(code)
    ? code.slice(3)
    : /^Digit\d$/.test(code)
      ? code.slice(5)
      : code === 'Minus'
        ? '-'
        : code === 'Equal'
          ? '='
          : code === 'Period'
            ? '.'
            : key;
  return [
    event.ctrlKey && 'Ctrl',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
    event.metaKey && 'Meta',
    plain,
  ]
    .filter(Boolean)
    .join('+');
}

const normal = (keys: string): string => {
  const parts = keys.split('+');
  const last = parts.pop()!;
  return [...['Ctrl', 'Alt', 'Shift', 'Meta'].filter((part) => parts.includes(part)), last].join(
    '+',
  );
};

/** Two tables that look commands up by their keys. */
const byKeys = <At extends NotePlace>(
  commands: readonly Command<At>[],
): ReadonlyMap<string, Command<At>> =>
  new Map(
    commands.flatMap((command) =>
      (command.keys ?? []).map((keys) => [normal(keys), command] as const),
    ),
  );
const onParagraph = byKeys<ParagraphPlace>(paragraphCommands);
const onNote = byKeys<NotePlace>(noteCommands);

/** Whether a key goes to something that is typed into. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement)
  );
}

/** Does what a key stands for, on the focused paragraph or the note; answers whether it was one of ours. */
export function handleKey(view: NoteView, event: KeyboardEvent): boolean {
  // A report is read: the page's keys stay the browser's (specification).
  if (view.state.get().look === 'report') return false;
  const keys = keysOf(event);
  // The browser's own 'save page' would be of no use here (specification's client); some sets of keys search with it.
  if (keys === 'Ctrl+S' || keys === 'Meta+S') {
    if (keys === 'Ctrl+S') view.editors.get(view.state.get().focused ?? '')?.current?.search();
    return true;
  }
  const one = onParagraph.get(keys);
  if (one && placeOf(view, view.state.get().focused)) {
    const act = (): void => {
      const place = placeOf(view, view.state.get().focused);
      if (place && canRun(one, place)) void view.act(() => one.run(place));
    };
    // While an editor is on its way, its paragraph is what is meant, with what was typed before.
    const ahead = collectorOf(event);
    if (ahead) ahead.hold(act);
    else act();
    return true;
  }
  const whole = onNote.get(keys);
  if (!whole || (whole.typing === 'editor' && isTyping(event))) return false;
  if (canRun(whole, { view })) void view.act(() => whole.run({ view }));
  return true;
}
