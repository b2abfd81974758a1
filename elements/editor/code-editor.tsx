import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { changing, fromOutside, sharedExtensions } from './extensions.ts';
import { editorHooks, type EditorHooks } from './hooks.ts';
import { loadLanguage, loadedLanguage } from './languages.ts';
import { place as placeIn, type Mark } from './mark.ts';
import { marksInEditor, setMarks } from './marks.ts';
import { codeSize } from './size.ts';
import { changedRange, createEcho } from './sync.ts';
import { editorText } from './text.ts';

/** Where the cursor goes: a point of the window, or an end of the text. */
export type Place = { readonly x: number; readonly y: number } | 'start' | 'end';

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
  /** Marked stretches of `value`, in order and apart from each other; a new list replaces the one before. */
  marks?: readonly Mark[] | undefined;
  /**
   * Texts before `value` that a command of this person has replaced, oldest first: the editor undoes back to them. Left out
   * or empty where `value` came from elsewhere.
   */
  past?: readonly string[] | undefined;
  /** What was typed while the editor was on its way. */
  typed?: string;
  /** Filled with what others may do with the editor, for as long as it is there. */
  handle?: RefObject<EditorHandle | null> | undefined;
}

/** What others may do with an editor. */
export interface EditorHandle {
  /** Takes the cursor, at a place or where it was. */
  focus(place?: Place): void;
  /** Scrolls a stretch of the text into view, without the focus. In closed code it is the stretch that is marked as the current one. */
  reveal(from: number, to: number): void;
}

/**
 * The editor itself; load it lazily. Controlled, but never against the user: another `value` replaces only what differs
 * and the cursor stays with its text; the echo of what was typed changes nothing.
 */
export default function CodeEditor(props: CodeEditorProps) {
  const { value, language, readOnly = false, lineNumbers = false, fontSize, autoFocus = false, label = editorText.label, marks } = props;
  const host = useRef<HTMLDivElement>(null);
  const { view, echo } = useView(host, props);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });

  useLayoutEffect(() => {
    const changes = view.current && !echo.current.isEcho(value) ? changedRange(view.current.state.doc.toString(), value) : null;
    if (!changes) return;
    const own = latest.current.past?.at(-1) === view.current!.state.doc.toString();
    view.current!.dispatch({ changes, annotations: own ? ownStep : [fromOutside.of(true), Transaction.addToHistory.of(false)] });
  }, [value, view, echo]);
  // After the text: marks are places of the newest one.
  useLayoutEffect(() => {
    view.current?.dispatch({ effects: setMarks.of(marksInEditor(value, marks ?? [])) });
  }, [marks, view]);
  useLayoutEffect(() => {
    view.current?.dispatch({
      effects: [
        changing.access.reconfigure(changing.readOnly(readOnly)),
        changing.numbers.reconfigure(changing.lineNumbers(lineNumbers)),
        changing.naming.reconfigure(changing.label(label)),
      ],
    });
  }, [readOnly, lineNumbers, label, view]);
  useEffect(() => {
    let current = true;
    void loadLanguage(language).then((support) => {
      if (current) view.current?.dispatch({ effects: changing.language.reconfigure(support ?? []) });
    });
    return () => {
      current = false;
    };
  }, [language, view]);
  useLayoutEffect(() => {
    view.current?.requestMeasure();
  }, [fontSize, view]);
  useLayoutEffect(() => {
    if (!autoFocus || !view.current) return;
    focusAt(view.current, latest.current.placeAt);
    const { typed } = latest.current;
    if (typed && !view.current.state.readOnly) view.current.dispatch(view.current.state.replaceSelection(typed), { userEvent: 'input.type' });
  }, [autoFocus, view]);

  return <div ref={host} className="code code-editor" style={codeSize(fontSize)} />;
}

/** Creates the view once; the hooks it calls are always those of the last render. */
function useView(host: RefObject<HTMLDivElement | null>, props: CodeEditorProps) {
  const view = useRef<EditorView>(null);
  const echo = useRef(createEcho());
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useLayoutEffect(() => {
    const { value, language, readOnly = false, lineNumbers = false, label = editorText.label, past = [], marks } = latest.current;
    const hooks = (): EditorHooks => ({ ...latest.current, onChange: report });
    const report = (text: string): void => {
      echo.current.reported(text);
      latest.current.onChange(text);
    };
    const editor = new EditorView({
      parent: host.current!,
      root: host.current!.getRootNode() as ShadowRoot | Document,
      state: EditorState.create({
        doc: past[0] ?? value,
        extensions: [
          editorHooks.of(hooks),
          changing.language.of(loadedLanguage(language) ?? []),
          changing.access.of(changing.readOnly(readOnly)),
          changing.numbers.of(changing.lineNumbers(lineNumbers)),
          changing.naming.of(changing.label(label)),
          sharedExtensions,
        ],
      }),
    });
    view.current = editor;
    for (const text of [...past.slice(1), ...(past.length > 0 ? [value] : [])]) {
      const changes = changedRange(editor.state.doc.toString(), text);
      if (changes) editor.dispatch({ changes, annotations: ownStep });
    }
    if (marks) editor.dispatch({ effects: setMarks.of(marksInEditor(value, marks)) });
    const { handle } = latest.current;
    if (handle) handle.current = { focus: (place) => focusAt(editor, place), reveal: (from, to) => revealIn(editor, latest.current.value, from, to) };
    return () => {
      if (handle) handle.current = null;
      view.current = null;
      editor.destroy();
    };
  }, [host]);
  return { view, echo };
}

/** A change that was made outside, and by this person: it is not reported back, and undone on its own. */
const ownStep = [fromOutside.of(true), isolateHistory.of('full')];

/** Scrolls the page as little as brings the stretch out from under the bars. */
function revealIn(view: EditorView, value: string, from: number, to: number): void {
  const length = view.state.doc.length;
  const range = EditorSelection.range(Math.min(length, placeIn(value, from)), Math.min(length, placeIn(value, to)));
  view.dispatch({ effects: EditorView.scrollIntoView(range, { y: 'nearest', yMargin: revealMargin }) });
}

/** Room for bars above, and for the box of the search, in px. */
const revealMargin = 160;

/** Focuses without scrolling the page: the reader is looking at the place already. */
function focusAt(view: EditorView, place: Place | undefined): void {
  if (place !== undefined) {
    const at = place === 'start' ? 0 : place === 'end' ? view.state.doc.length : (view.posAtCoords(place, false) ?? 0);
    view.dispatch({ selection: EditorSelection.cursor(at) });
  }
  view.focus();
}
