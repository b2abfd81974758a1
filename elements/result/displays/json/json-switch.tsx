import {
  lazy,
  Suspense,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { outputText, type Output } from 'tiding/client';
import { jsonText as words } from '../../../text/json.ts';
import type { ResultWidth } from '../../contract.ts';
import { ResizeHandle } from '../../resize-handle.tsx';
import { Skeleton } from '../../skeleton.tsx';
import { mayBeJson } from './fault.ts';

const Tree = lazy(() => import('./tree.tsx'));
/** Longer ones are text alone. */
const longest = 64 * 1024 * 1024;

/** Whether an output is one JSON object or list. Looks at its ends before it puts its chunks together. */
export function isJson(output: Output): boolean {
  const { chunks, count } = output;
  if (
    count === 0 ||
    !/^\s*[{[]/.test(chunks[0]!.slice(0, 200)) ||
    !/[}\]]\s*$/.test(chunks[count - 1]!.slice(-200))
  )
    return false;
  const text = outputText(output);
  return text.length <= longest && mayBeJson(text);
}

interface SwitchProps {
  /** It is a document; else there is nothing to choose. */
  offered: boolean;
  output: Output;
  title: string;
  height: number;
  onHeight: (height: number) => void;
  width: ResultWidth | undefined;
  /** The output as text. */
  children: ReactNode;
}

/** Shows a JSON document as text or as a tree. */
export function JsonSwitch({
  offered,
  output,
  title,
  height,
  onHeight,
  width,
  children,
}: SwitchProps) {
  const [chosen, setTree] = useState(false);
  const tree = chosen && offered;
  const [preview, setPreview] = useState<number | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const text = useMemo(() => (tree ? outputText(output) : ''), [tree, output]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!/^Arrow/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setTree(!tree);
    group.current?.querySelectorAll('button')[tree ? 0 : 1]?.focus();
  };
  return (
    <>
      {offered && (
        <div
          ref={group}
          className="segments json-switch"
          role="radiogroup"
          aria-label={words.view}
          onKeyDown={onKeyDown}
        >
          {(
            [
              [false, words.text],
              [true, words.tree],
            ] as const
          ).map(([value, label]) => (
            <button
              key={label}
              type="button"
              role="radio"
              aria-checked={tree === value}
              tabIndex={tree === value ? 0 : -1}
              onClick={() => setTree(value)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {tree ? (
        <div className="json-outer">
          <Suspense fallback={<Skeleton height={height} />}>
            <Tree key={text.length} text={text} title={title} height={preview ?? height} />
          </Suspense>
          <ResizeHandle height={height} width={width} onPreview={setPreview} onHeight={onHeight} />
        </div>
      ) : (
        children
      )}
    </>
  );
}
