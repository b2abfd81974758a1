/**
 * The rules of a notebook as pure functions: parsing and formatting of outputs, tables, forms,
 * dates, permissions and more. Needs neither a server nor a DOM. Schedules and text changes have
 * entries of their own, because they depend on larger packages.
 *
 * @module @tiding/client/model
 */

export {
  type ChartOutput,
  chartHtml,
  chartInBundle,
  chartInHtml,
} from './formats/chart-output.ts';
export { markedNumber, markNumbers, restoreNumbers } from './formats/exact-numbers.ts';
export {
  EXCEL_TYPE,
  type ExcelCell,
  excelBytes,
  excelCells,
  excelLimits,
} from './formats/excel.ts';
export { FILE_NAME_LETTERS, imageTypeOf, noteImageName } from './formats/image-names.ts';
export {
  fromNotebook,
  type ImportedNotebook,
  isNotebook,
  notebookText,
  toNotebook,
} from './formats/jupyter.ts';
export { renderedType, withHtml } from './formats/jupyter-outputs.ts';
export type {
  ImportedParagraph,
  Notebook,
  NotebookCell,
  NotebookOutput,
  NotebookText,
} from './formats/jupyter-types.ts';
export { addMarkdownRules } from './formats/markdown-rules.js';
export {
  imageAddress,
  imageMarkdown,
  imagesInHtml,
  isMarkdownHtml,
  MAX_IMAGE_BYTES,
  type NoteImages,
  replaceHtmlImages,
} from './formats/note-images.ts';
export { escapeHtml } from './formats/output-html.ts';
export { type TableReading, tableSource } from './formats/table-source.ts';
export {
  WIDGET_VIEW_TYPE,
  type WidgetView,
  widgetFallback,
  widgetViewBundle,
  widgetViewHtml,
  widgetViewInHtml,
} from './formats/widget-view.ts';
export { isJsonObject, isSameJson, jsonObjectOf } from './json-object.ts';
export { COMMENT_LIMITS } from './notes/comment-limits.ts';
export { type CronPreset, cronLabel, cronPresets } from './notes/cron-presets.ts';
export { staleParagraphs, withDependents } from './notes/dependencies.ts';
export {
  codeForms,
  type FormSource,
  formSource,
  paramsFor,
  textForms,
  textWithForms,
} from './notes/form-params.ts';
export {
  type FormTemplate,
  type FormType,
  parseForms,
  type TextForm,
} from './notes/form-templates.ts';
export {
  type CollectedForms,
  coerceParam,
  collectForms,
  normalizeForm,
  type ParamType,
  substituteForms,
} from './notes/form-values.ts';
export {
  cleanRunOption,
  type InterpreterRunMode,
  type InterpreterRunOption,
  type InterpreterSharing,
  runMode,
  runModeText,
  runSharing,
  withRunMode,
  withSharing,
} from './notes/interpreter-run-mode.ts';
export { editorMode, magicOf, type SplitMagic, splitMagic } from './notes/magic.ts';
export {
  type MagpieKeywordGroup,
  magpieGrantKeywords,
  magpieKeywords,
  magpieWordKind,
} from './notes/magpie-keywords.ts';
export { nextCloneName, nextUntitledName } from './notes/note-name.ts';
export {
  checkNotePath,
  freeNotePath,
  isTrashed,
  normalizePath,
  notePath,
  noteTitle,
  pageTitle,
  pathInFolder,
  restoredPath,
  takenNotePath,
  trashPath,
} from './notes/note-path.ts';
export {
  buildTree,
  filterNotes,
  type TreeFolder,
  type TreeNode,
  type TreeNote,
} from './notes/note-tree.ts';
export {
  type DatedParagraph,
  isOutdated,
  isRunning,
  jobProgress,
  noteIsRunning,
  progressStyle,
  type ResultSource,
  type StatusColor,
  type StatusIcon,
  statusColor,
  statusIcon,
  type WithStatus,
} from './notes/paragraph-status.ts';
export { joinParagraphTexts, splitParagraphText } from './notes/paragraph-text.ts';
export {
  hasAnyRole,
  hasRole,
  includesRight,
  isAnonymous,
  isOwner,
  isReader,
  isRunner,
  isWriter,
  parseRoles,
  rightOn,
  screenUsername,
  type UserWithRoles,
} from './notes/permissions.ts';
export {
  type RunTimes,
  relativeTime,
  runDuration,
  runFooterText,
  runStartedText,
  shortDuration,
} from './notes/run-times.ts';
export { type Aggregation, aggregationOf, aggregations, ExactSum } from './rows/aggregate.ts';
export { NestedCell } from './rows/arrow-cells.ts';
export { type ArrowRows, type ArrowSource, arrowRows, readArrowRows } from './rows/arrow-rows.ts';
export { cellText, exactText, hexText, plainText } from './rows/cell-text.ts';
export { type Chunk, chunkFinder, lastStart } from './rows/chunks.ts';
export { mergeSort } from './rows/merge-sort.ts';
export { type RowsJson, rowsFromJson, rowsToJson } from './rows/row-transfer.ts';
export { runNow } from './rows/run-now.ts';
export { tableOfRows } from './rows/table-of-rows.ts';
export {
  isAbsent,
  type TextChunks,
  type TextRows,
  textRows,
  textRowsOf,
  textTableOf,
} from './rows/text-rows.ts';
export {
  fixedOffsetMinutes,
  isUtc,
  wallClockMs,
  zoneOffsetMinutes,
} from './rows/time-zone.ts';
export type {
  CellValue,
  RowColumn,
  RowColumnKind,
  StoredTables,
  TypedRows,
} from './rows/typed-rows.ts';
export {
  type Running,
  runningOf,
  runningValues,
  type Trend,
  trendOf,
} from './tables/along-axis.ts';
export { type ArrowColumns, type ArrowTable, type ArrowValue, toArrow } from './tables/arrow.ts';
export { type ArrowAssembler, writeMissingBooleans } from './tables/arrow-booleans.ts';
export {
  type ArrowFormat,
  type ArrowReader,
  arrowBinaryText,
  arrowFormat,
  decimalText,
  decodeUtf8,
  doubleText,
  singlePrecisionText,
} from './tables/arrow-text.ts';
export {
  type ArrowData,
  type ArrowDataType,
  type ArrowField,
  type ArrowTypeDetails,
  ArrowTypeId,
  arrowBoolean,
  arrowBytes,
  arrowDecimal,
  arrowDictionaryEntry,
  arrowTypeDetails,
  halfFloat,
  hasArrowValue,
} from './tables/arrow-values.ts';
export { checksum } from './tables/checksum.ts';
export {
  type ColumnType,
  columnNumber,
  columnTypes,
  exactNumber,
  fitsDouble,
  isDoubleText,
  isMissing,
  toNumber,
} from './tables/column-type.ts';
export { type CsvOptions, exportFileName, toCsv, toTsv } from './tables/csv.ts';
export {
  displayedPercent,
  filterProfile,
  type NumberFilter,
  type NumberOperator,
  nextProfileSort,
  type ProfileColumn,
  type ProfileField,
  type ProfileFilter,
  type ProfileSort,
  profileQuerySql,
  profileSql,
  sortProfile,
} from './tables/data-set-profile.ts';
export {
  type DateGrain,
  dateGrains,
  periodOf,
  type TimeGrain,
  timeOf,
} from './tables/date-grain.ts';
export { exportedResultName } from './tables/exported-result-name.ts';
export {
  type NetworkData,
  type NetworkEdge,
  type NetworkGraph,
  type NetworkNode,
  nodeText,
  parseNetwork,
} from './tables/network-graph.ts';
export {
  hasIntervals,
  intervalWidth,
  type Pivot,
  type PivotConfig,
  type PivotOptions,
  type PivotSeries,
  pivot,
  pivotPointDetails,
} from './tables/pivot.ts';
export {
  cleanPivot,
  defaultPivot,
  isLabelName,
  missingColumns,
  unusedMeasures,
} from './tables/pivot-config.ts';
export { isReadable } from './tables/readable.ts';
export {
  type Cardinality,
  cardinalityText,
  fieldPairs,
  type Relationship,
  readingDirection,
  scoreRating,
  sortRelationships,
} from './tables/relationships.ts';
export {
  cleanScatter,
  MAX_SCATTER_ROWS,
  type ScatterAxis,
  type ScatterConfig,
  type ScatterGroup,
  type ScatterPoints,
  scatterPointDetails,
  scatterPoints,
} from './tables/scatter.ts';
export {
  type Cell,
  createTableParser,
  parseTable,
  type TableColumn,
  type TableData,
  type TableParser,
  toCell,
  toColumns,
} from './tables/table.ts';
export {
  arrowDateText,
  arrowTimestampText,
  arrowTimeText,
  INFINITE_DAYS,
  INFINITE_TIMESTAMP,
} from './tables/time-text.ts';
export {
  type AnsiLine,
  type AnsiOptions,
  type AnsiParser,
  type AnsiSegment,
  createAnsi,
  movedRow,
  parseAnsi,
  REACHED_LINES,
  stripAnsi,
} from './text/ansi.ts';
export { type AnsiColor, type AnsiStyle, applySgr } from './text/ansi-style.ts';
export { formatDate, formatStorageDate, formatWireDate } from './text/date-format.ts';
export { parseDate, type ZoneOption } from './text/date-parser.ts';
export { decodedPart } from './text/decoded-part.ts';
export {
  createDisplayParser,
  type DisplayEvent,
  type DisplayOutput,
  type DisplayParser,
  type DisplayType,
  markupTypes,
  parseDisplay,
  startsOutput,
} from './text/display-parser.ts';
export { nameOrder } from './text/name-order.ts';
export { scriptJson } from './text/script-json.ts';
