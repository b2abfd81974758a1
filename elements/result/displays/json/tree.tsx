import { ChevronDown, ChevronRight, Copy } from 'lucide-react';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { jsonText as words } from '../../../text/json.ts';
import { Button, Icon } from '../../../ui/button.tsx';
import { useCopy } from '../../copy.ts';
import { Notice } from '../../notice.tsx';
import { formatInteger } from '../../numbers.ts';
import { jsonFault } from './fault.ts';
import { fold, isContainer, keysTo, rowsOf, unfold, type JsonRow, type JsonRows } from './rows.ts';
import { pathOf } from './source.ts';

/** Height of a line, px; the sheet says the same. */
const rowHeight = 24;
/** Lines beside the box that are there for the next turn of the wheel. */
const margin = 8;
/** Characters of a text that a line shows. */
const shownText = 400;

interface TreeProps {
  text: string;
  title: string;
  height: number;
}

/** A JSON document as a tree; lines that are not in the box are not in the page. */
export default function JsonTree(props: TreeProps) {
  const fault = useMemo(() => jsonFault(props.text), [props.text]);
  if (!fault) return <Tree {...props} />;
  return (
    <Notice>
      {words.notJson(formatInteger(fault.line), formatInteger(fault.column))}{' '}
      <code>{fault.near}</code>
    </Notice>
  );
}

function Tree({ text, title, height }: TreeProps) {
  const [state, setState] = useState<JsonRows>(() => rowsOf(text));
  const [current, setCurrent] = useState(0);
  const [top, setTop] = useState(0);
  const [pathWord, copyPath] = useCopy(words.copyPath);
  const [valueWord, copyValue] = useCopy(words.copyValue);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { rows, open } = state;
  const row = rows[Math.min(current, rows.length - 1)]!;
  const first = Math.max(0, Math.floor(top / rowHeight) - margin);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + margin);
  // The line under the keyboard's mark is always there: it is named by its id.
  const shown = [
    ...(current < first ? [current] : []),
    ...Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at),
    ...(current >= last && current < rows.length ? [current] : []),
  ];

  useLayoutEffect(() => {
    const element = box.current!;
    const at = current * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight;
  }, [current]);

  const toggle = (at: number): void => {
    if (!isContainer(rows[at]!)) return;
    setState(open.has(rows[at]!) ? fold(state, at) : unfold(text, state, at));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const forward =
      getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const to = (at: number): void => setCurrent(Math.max(0, Math.min(rows.length - 1, at)));
    if (event.key === 'ArrowDown') to(current + 1);
    else if (event.key === 'ArrowUp') to(current - 1);
    else if (event.key === 'PageDown') to(current + page);
    else if (event.key === 'PageUp') to(current - page);
    else if (event.key === 'Home') to(0);
    else if (event.key === 'End') to(rows.length - 1);
    else if (event.key === forward) open.has(row) ? to(current + 1) : toggle(current);
    else if (event.key === backward)
      open.has(row) ? toggle(current) : row.parent && to(rows.indexOf(row.parent));
    else if (event.key === 'Enter' || event.key === ' ') toggle(current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="json-tree">
      <div className="json-bar">
        <span className="json-path">{pathOf(keysTo(row))}</span>
        <Button size="sm" icon={Copy} onClick={() => copyPath(pathOf(keysTo(row)))}>
          {pathWord}
        </Button>
        <Button
          size="sm"
          icon={Copy}
          onClick={() => copyValue(text.slice(row.value.start, row.value.end))}
        >
          {valueWord}
        </Button>
      </div>
      <div
        ref={box}
        className="json-box"
        style={{ maxHeight: height }}
        role="tree"
        aria-label={words.label(title)}
        tabIndex={0}
        aria-activedescendant={`${id}-${current}`}
        onKeyDown={onKeyDown}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div className="json-rows" style={{ height: rows.length * rowHeight }}>
          {shown.map((at) => (
            <Line
              key={at}
              id={`${id}-${at}`}
              row={rows[at]!}
              text={text}
              at={at}
              open={open.has(rows[at]!)}
              current={at === current}
              onChoose={() => setCurrent(at)}
              onToggle={() => toggle(at)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  id: string;
  row: JsonRow;
  text: string;
  at: number;
  open: boolean;
  current: boolean;
  onChoose: () => void;
  onToggle: () => void;
}

function Line({ id, row, text, at, open, current, onChoose, onToggle }: LineProps) {
  const { value, level, position, size } = row;
  const folds = isContainer(row);
  return (
    <div
      id={id}
      className={current ? 'json-row current' : 'json-row'}
      style={{ top: at * rowHeight, paddingInlineStart: 4 + Math.min(level - 1, 24) * 16 }}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={current}
      aria-expanded={folds ? open : undefined}
      onClick={() => {
        onChoose();
        if (folds) onToggle();
      }}
    >
      <span className="json-fold">
        {folds && <Icon of={open ? ChevronDown : ChevronRight} size="sm" />}
      </span>
      {value.key !== null && (
        <span className={typeof value.key === 'number' ? 'json-key number' : 'json-key'}>
          {String(value.key)}
          <span className="json-sign">: </span>
        </span>
      )}
      <span className={`json-value ${value.kind}`}>{wordsOf(text, row, open)}</span>
    </div>
  );
}

/** A value in its line: itself, or what a container holds. */
function wordsOf(
  text: string,
  { value: { kind, start, end, count } }: JsonRow,
  open: boolean,
): string {
  if (kind === 'object')
    return count === 0
      ? '{}'
      : open
        ? '{'
        : `{ ${words.fields(formatInteger(count), count === 1)} }`;
  if (kind === 'array')
    return count === 0
      ? '[]'
      : open
        ? '['
        : `[ ${words.entries(formatInteger(count), count === 1)} ]`;
  return end - start > shownText
    ? `${text.slice(start, start + shownText)}… ${words.more(formatInteger(end - start - shownText))}`
    : text.slice(start, end);
}
