import { type Output, outputText } from '@tiding/client';
import { type ReactNode, useMemo, useState } from 'react';
import { CodeBoundary, lazyCode } from '../../../runtime/lazy-code.tsx';
import { Segments } from '../../../ui/segments.tsx';
import type { DisplayProps } from '../../contract.ts';
import { useResultHeight } from '../../parts/resize-handle.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { looksLikeJson } from './json-error.ts';
import { jsonTexts as uiText } from './texts.ts';

const Tree = lazyCode(() => import('./json-tree.tsx'));
/** Longer outputs, in characters, are shown only as text. */
const maxJsonLength = 64 * 1024 * 1024;

/**
 * Whether an output is a single JSON object or array. Checks both ends before joining the chunks,
 * which is expensive.
 */
export function isJson(output: Output): boolean {
  const { chunks, count } = output;
  if (
    count === 0 ||
    !/^\s*[{[]/.test(chunks[0]!.slice(0, 200)) ||
    !/[}\]]\s*$/.test(chunks[count - 1]!.slice(-200))
  )
    return false;
  const text = outputText(output);
  return text.length <= maxJsonLength && looksLikeJson(text);
}

interface SwitchProps extends DisplayProps {
  /** Whether the output is JSON, so that a tree can be offered. */
  offered: boolean;
  /** The text view of the output. */
  children: ReactNode;
}

/** Lets the user switch a JSON document between text and tree. */
export function JsonSwitch({ offered, children, ...props }: SwitchProps) {
  const { output, title, graph } = props;
  const [chosen, setTree] = useState(false);
  const tree = chosen && offered;
  const [height, handle] = useResultHeight(props);
  const text = useMemo(() => (tree ? outputText(output) : ''), [tree, output]);
  return (
    <>
      {offered && (
        <Segments
          className="segments json-switch"
          label={uiText.view}
          value={tree ? 'tree' : 'text'}
          options={[
            ['text', uiText.text],
            ['tree', uiText.tree],
          ]}
          onValue={(view) => setTree(view === 'tree')}
        />
      )}
      {tree ? (
        <div className="json-outer">
          <CodeBoundary fallback={<Skeleton height={graph.height} />}>
            <Tree key={text.length} text={text} title={title} height={height} />
          </CodeBoundary>
          {handle}
        </div>
      ) : (
        children
      )}
    </>
  );
}
