/** How the editor treats a paragraph's language: its own magic, and what the server answers about it. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ParagraphState } from 'tiding/client';
import { editorMode, magicOf } from 'tiding/model';
import type { EditorSetting } from 'tiding/protocol';
import type { NoteView } from '../note/view.tsx';
import { useSelect } from '../runtime/hooks.ts';

/** How much of the first line, and of the second, is looked at for magic. */
const headLength = 30;

/** The magic that stands complete in a text, with what ends its name; '' without one (specification's client). */
export function settledMagic(text: string): string {
  const [first = '', second = ''] = text.split('\n', 2);
  const head =
    first.trim() === '' && first.length < headLength
      ? `${first}\n${second.slice(0, headLength)}\n`
      : `${first.slice(0, headLength)}${text.length > first.length ? '\n' : ''}`;
  return /^\s*%([\w.]+)(?=[\s(])/.exec(head)?.[1] ?? '';
}

/** What is known of a paragraph's language. */
export interface Manners extends EditorSetting {
  /** Mode of the editor. */
  readonly language: string;
  /** The paragraph has come near the window: the server may be asked now. */
  readonly onNear: () => void;
}

interface Answer {
  readonly key: string;
  readonly setting: EditorSetting | undefined;
}

/**
 * Asks when a paragraph without a stored mode comes near, and again when its magic becomes another, or the note's bindings
 * do while it has none. What is asked is answered within 5 s or not at all; meanwhile the magic itself tells the language.
 */
export function useEditorSetting(
  view: NoteView,
  id: string,
  paragraph: ParagraphState,
  text: string,
): Manners {
  const { config } = paragraph.server;
  // The list itself is picked: this is asked at every change of the note.
  const bindings = useSelect(view.client, (state) => state.open[view.note.id]?.bindings, undefined);
  const bound = useMemo(
    () =>
      bindings
        ?.filter(({ selected }) => selected)
        .map(({ id: setting }) => setting)
        .join(' '),
    [bindings],
  );
  const [near, setNear] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const magic = settledMagic(text);
  const first = useRef({ magic, bound, stored: config?.editorMode !== undefined });
  // Bindings that are only looked up are no change.
  if (first.current.bound === undefined) first.current = { ...first.current, bound };
  const key = magic === '' ? ` ${bound ?? ''}` : magic;
  const firstKey =
    first.current.magic === '' ? ` ${first.current.bound ?? ''}` : first.current.magic;
  const asked = useRef(first.current.stored ? firstKey : undefined);
  useEffect(() => {
    if (
      !near ||
      asked.current === key ||
      (asked.current !== undefined &&
        asked.current.trim() === '' &&
        magic === '' &&
        first.current.bound === bound)
    )
      return;
    asked.current = key;
    // A note that was closed meanwhile, a server that does not know the magic: the magic itself tells.
    void (async () => {
      const setting = await view.paragraph(id)?.editorSetting({ keep: true });
      if (asked.current === key) setAnswer({ key, setting });
    })().catch(() => {});
  }, [near, key, magic, bound, view, id]);

  const setting =
    answer?.key === key ? answer.setting : key === firstKey ? config?.editorSetting : undefined;
  const fallback = view.client.state.server?.tiding ? 'sql' : 'scala';
  const told =
    setting?.language !== undefined && setting.language !== 'text' ? setting.language : undefined;
  const fresh = answer?.key === key && told !== undefined;
  const language = fresh
    ? told
    : magicOf(text)
      ? editorMode(text, told ?? 'text')
      : (told ?? fallback);
  return { ...setting, language, onNear: useCallback(() => setNear(true), []) };
}
