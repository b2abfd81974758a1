import { ChevronDown, ChevronRight, Copy } from 'lucide-react';
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useSheets } from '../../../runtime/use-sheets.ts';
import { Button, Icon } from '../../../ui/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { formatInteger } from '../../parts/numbers.ts';
import { useCopy } from '../../parts/use-copy.ts';
import sheet from './json.css';
import { findJsonError } from './json-error.ts';
import {
  collapseRow,
  expandRow,
  initialJsonRows,
  isContainer,
  type JsonRow,
  type JsonRows,
  keysOfRow,
} from './json-rows.ts';
import { jsonPath } from './json-source.ts';
import { jsonTexts as uiText } from './texts.ts';

const sheets = [sheet];
/** Height of a row in px; must match json.css. */
const rowHeight = 24;
/** Extra rows rendered above and below the visible ones. */
const margin = 8;
/** Characters of a value shown in a row. */
const shownText = 400;

interface TreeProps {
  text: string;
  title: string;
  height: number;
}

/** Tree view of a JSON document; only visible rows are in the DOM. */
export default function JsonTree(props: TreeProps) {
  useSheets(sheets);
  const fault = useMemo(() => findJsonError(props.text), [props.text]);
  if (!fault) return <Tree {...props} />;
  return (
    <Notice>
      {uiText.notJson(formatInteger(fault.line), formatInteger(fault.column))}{' '}
      <code>{fault.excerpt}</code>
    </Notice>
  );
}

function Tree({ text, title, height }: TreeProps) {
  const [state, setState] = useState<JsonRows>(() => initialJsonRows(text));
  const [current, setCurrent] = useState(0);
  const [top, setTop] = useState(0);
  const [pathWord, copyPath] = useCopy(uiText.copyPath);
  const [valueWord, copyValue] = useCopy(uiText.copyValue);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { rows, open } = state;
  const row = rows[Math.min(current, rows.length - 1)]!;
  const first = Math.max(0, Math.floor(top / rowHeight) - margin);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + margin);
  // The active row is always rendered because `aria-activedescendant` refers to its id.
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
    setState(open.has(rows[at]!) ? collapseRow(state, at) : expandRow(text, state, at));
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
      <div className="json-bar in-row">
        <span className="json-path truncate">{jsonPath(keysOfRow(row))}</span>
        <Button size="sm" icon={Copy} onClick={() => copyPath(jsonPath(keysOfRow(row)))}>
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
        aria-label={uiText.label(title)}
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
      className={`json-row in-row ${current ? 'current' : ''}`}
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

/** Returns the text shown for a value: the value itself, or a summary of a container. */
function wordsOf(
  text: string,
  { value: { kind, start, end, count } }: JsonRow,
  open: boolean,
): string {
  if (kind === 'object' || kind === 'array') {
    const [head, tail, words] =
      kind === 'object' ? ['{', '}', uiText.fields] : ['[', ']', uiText.entries];
    if (count === 0) return head + tail;
    return open ? head : `${head} ${words(formatInteger(count), count === 1)} ${tail}`;
  }
  return end - start > shownText
    ? `${text.slice(start, start + shownText)}… ` +
        `${uiText.more(formatInteger(end - start - shownText))}`
    : text.slice(start, end);
}
