/**
 * Editor settings for a paragraph's language, derived from its magic and from the server's answer.
 */

import type { ParagraphState } from '@tiding/client';
import type { EditorSetting } from '@tiding/client/protocol';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type NoteUi, useNoteState } from '../ui/note-ui.ts';
import { codeLanguage } from './look.ts';

/** Number of characters of the first and second line that are searched for a magic. */
const headLength = 30;

/**
 * Returns the completely typed magic of a text, or '' (as in Zeppelin). A magic is complete when a
 * blank or parenthesis follows its name.
 */
export function settledMagic(text: string): string {
  const [first = '', second = ''] = text.split('\n', 2);
  const head =
    first.trim() === '' && first.length < headLength
      ? `${first}\n${second.slice(0, headLength)}\n`
      : `${first.slice(0, headLength)}${text.length > first.length ? '\n' : ''}`;
  return /^\s*%([\w.]+(?:-[\w.]+)*)(?=[\s(])/.exec(head)?.[1] ?? '';
}

/** Language settings of a paragraph's editor. */
interface EditorLanguageSettings extends EditorSetting {
  /** Mode of the editor. */
  readonly language: string;
  /** Call when the paragraph comes near the window; only then is the server asked. */
  readonly onNear: () => void;
}

interface Answer {
  readonly key: string;
  readonly setting: EditorSetting | undefined;
}

/**
 * Asks the server when a paragraph without a stored mode comes near the window, and again when its
 * magic changes or, without a magic, when the note's bindings change. The server answers within 5 s
 * or not at all. Until then, the language follows from the magic.
 */
export function useEditorSetting(
  ui: NoteUi,
  id: string,
  paragraph: ParagraphState,
  text: string,
): EditorLanguageSettings {
  const { config } = paragraph.server;
  // Select the list itself, because the selector runs on every change of the note.
  const bindings = useNoteState(ui, (note) => note?.bindings);
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
  // Bindings that have just been loaded do not count as a change.
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
    // Ignore errors of a closed note or a server that does not know the magic: the language then
    // follows from the magic.
    void (async () => {
      const setting = await ui.paragraphs.get(id)?.editorSetting({ keep: true });
      if (asked.current === key) setAnswer({ key, setting });
    })().catch(() => {});
  }, [near, key, magic, bound, ui, id]);

  const setting =
    answer?.key === key ? answer.setting : key === firstKey ? config?.editorSetting : undefined;
  const told = setting?.language;
  const fresh = answer?.key === key && told !== undefined && told !== 'text';
  const isTiding = ui.client.state.server?.tiding !== undefined;
  const language = fresh ? told : codeLanguage(text, told, isTiding);
  return { ...setting, language, onNear: useCallback(() => setNear(true), []) };
}
