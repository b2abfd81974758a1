import type { FlowGraph } from '@tiding/client/widgets';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { fill } from '../../text/fill.ts';
import { Icon } from '../../ui/button.tsx';
import { counted } from '../sentences.ts';
import { matchingNodes } from './key-navigation.ts';
import { graphTexts as t } from './texts.ts';

/**
 * Finds nodes by their name or second line. Enter selects the next match, and Shift+Enter the
 * previous one.
 */
export function FlowSearch({
  graph,
  onFound,
}: {
  graph: FlowGraph;
  onFound: (index: number) => void;
}) {
  const [text, setText] = useState('');
  /** Which match was selected last; -1 before the first. */
  const [at, setAt] = useState(-1);
  const matches = useMemo(() => matchingNodes(graph, text), [graph, text]);
  const step = (by: number): void => {
    if (matches.length === 0) return;
    const next = at < 0 && by < 0 ? matches.length - 1 : at + by;
    const wrapped = (next + matches.length) % matches.length;
    setAt(wrapped);
    onFound(matches[wrapped]!);
  };
  const said =
    matches.length === 0
      ? t.notFound
      : at < 0
        ? counted(matches.length, t.matches)
        : fill(t.found, { n: at + 1, all: matches.length });
  return (
    <div className="flow-search">
      <label className="input">
        <Icon of={Search} size="sm" />
        <input
          type="search"
          value={text}
          aria-label={t.find}
          placeholder={t.find}
          onChange={({ target }) => {
            setText(target.value);
            setAt(-1);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          }}
        />
      </label>
      <span role="status">{text.trim() === '' ? '' : said}</span>
    </div>
  );
}
