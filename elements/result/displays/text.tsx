import { type Output, outputText } from '@tiding/client';
import { exportFileName } from '@tiding/client/model';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useRenderInFull } from '../../runtime/render-in-full.ts';
import { Button } from '../../ui/button.tsx';
import type { DisplayProps } from '../contract.ts';
import { formatInteger } from '../parts/numbers.ts';
import { useResultHeight } from '../parts/resize-handle.tsx';
import { resultText } from '../texts.ts';
import { isJson, JsonSwitch } from './json/json-switch.tsx';
import { TextBlock } from './text-block.tsx';
import { createTextLog, LINES_PER_BLOCK, type TextLog } from './text-log.ts';
import { useFollow } from './use-follow.ts';

/** Blocks rendered while the view follows the end; "Show more" adds as many. */
const tailBlocks = 20;
/** Maximum number of blocks kept while the reader is away from the end of a running output. */
const gatheredBlocks = 200;

const uiText = resultText.text;

/** Text output with terminal colours; a JSON document can also be shown as a tree. */
export function TextDisplay(props: DisplayProps) {
  const { output, running, bare } = props;
  const json = useMemo(() => !running && !bare && isJson(output), [output, running, bare]);
  return (
    <JsonSwitch {...props} offered={json}>
      <TextView {...props} />
    </JsonSwitch>
  );
}

/** Scrollable lines that can follow the end. Only the end of a long text is rendered. */
function TextView({
  output,
  running,
  status,
  graph,
  onGraph,
  title,
  dateFinished,
  bare,
  download,
  width,
  index,
  context,
}: DisplayProps) {
  const [height, handle] = useResultHeight({ graph, onGraph, width });
  const [first, setFirst] = useState<number | null>(null);
  // Text of a Zeppelin looks as in Zeppelin.
  const server = context?.client.state.server;
  const replaces = server !== undefined && server.tiding === undefined;
  const { log, complete } = useTextLog(output, first, replaces);
  const tail = Math.max(0, log.blockCount - tailBlocks);
  // Away from the end, no block above the reader is removed; at the end, the rendered window moves
  // along.
  const from =
    first === null
      ? tail
      : Math.min(tail, Math.max(first, running ? log.blockCount - gatheredBlocks : 0));
  const { box, content, following, overflows, follow, leave, moveTo, toTop } = useFollow(
    running,
    useRenderInFull(),
    complete && tail > 0,
  );
  const held = useRef<number | null>(null);
  // New output goes into the last output only, so only that one shows a caret.
  const isLast = !context || index >= context.paragraph.outputs.length - 1;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text starts at its end
  useLayoutEffect(() => {
    setFirst(null);
  }, [log]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has reset the first block
  useLayoutEffect(() => {
    // The window stays put for a reader who has scrolled up, also while a large piece of output is
    // being read.
    if (following) setFirst(null);
    else if (complete) setFirst((old) => old ?? from);
  }, [following, complete, from, log]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: blocks were added above
  useLayoutEffect(() => {
    if (held.current === null || !box.current) return;
    moveTo(box.current.scrollHeight - held.current);
    held.current = null;
  }, [from, box, moveTo]);

  const showMore = (): void => {
    // Stop following the end: "Show more" is for reading older lines, and at the end the view would
    // follow again.
    leave();
    if (box.current)
      held.current =
        box.current.scrollHeight -
        box.current.scrollTop +
        (following ? box.current.clientHeight : 0);
    setFirst(Math.max(0, from - tailBlocks));
  };
  const save = (): void =>
    download({
      name: exportFileName(title, dateFinished, 'txt'),
      type: 'text/plain',
      data: outputText(output),
    });
  return (
    <div className="result-text">
      {from > 0 && (
        <div className="text-above in-row small-text dim">
          <span className="grow">{uiText.above(formatInteger(from * LINES_PER_BLOCK))}</span>
          <Button size="sm" onClick={showMore}>
            {uiText.showMore}
          </Button>
          <Button size="sm" onClick={save}>
            {uiText.download}
          </Button>
        </div>
      )}
      <div
        ref={box}
        className={following ? 'text-box following' : 'text-box'}
        style={{ maxHeight: height }}
        {...(overflows && { tabIndex: 0, role: 'region', 'aria-label': uiText.label(title) })}
      >
        <div ref={content} className="result-out text-lines">
          {log.blocks(from).map((block) => (
            <TextBlock key={block.index} block={block} />
          ))}
          {status === 'RUNNING' && complete && isLast && (
            <span className="text-caret" aria-hidden="true" />
          )}
        </div>
      </div>
      {overflows && (
        <Button
          className="text-follow"
          kind="secondary"
          size="sm"
          icon={following ? ArrowUp : ArrowDown}
          onClick={following ? toTop : follow}
        >
          {following ? uiText.scrollTop : uiText.followOutput}
        </Button>
      )}
      {(overflows || width) && !bare && handle}
    </div>
  );
}

/** One parser per output, shared by all views. */
const logs = new WeakMap<Output['chunks'], TextLog>();
/** Time budget in ms for parsing during a render, and for each later slice. */
const renderBudget = 8;
const sliceBudget = 8;

/**
 * Returns the parsed lines of an output from a block on (null for its end), as far as the time
 * allowed. Re-renders until everything is parsed.
 */
function useTextLog(
  { chunks, count }: Output,
  first: number | null,
  replaces: boolean,
): { readonly log: TextLog; readonly complete: boolean } {
  let log = logs.get(chunks);
  if (!log) logs.set(chunks, (log = createTextLog(chunks, replaces)));
  const reader = log;
  const complete = reader.read(count, renderBudget, first);
  const [slices, setSlices] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each slice asks for the next one
  useEffect(() => {
    if (complete) return;
    const timer = setTimeout(() => {
      reader.read(count, sliceBudget, first);
      setSlices((done) => done + 1);
    });
    return () => clearTimeout(timer);
  }, [complete, reader, count, first, slices]);
  return { log, complete };
}
