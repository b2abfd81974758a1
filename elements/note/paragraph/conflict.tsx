/**
 * Full view of a conflict: the common base, the server's text, and an editable local text to merge
 * them in.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { Conflict } from '@tiding/client';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { changedRange } from '../../editor/changed-range.ts';
import { Button } from '../../ui/button.tsx';
import { collaborationTexts as t } from '../presence/texts.ts';

interface ConflictProps {
  conflict: Conflict;
  /** The local text. Every change is kept immediately, like typed text. */
  mine: string;
  onChange: (text: string) => void;
  onSave: () => void;
}

/** Full view of a conflict; loaded on demand. */
export default function ConflictView({ conflict, mine, onChange, onSave }: ConflictProps) {
  const host = useRef<HTMLDivElement>(null);
  const merge = useRef<MergeView>(null);
  const latest = useRef({ conflict, mine, onChange });
  useLayoutEffect(() => {
    latest.current = { conflict, mine, onChange };
  });
  useEffect(() => {
    const label = (name: string) => EditorView.contentAttributes.of({ 'aria-label': name });
    const view = new MergeView({
      parent: host.current!,
      root: host.current!.getRootNode() as ShadowRoot | Document,
      revertControls: 'a-to-b',
      renderRevertControl: () => {
        const button = document.createElement('button');
        button.type = 'button';
        button.title = t.takeChunk;
        button.setAttribute('aria-label', t.takeChunk);
        button.textContent = '→';
        return button;
      },
      a: {
        doc: latest.current.conflict.theirs,
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.lineWrapping,
          label(t.theirs),
        ],
      },
      b: {
        doc: latest.current.mine,
        extensions: [
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          label(t.mine),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const text = state.doc.toString();
            if (docChanged && text !== latest.current.mine) latest.current.onChange(text);
          }),
        ],
      },
    });
    merge.current = view;
    return () => {
      merge.current = null;
      view.destroy();
    };
  }, []);
  // The local text may also be changed in the paragraph's editor, and the server's text may change
  // again.
  useLayoutEffect(() => {
    const { a, b } = merge.current ?? {};
    const ours = b && changedRange(b.state.doc.toString(), mine);
    if (ours) b.dispatch({ changes: ours });
    const others = a && changedRange(a.state.doc.toString(), conflict.theirs);
    if (others) a.dispatch({ changes: others });
  }, [mine, conflict.theirs]);
  return (
    <div className="conflict">
      <p className="conflict-hint">{t.mergeHint}</p>
      <div className="conflict-names" aria-hidden="true">
        <span>{t.theirs}</span>
        <span>{t.mine}</span>
      </div>
      <div ref={host} className="conflict-merge" />
      <details className="conflict-base">
        <summary>{t.base}</summary>
        <pre>{conflict.base ?? t.baseUnknown}</pre>
      </details>
      <div className="conflict-foot">
        <Button kind="primary" onClick={onSave}>
          {t.saveMerged}
        </Button>
      </div>
    </div>
  );
}
