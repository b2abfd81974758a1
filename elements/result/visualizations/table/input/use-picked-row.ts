import { useEffect, useRef, useState } from 'react';
import { formatInteger } from '../../../parts/numbers.ts';
import type { BuiltInVisualizationProps } from '../../contract.ts';
import type { TableRows } from '../state/use-table-rows.ts';
import { gridTexts } from '../texts.ts';
import { rowSelectionOf } from './row-selection.ts';

/** The row the user picked for the host page, by its position on the page; null for none. */
export function usePickedRow(
  { source, order, start, rowAt }: TableRows,
  onSelect: BuiltInVisualizationProps['onSelect'],
  announce: (message: string) => void,
): [picked: number | null, pick: (position: number | null) => void] {
  const [picked, setPicked] = useState<number | null>(null);
  const pick = (position: number | null): void => {
    setPicked(position);
    onSelect(position === null ? null : rowSelectionOf(source, rowAt(position)));
    announce(
      position === null
        ? gridTexts.noRowChosen
        : gridTexts.rowChosen(formatInteger(rowAt(position) + 1)),
    );
  };
  const current = useRef(picked);
  current.current = picked;
  // A picked row is identified by its position, so a new order or page clears it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback keeps the choice
  useEffect(() => {
    if (current.current === null) return;
    setPicked(null);
    onSelect(null);
  }, [order, start]);
  return [picked, pick];
}
