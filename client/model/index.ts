/**
 * Pure rules of a notebook: what texts, numbers and lists mean. No connection, no page, no state.
 *
 * @module tiding/model
 */
export {
  checkNotePath,
  isTrashed,
  normalizePath,
  notePath,
  noteTitle,
  pageTitle,
  restoredPath,
  trashPath,
} from './note-path.ts';
export { nextCloneName, nextUntitledName } from './note-name.ts';
export {
  buildTree,
  filterNotes,
  type TreeFolder,
  type TreeNode,
  type TreeNote,
} from './note-tree.ts';
export {
  isOutdated,
  isRunning,
  jobProgress,
  noteIsRunning,
  progressLook,
  statusColor,
  statusIcon,
  type StatusColor,
  type StatusIcon,
  type WithStatus,
} from './status.ts';
export { parseDate, type ZoneOption } from './date.ts';
export { formatDate, formatStorageDate, formatWireDate } from './date-format.ts';
export { relativeTime, type RunTimes, shortDuration, startedText, tookText } from './duration.ts';
export { parseQuartz, type Schedule } from './quartz.ts';
export { cronLabel, type CronPreset, cronPresets } from './cron.ts';
export { carryOffset } from './offset.ts';
export { editorMode, magicOf, type SplitMagic, splitMagic } from './magic.ts';
export {
  magpieGrantWords,
  magpieWordKind,
  type MagpieWordGroup,
  magpieWords,
} from './magpie-words.ts';
export {
  createDisplayParser,
  type DisplayEvent,
  type DisplayOutput,
  type DisplayParser,
  type DisplayType,
  parseDisplay,
} from './display.ts';
export {
  appendRows,
  type Cell,
  createTableParser,
  parseTable,
  type TableColumn,
  type TableData,
  type TableParser,
  toCell,
  toColumns,
} from './table.ts';
export { tableToText } from './table-text.ts';
export { columnNumber, type ColumnType, columnTypes, isMissing, toNumber } from './column-type.ts';
export { type CsvOptions, exportFileName, toCsv, toTsv } from './csv.ts';
export { exportedResultName } from './exported-result.ts';
export { type ArrowColumns, type ArrowTable, type ArrowValue, toArrow } from './arrow.ts';
export {
  pivot,
  type Pivot,
  type PivotConfig,
  pivotOf,
  type PivotOptions,
  pivotPlace,
  type PivotSeries,
} from './pivot.ts';
export { cleanPivot, defaultPivot, missingColumns } from './pivot-config.ts';
export {
  type CellSource,
  packedBuffers,
  type PackedColumn,
  packedSource,
  Packer,
  tableSource,
} from './packed.ts';
export {
  cleanScatter,
  isDiscrete,
  type ScatterAxis,
  type ScatterConfig,
  type ScatterGroup,
  scatterPlace,
  type ScatterPoints,
  scatterPoints,
  sizeAllowed,
} from './scatter.ts';
export {
  type NetworkData,
  type NetworkEdge,
  type NetworkGraph,
  type NetworkNode,
  nodeText,
  parseNetwork,
} from './network.ts';
export { type AnsiColor, type AnsiStyle, applySgr } from './ansi-style.ts';
export { type AnsiLine, type AnsiParser, type AnsiSegment, createAnsi, parseAnsi } from './ansi.ts';
export { type FormTemplate, type FormType, parseForms, type TextForm } from './forms.ts';
export {
  coerceParam,
  collectForms,
  type CollectedForms,
  normalizeForm,
  type ParamType,
  substituteForms,
} from './form-values.ts';
export {
  hasAnyRole,
  hasRole,
  type Holder,
  isAnonymous,
  isOwner,
  isReader,
  isRunner,
  isWriter,
  parseRoles,
  screenUsername,
} from './permissions.ts';
export { type MergeResult, mergeText } from './merge.ts';
export { joinTexts, splitText } from './paragraph-text.ts';
export {
  cardinalityText,
  type Cardinality,
  fieldPairs,
  readingDirection,
  type Relationship,
  scoreRating,
  sortRelationships,
} from './relationships.ts';
export {
  filterProfile,
  nextProfileSort,
  type NumberFilter,
  type NumberOperator,
  type ProfileColumn,
  type ProfileField,
  type ProfileFilter,
  profileQuerySql,
  profileSql,
  type ProfileSort,
  sortProfile,
} from './profile.ts';
export { checksum } from './checksum.ts';
export { type NumberedText, TextConflict, type TextEdit, TextHistory } from './text-history.ts';
export { applyTextPatch, makeTextPatch } from './text-patch.ts';
export {
  cleanRunOption,
  runMode,
  type RunMode,
  runModeText,
  type RunOption,
  runSharing,
  type Sharing,
  withRunMode,
  withSharing,
} from './run-mode.ts';
export {
  compareRevisions,
  type ComparedParagraph,
  diffLines,
  type DiffPart,
  type MatchedParagraph,
  matchRevisions,
} from './compare.ts';
export {
  fromNotebook,
  type ImportedParagraph,
  isNotebook,
  type Notebook,
  type NotebookCell,
  type NotebookOutput,
  type NotebookText,
  toNotebook,
} from './notebook-format.ts';
