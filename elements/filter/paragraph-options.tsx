import type { Note, Output } from '@tiding/client';
import type { RowColumn } from '@tiding/client/model';
import { arrowRows, isAbsent, plainText, textRowsOf } from '@tiding/client/model';
import type { ResultQuestion } from '@tiding/client/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import type { PortalValue } from '../portal/signals.ts';
import { portalTexts } from '../portal/texts.ts';
import type { RowSource } from '../result/rows/row-source.ts';
import { useHostClient } from '../runtime/client-view.tsx';
import type { ViewProps } from '../runtime/define-element.ts';
import { useHostNote, useSelect } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { type FilterOption, sortValues } from './filter-options.ts';

const texts = portalTexts.filter;
/** Values that are read at most. */
const MAX_VALUES = 10_000;

interface ParagraphOptionsProps extends ViewProps {
  column: string;
  /** Id of the paragraph. */
  paragraph: string;
  /** Shows the values, or says why there are none. */
  children: (options: readonly FilterOption[], empty?: string) => ReactNode;
}

/** Offers the distinct values of a column in the first table of a live paragraph. */
export default function ParagraphOptions({
  column,
  paragraph: id,
  children,
  ...props
}: ParagraphOptionsProps) {
  const client = useHostClient(props);
  const { note: noteId } = props.values as { note?: string };
  const { note, error } = useHostNote(props.host, client, noteId);
  const outputs = useSelect(
    client,
    (state) => (noteId ? state.open[noteId]?.paragraphs[id]?.outputs : undefined),
    undefined,
  );
  const index = outputs?.findIndex(({ type }) => type === 'TABLE') ?? -1;
  const output = outputs?.[index];
  const [read, setRead] = useState<{ options: readonly PortalValue[]; empty?: string }>();
  useEffect(() => {
    if (!note || !output) return undefined;
    const abort = new AbortController();
    distinctValues(note, id, index, output, column, abort.signal).then(
      (options) => setRead(options ? { options } : { options: [], empty: texts.noColumn(column) }),
      (reason: Error) => {
        if (!abort.signal.aborted) setRead({ options: [], empty: texts.failed(reason.message) });
      },
    );
    return () => abort.abort();
  }, [note, id, index, output, column]);
  if (!noteId) return children([], commonTexts.noNote);
  if (!client) return children([], commonTexts.noServer);
  if (error) return children([], texts.failed(error.message));
  return children(
    read?.options ?? [],
    read ? read.empty : outputs && !output ? texts.noOptions : texts.loading,
  );
}

/** The distinct values of a column, sorted; `undefined` if there is no such column. */
async function distinctValues(
  note: Note,
  id: string,
  index: number,
  output: Output,
  column: string,
  signal: AbortSignal,
): Promise<PortalValue[] | undefined> {
  const text = textRowsOf(output);
  const at = text.columns.findIndex(({ name }) => name === column);
  if (at < 0) return undefined;
  const values = new Set<PortalValue>();
  const add = (source: RowSource, place: number): void => {
    for (let row = 0; row < source.length && values.size < MAX_VALUES; row += 1)
      values.add(cellValue(source, row, source.columns[place]!));
  };
  if (output.rows === undefined) {
    add(text, at);
    return sortValues(values);
  }
  const paragraph = note.paragraph(id);
  const question: ResultQuestion = {
    kind: 'groups',
    keys: [{ column: at }],
    values: [],
    order: 'size',
    limit: MAX_VALUES,
  };
  // The server only queries large tables; others are read.
  const answer =
    output.rows > text.length
      ? await paragraph.query(index, { question }, { signal }).catch(() => undefined)
      : undefined;
  const { batches } = answer?.table ?? (await paragraph.rows(index, { signal }));
  for await (const batch of batches) {
    const found = arrowRows();
    found.add(batch);
    add(found.snapshot({ complete: true }), answer ? 0 : at);
  }
  signal.throwIfAborted();
  return sortValues(values);
}

function cellValue(source: RowSource, row: number, column: RowColumn): PortalValue {
  const value = source.value(row, column.index);
  if (isAbsent(source, value)) return null;
  if (typeof value === 'boolean') return value;
  if (column.kind === 'integer' && Number.isSafeInteger(Number(value))) return Number(value);
  if (column.kind === 'float' && Number.isFinite(Number(value)) && !column.single)
    return Number(value);
  return plainText(value, column);
}
