import { CloudOff, GitMerge } from 'lucide-react';
import { useContext } from 'react';
import type { ParagraphState } from 'tiding/client';
import { fill, text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import { OnlineContext, type ParagraphActions } from './use-paragraph.ts';

/** What stands between a person's text and the server: a conflict, a refusal, a connection that is away. */
export function Strips({ paragraph, actions }: { paragraph: ParagraphState; actions: ParagraphActions }) {
  const online = useContext(OnlineContext);
  const { conflict, commitError, draft } = paragraph;
  if (conflict) {
    return (
      <div className="strip warning" role="alert">
        <Icon of={GitMerge} />
        <span className="grow">{text.paragraph.conflict}</span>
        <Button size="sm" kind="secondary" onClick={actions.keepMine}>{text.paragraph.keepMine}</Button>
        <Button size="sm" kind="secondary" onClick={actions.takeTheirs}>{text.paragraph.takeTheirs}</Button>
        <details className="strip-theirs">
          <summary>{text.paragraph.theirs}</summary>
          <pre>{conflict.theirs}</pre>
        </details>
      </div>
    );
  }
  const message = commitError !== undefined && draft !== undefined
    ? fill(text.paragraph.draftRefused, { reason: commitError })
    : !online && draft !== undefined ? text.paragraph.draftOffline : undefined;
  if (message === undefined) return null;
  return (
    <div className={commitError === undefined ? 'strip info' : 'strip warning'} role="status">
      <Icon of={CloudOff} />
      <span className="grow">{message}</span>
    </div>
  );
}
