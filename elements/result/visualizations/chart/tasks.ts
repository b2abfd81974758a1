import {
  packedSource,
  pivotOf,
  scatterPoints,
  type PackedColumn,
  type PivotConfig,
  type PivotOptions,
  type ScatterConfig,
} from 'tiding/model';

interface Packed {
  readonly columns: readonly PackedColumn[];
  readonly length: number;
}

/** What charts have worked out before they draw; runs in a worker, or here. */
export const tasks = {
  pivot: ({
    columns,
    length,
    config,
    options,
  }: Packed & { config: PivotConfig; options: PivotOptions }) =>
    pivotOf(packedSource(columns, length), config, options),
  scatter: ({ columns, length, config }: Packed & { config: ScatterConfig }) =>
    scatterPoints(packedSource(columns, length), config),
};
