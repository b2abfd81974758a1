import type { ParagraphState } from '@tiding/client';
import { CloudOff, GitMerge } from 'lucide-react';
import { useContext, useState } from 'react';
import { CodeBoundary, lazyCode } from '../../runtime/lazy-code.tsx';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { collaborationTexts } from '../presence/texts.ts';
import { paragraphTexts } from './texts.ts';
import { OnlineContext, type ParagraphActions } from './use-paragraph.ts';

const ConflictView = lazyCode(() => import('./conflict.tsx'));

/**
 * Strips that explain why a text is not saved: a conflict, a refused save, or a lost connection.
 */
export function Strips({
  paragraph,
  actions,
}: {
  paragraph: ParagraphState;
  actions: ParagraphActions;
}) {
  const online = useContext(OnlineContext);
  const { conflict, commitError, draft } = paragraph;
  const [merging, setMerging] = useState(false);
  if (conflict) {
    return (
      <>
        <div className="strip in-row warning" role="alert">
          <Icon of={GitMerge} />
          <span className="grow">{paragraphTexts.conflict}</span>
          <Button size="sm" kind="secondary" onClick={actions.keepMine}>
            {paragraphTexts.keepMine}
          </Button>
          <Button size="sm" kind="secondary" onClick={actions.takeTheirs}>
            {paragraphTexts.takeTheirs}
          </Button>
          <Button
            size="sm"
            kind="secondary"
            aria-expanded={merging}
            onClick={() => setMerging(!merging)}
          >
            {collaborationTexts.merge}
          </Button>
          {merging ? null : (
            <details className="strip-theirs">
              <summary>{paragraphTexts.theirs}</summary>
              <pre>{conflict.theirs}</pre>
            </details>
          )}
        </div>
        {merging ? (
          <CodeBoundary fallback={null}>
            <ConflictView
              conflict={conflict}
              mine={draft ?? ''}
              onChange={actions.edit}
              onSave={() => (setMerging(false), actions.keepMine())}
            />
          </CodeBoundary>
        ) : null}
      </>
    );
  }
  const message =
    commitError !== undefined && draft !== undefined
      ? fill(paragraphTexts.draftRefused, { reason: commitError })
      : !online && draft !== undefined
        ? paragraphTexts.draftOffline
        : undefined;
  if (message === undefined) return null;
  return (
    <div className={`strip in-row ${commitError === undefined ? 'info' : 'warning'}`} role="status">
      <Icon of={CloudOff} />
      <span className="grow">{message}</span>
    </div>
  );
}
