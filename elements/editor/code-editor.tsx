import { isolateHistory } from '@codemirror/commands';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { changing, fromOutside, sharedExtensions } from './extensions.ts';
import type { LineError } from './error-lines.ts';
import { sayErrors } from './error-spans.ts';
import { focusAt, handleOf, type EditorHandle, type Place } from './handle.ts';
import { editorHooks, type EditorHooks } from './hooks.ts';
import { keyChoice } from './key-choice.ts';
import { keysOf } from './load-keys.ts';
import { loadLanguage, loadedLanguage } from './languages.ts';
import type { Mark } from './overlay.ts';
import { presenceExtension, showCarets, type EditorPresence } from './presence.ts';
import { codeSize } from './size.ts';
import { marksInEditor, showMarks } from './spans.ts';
import { changedRange, createEcho } from './sync.ts';
import { editorText } from '../text/editor.ts';

export interface CodeEditorProps extends EditorHooks {
  /** The text as the owner knows it. */
  value: string;
  language?: string;
  readOnly?: boolean;
  lineNumbers?: boolean;
  /** As stored: points from 9 to 20, where 9 is the design's own size. */
  fontSize?: number;
  /** Takes the focus when it is (or becomes) true. */
  autoFocus?: boolean;
  /** Cursor at the moment of taking the focus. */
  placeAt?: Place;
  /** Accessible name. */
  label?: string;
  /** What was found in the text. Marks report nothing; they move with the text until others are set. */
  marks?: readonly Mark[] | undefined;
  /**
   * Texts before `value` that a command of this person has replaced, oldest first: the editor undoes back to them. Left out
   * or empty where `value` came from elsewhere.
   */
  past?: readonly string[] | undefined;
  /** Errors of the last run, at their lines. */
  errors?: readonly LineError[] | undefined;
  /** Asked when the editor has taken the focus: what was typed while it was on its way. */
  typed?: (() => string) | undefined;
  /** Cursors of others, and who hears of the own. */
  presence?: EditorPresence | undefined;
  /** Filled with what others may do with the editor, for as long as it is there. */
  handle?: RefObject<EditorHandle | null> | undefined;
}

const noMarks: readonly Mark[] = [];
const noErrors: readonly LineError[] = [];

/**
 * The editor itself; load it lazily. Controlled, but never against the user: another `value` replaces only what differs
 * and the cursor stays with its text; the echo of what was typed changes nothing.
 */
export default function CodeEditor(props: CodeEditorProps) {
  const {
    value,
    language,
    readOnly = false,
    lineNumbers = false,
    fontSize,
    autoFocus = false,
    label = editorText.label,
    marks = noMarks,
    errors = noErrors,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const said = sayErrors(errors);
  const { view, echo, known } = useView(host, props);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });

  useLayoutEffect(() => {
    if (!view.current || echo.current.isEcho(value)) return;
    const before = view.current.state.doc.toString();
    const changes = changedRange(before, value);
    known.current = value;
    if (!changes) return;
    const own = latest.current.past?.at(-1) === before;
    view.current.dispatch({
      changes,
      annotations: own ? ownStep : [fromOutside.of(true), Transaction.addToHistory.of(false)],
    });
  }, [value, view, echo, known]);
  useLayoutEffect(() => {
    view.current?.dispatch({
      effects: [
        changing.access.reconfigure(changing.readOnly(readOnly)),
        changing.numbers.reconfigure(changing.lineNumbers(lineNumbers)),
        changing.naming.reconfigure(changing.label(label, said)),
      ],
    });
  }, [readOnly, lineNumbers, label, said, view]);
  useLayoutEffect(() => {
    if (view.current) showMarks(view.current, marksInEditor(latest.current.value, marks));
  }, [marks, view]);
  const shownErrors = useRef(errors);
  useEffect(() => {
    const before = shownErrors.current;
    shownErrors.current = errors;
    if (errors.length > 0 || before.length > 0)
      void import('./diagnostics.ts').then(
        ({ showErrors }) =>
          view.current && shownErrors.current === errors && showErrors(view.current, errors),
      );
  }, [errors, view]);
  useEffect(() => followKeys(view), [view]);
  useEffect(() => {
    let current = true;
    void loadLanguage(language).then((support) => {
      if (current)
        view.current?.dispatch({
          effects: changing.language.reconfigure(changing.languageOf(language, support)),
        });
    });
    return () => {
      current = false;
    };
  }, [language, view]);
  const { carets } = props.presence ?? {};
  useLayoutEffect(() => {
    if (view.current && carets) showCarets(view.current, carets);
  }, [carets, view]);
  useLayoutEffect(() => {
    view.current?.requestMeasure();
  }, [fontSize, view]);
  useLayoutEffect(() => {
    if (!autoFocus || !view.current) return;
    focusAt(view.current, latest.current.placeAt);
    if (view.current.state.readOnly) return;
    const typed = latest.current.typed?.();
    if (typed)
      view.current.dispatch(view.current.state.replaceSelection(typed), {
        userEvent: 'input.type',
      });
  }, [autoFocus, view]);

  return <div ref={host} className="code code-editor" style={codeSize(fontSize)} />;
}

/** Creates the view once; the hooks it calls are always those of the last render. */
function useView(host: RefObject<HTMLDivElement | null>, props: CodeEditorProps) {
  const view = useRef<EditorView>(null);
  const echo = useRef(createEcho());
  // The text that the editor has: the owner's may be ahead of it by what others have written and nobody has drawn yet.
  const known = useRef(props.past?.[0] ?? props.value);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useLayoutEffect(() => {
    const {
      value,
      language,
      readOnly = false,
      lineNumbers = false,
      label = editorText.label,
      past = [],
    } = latest.current;
    const hooks = (): EditorHooks => ({ ...latest.current, onChange: report });
    const report = (text: string): void => {
      const from = known.current;
      known.current = text;
      echo.current.reported(text);
      latest.current.onChange(text, from);
    };
    const editor = new EditorView({
      parent: host.current!,
      root: host.current!.getRootNode() as ShadowRoot | Document,
      state: EditorState.create({
        doc: past[0] ?? value,
        extensions: [
          editorHooks.of(hooks),
          changing.language.of(changing.languageOf(language, loadedLanguage(language))),
          changing.keys.of(changing.usualKeys),
          changing.access.of(changing.readOnly(readOnly)),
          changing.numbers.of(changing.lineNumbers(lineNumbers)),
          changing.naming.of(changing.label(label)),
          presenceExtension(() => latest.current.presence?.onSelect),
          sharedExtensions,
        ],
      }),
    });
    view.current = editor;
    for (const text of [...past.slice(1), ...(past.length > 0 ? [value] : [])]) {
      const changes = changedRange(editor.state.doc.toString(), text);
      if (changes) editor.dispatch({ changes, annotations: ownStep });
    }
    const { handle } = latest.current;
    if (handle) handle.current = handleOf(editor);
    return () => {
      if (handle) handle.current = null;
      view.current = null;
      editor.destroy();
    };
  }, [host]);
  return { view, echo, known };
}

/** Gives an editor the keys its reader has chosen, now and when that changes. Returns what ends it. */
function followKeys(view: RefObject<EditorView | null>): () => void {
  let shown = 'default';
  const follow = async (): Promise<void> => {
    const { keys } = keyChoice.get();
    if (keys === shown) return;
    shown = keys;
    const extension = keys === 'default' ? changing.usualKeys : await keysOf(keys);
    if (keyChoice.get().keys === keys)
      view.current?.dispatch({
        effects: changing.keys.reconfigure(extension ?? changing.usualKeys),
      });
  };
  void follow();
  return keyChoice.subscribe(() => void follow());
}

/** A change that was made outside, and by this person: it is not reported back, and undone on its own. */
const ownStep = [fromOutside.of(true), isolateHistory.of('full')];
