/** The tool that says what charts and display widgets show. */
import { type Output, outputText, type Paragraph } from '@tiding/client';
import {
  arrowRows,
  cleanPivot,
  parseNetwork,
  pivot,
  runNow,
  type TypedRows,
  toColumns,
} from '@tiding/client/model';
import type { GraphColumn, GraphConfig } from '@tiding/client/protocol';
import { envelopeOf, readWidget } from '@tiding/client/widgets';
import { z } from 'zod';
import { noteArgument, paragraphArgument, paragraphIn, withNote } from './notes.ts';
import { cut, isTable } from './table.ts';
import { defineTool } from './tool.ts';

/** Cells from which a chart is computed. */
const MAX_CELLS = 4_000_000;
/** Series of a chart and entries of a list that are described. */
const MAX_SERIES = 20;
const MAX_ENTRIES = 5;
const MAX_TEXT = 200;
const MAX_DEPTH = 6;
/** Characters of the content of one widget. */
const MAX_WIDGET = 20_000;

/** Names of the charts that draw aggregates, by the mode that a note stores. */
const AGGREGATES: ReadonlyMap<string, string> = new Map([
  ['multiBarChart', 'Bar chart'],
  ['pieChart', 'Pie chart'],
  ['stackedAreaChart', 'Area chart'],
  ['lineChart', 'Line chart'],
  ['comboChart', 'Bars and lines'],
  ['heatMap', 'Heat map'],
  ['bigNumber', 'Big number'],
  ['funnel', 'Funnel'],
]);
/** Names of other views. What they draw is not computed here. */
const VIEWS: ReadonlyMap<string, string> = new Map([
  ['scatterChart', 'Scatter chart'],
  ['histogram', 'Histogram'],
  ['boxPlot', 'Box plot'],
  ['gantt', 'Gantt chart'],
  ['map', 'Map'],
  ['network', 'Network'],
]);

const described = z.object({
  output: z.number(),
  type: z.string(),
  summary: z.string(),
  chart: z.string().optional().describe('How the table is shown.'),
  series: z
    .array(
      z.object({
        name: z.string(),
        points: z.number(),
        min: z.number().nullable(),
        max: z.number().nullable(),
        first: z.number().nullable(),
        last: z.number().nullable(),
      }),
    )
    .optional(),
  widget: z.string().optional().describe('Id of the display widget.'),
  content: z.unknown().optional().describe('Content of the widget, with long lists cut.'),
});
type Described = z.infer<typeof described>;

/** Returns the saved display settings of an output. */
function graphOf(paragraph: Paragraph, index: number): GraphConfig {
  const results = paragraph.state.server.config?.results;
  const saved = (Array.isArray(results) ? results[index] : results?.[String(index)]) as
    | { graph?: GraphConfig }
    | undefined;
  return saved?.graph ?? {};
}

const names = (columns: readonly GraphColumn[]) => columns.map(({ name }) => name).join(', ');

/** How charts use a column. */
const typeOf = ({ kind }: TypedRows['columns'][number]) =>
  kind === 'integer' || kind === 'float' || kind === 'decimal'
    ? 'number'
    : kind === 'date' || kind === 'timestamp'
      ? 'date'
      : 'string';

/** Reads the rows of a table, of a very large one the first. */
async function readRows(paragraph: Paragraph, index: number, signal: AbortSignal) {
  const { schema, batches, total } = await paragraph.rows(index, { signal });
  const limit = Math.ceil(MAX_CELLS / Math.max(1, schema.fields.length));
  const rows = arrowRows();
  for await (const batch of batches) {
    rows.add(batch);
    if (rows.length >= limit) break;
  }
  const source = rows.snapshot({ complete: true });
  return { source, total: Math.max(total ?? 0, source.length) };
}

function describeTable(
  source: TypedRows,
  total: number,
  graph: GraphConfig,
): Omit<Described, 'output' | 'type'> {
  const types = source.columns.map(typeOf);
  const columns = source.columns.map(({ name }, at) => `${name} (${types[at]})`).join(', ');
  const size = `${total} rows with the columns ${columns}.`;
  const mode = graph.mode ?? 'table';
  const chart = AGGREGATES.get(mode);
  if (chart === undefined) {
    const view = VIEWS.get(mode);
    const summary = view ? `${view} of a table of ${size}` : `Table of ${size}`;
    return { summary, chart: view ?? 'Table' };
  }
  const config = cleanPivot(graph, toColumns(source.columns.map(({ name }) => name)), types);
  const { x, series, omitted } = runNow(pivot(source, config, { maxSeries: MAX_SERIES }));
  const values = config.values.map(({ name, aggr }) => `${aggr ?? 'sum'} of ${name}`).join(', ');
  const by = config.keys.length > 0 ? ` by ${names(config.keys)}` : '';
  const groups = config.groups.length > 0 ? `, a series for each ${names(config.groups)}` : '';
  const lines = series.map(({ name, values: all }) => {
    const drawn = all.filter((each) => each !== null);
    return {
      name,
      points: drawn.length,
      min: drawn.length > 0 ? drawn.reduce((a, b) => Math.min(a, b)) : null,
      max: drawn.length > 0 ? drawn.reduce((a, b) => Math.max(a, b)) : null,
      first: drawn[0] ?? null,
      last: drawn.at(-1) ?? null,
    };
  });
  const sentences = [
    `${chart} of ${values || 'nothing'}${by}${groups}: ${x.length} points.`,
    ...lines.map(
      (each) =>
        `${each.name}: ${each.points} values from ${each.min} to ${each.max}, first ` +
        `${each.first}, last ${each.last}.`,
    ),
    ...(omitted.series > 0 ? [`${omitted.series} more series: call read_result.`] : []),
    ...(total > source.length
      ? [`Computed from the first ${source.length} of ${total} rows.`]
      : []),
    `The table has ${size}`,
  ];
  return { summary: sentences.join(' '), chart, series: lines };
}

/** Copies a value with long texts and lists cut. */
function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value, MAX_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const start = value.slice(0, MAX_ENTRIES).map((each) => shortened(each, depth + 1));
    const left = value.length - start.length;
    return left > 0 ? [...start, `… (${left} more entries)`] : start;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shortened(each, depth + 1)]),
  );
}

function describeHtml(html: string): Omit<Described, 'output' | 'type'> {
  const envelope = envelopeOf(html.trim());
  if (!envelope) return { summary: `HTML of ${html.length} characters.` };
  const read = readWidget(envelope);
  if (!read)
    return {
      summary: `A display widget '${envelope.widget}' that this version doesn't know.`,
      widget: envelope.widget,
    };
  const content = shortened(read.data);
  const text = JSON.stringify(content, null, 1);
  const problems = read.problems.length > 0 ? ` ${read.problems.length} fields are invalid.` : '';
  const fits = text.length <= MAX_WIDGET;
  return {
    summary:
      `Display widget '${read.widget}'.${problems}\n` +
      cut(text, MAX_WIDGET, ': call read_result for the source'),
    widget: read.widget,
    ...(fits ? { content } : {}),
  };
}

function describeNetwork(text: string): string {
  try {
    const { graph } = parseNetwork(text);
    return `Network of ${graph.nodes.length} nodes and ${graph.edges.length} edges.`;
  } catch {
    return `NETWORK of ${text.length} characters that is not valid JSON.`;
  }
}

async function describeOutput(
  paragraph: Paragraph,
  output: Output,
  index: number,
  signal: AbortSignal,
) {
  if (isTable(output)) {
    const { source, total } = await readRows(paragraph, index, signal);
    return describeTable(source, total, graphOf(paragraph, index));
  }
  const text = outputText(output);
  if (output.type === 'HTML') return describeHtml(text);
  if (output.type === 'NETWORK') return { summary: describeNetwork(text) };
  const start = output.type === 'TEXT' ? `: ${cut(text.trim(), MAX_TEXT)}` : '.';
  return { summary: `${output.type} of ${text.length} characters${start}` };
}

/** Says what each result of a paragraph shows. */
export const describeTool = defineTool({
  name: 'describe',
  title: 'Describe charts and widgets',
  description:
    'Says what each result of a paragraph shows: the axes, series and ranges of a chart, or the ' +
    'content of a display widget such as a profile, a lineage graph or a job. Needs no run.',
  grant: 'read',
  input: z.object({ note: noteArgument, paragraph: paragraphArgument }),
  output: z.object({ results: z.array(described) }),
  call: (args, context) =>
    withNote(args.note, context, async (note) => {
      const paragraph = paragraphIn(note, args.paragraph, context);
      const results: Described[] = [];
      for (const [index, output] of paragraph.outputs.entries())
        results.push({
          output: index,
          type: output.type,
          ...(await describeOutput(paragraph, output, index, context.signal)),
        });
      const lines = results.map(({ output, summary }) => `Result ${output}: ${summary}`);
      return {
        text: lines.join('\n\n') || `No results (${paragraph.status}). Run the paragraph first.`,
        data: { results },
      };
    }),
});
