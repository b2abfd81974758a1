import { isolateHistory } from '@codemirror/commands';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { type EditorCallbacks, editorCallbacks } from './callbacks.ts';
import { changedRange } from './changed-range.ts';
import { changing, fromOutside, sharedExtensions } from './extensions.ts';
import { codeSize } from './font-size.ts';
import { type CursorTarget, type EditorHandle, focusAt, handleOf } from './handle.ts';
import { keyChoice } from './keys/key-choice.ts';
import { loadedKeySet, loadKeySet } from './keys/load-keys.ts';
import { loadedLanguage, loadLanguage } from './languages/languages.ts';
import type { LineError } from './marks/error-lines.ts';
import { errorSummary } from './marks/error-spans.ts';
import { marksInEditor, showMarks } from './marks/find-marks.ts';
import type { FindMark } from './marks/overlay.ts';
import { type EditorPresence, presenceExtension, showCarets } from './marks/remote-carets.ts';
import { changesBetween, createEcho } from './text-sync.ts';
import { editorTexts } from './texts.ts';

export interface CodeEditorProps extends EditorCallbacks {
  /** The text as known to the owner. */
  value: string;
  language?: string;
  readOnly?: boolean;
  lineNumbers?: boolean;
  /** Stored font size in points, 9 to 20; 9 means the default size. */
  fontSize?: number;
  /** Takes the focus when it is, or becomes, true. */
  autoFocus?: boolean;
  /** Cursor position when taking the focus. */
  placeAt?: CursorTarget;
  /** Accessible name. */
  label?: string;
  /** Shown while the editor has the focus and no code. */
  hint?: string | undefined;
  /**
   * Search matches in the text. They are not reported back, and move with the text until they are
   * replaced.
   */
  marks?: readonly FindMark[] | undefined;
  /**
   * Texts before `value` that a command of this user has replaced, oldest first. The editor can
   * undo back to them. Empty or absent if `value` came from elsewhere.
   */
  past?: readonly string[] | undefined;
  /** Errors of the last run, with their lines. */
  errors?: readonly LineError[] | undefined;
  /** Called when the editor has taken the focus; returns the text typed while it was loading. */
  typed?: (() => string) | undefined;
  /** Cursors of other users, and a callback for this user's own. */
  presence?: EditorPresence | undefined;
  /** Set to the editor's imperative handle while it is mounted. */
  handle?: RefObject<EditorHandle | null> | undefined;
}

const noMarks: readonly FindMark[] = [];
const noErrors: readonly LineError[] = [];

/**
 * The editor itself; load it lazily. It is controlled, but never works against the user: a new
 * `value` replaces only the part that differs, the cursor stays with its text, and the echo of
 * typed text is ignored.
 */
export default function CodeEditor(props: CodeEditorProps) {
  const {
    value,
    language,
    readOnly = false,
    lineNumbers = false,
    fontSize,
    autoFocus = false,
    label = editorTexts.label,
    hint = '',
    marks = noMarks,
    errors = noErrors,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const said = errorSummary(errors);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const { view, echo, known } = useView(host, latest);

  useLayoutEffect(() => {
    if (!view.current || echo.current.isEcho(value)) return;
    const before = view.current.state.doc.toString();
    const changes = changesBetween(before, value);
    known.current = value;
    if (changes.length === 0) return;
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
        changing.hinting.reconfigure(changing.hint(hint)),
      ],
    });
  }, [readOnly, lineNumbers, label, said, hint, view]);
  useLayoutEffect(() => {
    if (view.current) showMarks(view.current, marksInEditor(latest.current.value, marks));
  }, [marks, view]);
  const shownErrors = useRef(errors);
  useEffect(() => {
    const before = shownErrors.current;
    shownErrors.current = errors;
    if (errors.length > 0 || before.length > 0)
      void import('./marks/diagnostics.ts').then(
        ({ showErrors }) =>
          view.current && shownErrors.current === errors && showErrors(view.current, errors),
      );
  }, [errors, view]);
  useEffect(() => {
    return followKeys(view);
  }, [view]);
  useEffect(() => {
    let current = true;
    void loadLanguage(language, latest.current.value).then((support) => {
      if (current)
        view.current?.dispatch({
          effects: changing.language.reconfigure(changing.languageOf(language, support)),
        });
    });
    return () => {
      current = false;
    };
  }, [language, view]);
  const isChecked = language === 'python' && props.check !== undefined && !readOnly;
  useEffect(() => {
    if (!isChecked) return undefined;
    let end: (() => void) | undefined = () => {};
    void import('./marks/lint.ts').then(({ checkCode }) => {
      if (end && view.current) end = checkCode(view.current);
    });
    return () => {
      if (view.current) end?.();
      end = undefined;
    };
  }, [isChecked, view]);
  const { carets } = props.presence ?? {};
  useLayoutEffect(() => {
    if (view.current && carets) showCarets(view.current, carets);
  }, [carets, view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again at another font size
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

/** Creates the editor view once. The hooks it calls are always those of the last render. */
function useView(host: RefObject<HTMLDivElement | null>, latest: RefObject<CodeEditorProps>) {
  const view = useRef<EditorView>(null);
  const echo = useRef(createEcho());
  // The text in the editor. The owner's text may be ahead of it by remote changes that are not
  // rendered yet.
  const known = useRef(latest.current.past?.[0] ?? latest.current.value);
  useLayoutEffect(() => {
    const {
      value,
      language,
      readOnly = false,
      lineNumbers = false,
      label = editorTexts.label,
      hint = '',
      past = [],
    } = latest.current;
    const hooks = (): EditorCallbacks => ({ ...latest.current, onChange: report });
    const report: EditorCallbacks['onChange'] = (text, _from, change) => {
      const from = known.current;
      known.current = text;
      echo.current.reported(text);
      latest.current.onChange(text, from, change);
    };
    const doc = past[0] ?? value;
    const editor = new EditorView({
      parent: host.current!,
      root: host.current!.getRootNode() as ShadowRoot | Document,
      state: EditorState.create({
        doc,
        extensions: [
          editorCallbacks.of(hooks),
          changing.language.of(changing.languageOf(language, loadedLanguage(language, doc))),
          // From the start, because the first keys may follow at once.
          changing.keys.of(loadedKeySet(keyChoice.get().keys) ?? changing.usualKeys),
          changing.completion.of(changing.completionList(keyChoice.get().completesTyping)),
          changing.access.of(changing.readOnly(readOnly)),
          changing.numbers.of(changing.lineNumbers(lineNumbers)),
          changing.naming.of(changing.label(label)),
          changing.hinting.of(changing.hint(hint)),
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
  }, [host, latest]);
  return { view, echo, known };
}

/**
 * Applies the chosen key set and completion to an editor, now and whenever they change. Returns an
 * unsubscribe function.
 */
function followKeys(view: RefObject<EditorView | null>): () => void {
  let shown = 'default';
  let completes = keyChoice.get().completesTyping;
  const follow = async (): Promise<void> => {
    const { keys, completesTyping } = keyChoice.get();
    if (completesTyping !== completes)
      view.current?.dispatch({
        effects: changing.completion.reconfigure(changing.completionList(completesTyping)),
      });
    completes = completesTyping;
    if (keys === shown) return;
    shown = keys;
    const extension = keys === 'default' ? changing.usualKeys : await loadKeySet(keys);
    if (keyChoice.get().keys === keys)
      view.current?.dispatch({
        effects: changing.keys.reconfigure(extension ?? changing.usualKeys),
      });
  };
  void follow();
  return keyChoice.subscribe(() => void follow());
}

/**
 * Annotations for a change that this user made outside the editor: it is not reported back, and is
 * a separate undo step.
 */
const ownStep = [fromOutside.of(true), isolateHistory.of('full')];
