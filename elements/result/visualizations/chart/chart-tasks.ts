import {
  type PackedColumn,
  type PivotConfig,
  type PivotOptions,
  packedCellSource,
  pivotCells,
  type ScatterConfig,
  scatterPoints,
} from '@tiding/client/model';

interface Packed {
  readonly columns: readonly PackedColumn[];
  readonly length: number;
}

/**
 * Computations that charts need before drawing. They run in a worker, or in the page if workers are
 * unavailable.
 */
export const chartTasks = {
  pivot: ({
    columns,
    length,
    config,
    options,
  }: Packed & { config: PivotConfig; options: PivotOptions }) =>
    pivotCells(packedCellSource(columns, length), config, options),
  scatter: ({ columns, length, config }: Packed & { config: ScatterConfig }) =>
    scatterPoints(packedCellSource(columns, length), config),
};
