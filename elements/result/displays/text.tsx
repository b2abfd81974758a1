import { ArrowDown, ArrowUp } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { outputText } from 'tiding/client';
import { exportFileName } from 'tiding/model';
import { useIsNear } from '../../runtime/near.ts';
import { Button } from '../../ui/button.tsx';
import type { DisplayProps } from '../contract.ts';
import { formatInteger } from '../numbers.ts';
import { ResizeHandle } from '../resize-handle.tsx';
import { resultText } from '../text.ts';
import { isJson, JsonSwitch } from './json/json-switch.tsx';
import { TextBlock } from './text-block.tsx';
import { blockLines } from './text-log.ts';
import { useFollow } from './use-follow.ts';
import { useTextLog } from './use-text-log.ts';

/** Blocks in the page while the end is followed, and by how much "Show more" grows that. */
const tailBlocks = 20;
/** Most blocks that gather while the reader is away from the end of a running output. */
const gatheredBlocks = 200;

const words = resultText.text;

/** Text as a terminal shows it; a JSON document also as a tree. */
export function TextDisplay(props: DisplayProps) {
  const { output, running, bare, title, graph, onGraph, width } = props;
  const json = useMemo(() => !running && !bare && isJson(output), [output, running, bare]);
  return (
    <JsonSwitch
      offered={json}
      output={output}
      title={title}
      height={graph.height}
      onHeight={(height) => onGraph({ height })}
      width={width}
    >
      <TextView {...props} />
    </JsonSwitch>
  );
}

/** Lines in a box that can follow its end. Of a long text only the end is in the page. */
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
  place,
}: DisplayProps) {
  const [preview, setPreview] = useState<number | null>(null);
  const height = preview ?? graph.height;
  const [first, setFirst] = useState<number | null>(null);
  const { log, complete } = useTextLog(output, first);
  const tail = Math.max(0, log.blockCount - tailBlocks);
  // Away from the end nothing above the reader goes; at the end the window moves along.
  const from =
    first === null
      ? tail
      : Math.min(tail, Math.max(first, running ? log.blockCount - gatheredBlocks : 0));
  const { box, content, following, overflows, follow, leave, toTop } = useFollow(
    running,
    useIsNear(),
    complete && tail > 0,
  );
  const held = useRef<number | null>(null);
  // What comes goes into the last output.
  const isLast = !place || index >= place.paragraph.outputs.length - 1;

  useLayoutEffect(() => {
    // The window stays put for a reader who is somewhere in it; not before there is something to read.
    if (following || !complete) setFirst(null);
    else setFirst((old) => old ?? from);
  }, [following, complete, from]);
  useLayoutEffect(() => {
    if (held.current === null || !box.current) return;
    box.current.scrollTop = box.current.scrollHeight - held.current;
    held.current = null;
  }, [from, box]);

  const showMore = (): void => {
    // Who wants what stands above reads there: a window above the end, where it would be followed again.
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
        <div className="text-above">
          <span className="grow">{words.above(formatInteger(from * blockLines))}</span>
          <Button size="sm" onClick={showMore}>
            {words.showMore}
          </Button>
          <Button size="sm" onClick={save}>
            {words.download}
          </Button>
        </div>
      )}
      <div
        ref={box}
        className="text-box"
        style={{ maxHeight: height }}
        {...(overflows && { tabIndex: 0, role: 'region', 'aria-label': words.label(title) })}
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
          {following ? words.scrollTop : words.followOutput}
        </Button>
      )}
      {(overflows || width) && !bare && (
        <ResizeHandle
          width={width}
          height={graph.height}
          onPreview={setPreview}
          onHeight={(next) => onGraph({ height: next })}
        />
      )}
    </div>
  );
}
