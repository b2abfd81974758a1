/** What an element shows of a paragraph before it loads the code of its view. */
import { imagesInHtml, isMarkdownHtml, type StoredTables } from '@tiding/client/model';
import type { Paragraph } from '@tiding/client/protocol';
import { isBare } from '../note/paragraph/look.ts';
import { graphOf, resultEntryOf } from '../result/view-settings.ts';
import { isBuiltIn, visualizations } from '../result/visualizations/index.ts';
import { renderMarkup } from './markup.tsx';
import { type MarkupNode, markupNode } from './markup-nodes.ts';
import { hasCharts } from './output.tsx';
import { StaticParagraph } from './paragraph.tsx';
import { outputsIn, type SourceParagraph } from './source.ts';

/** Whether a view of tables is drawn without its code: registered ones and networks are not. */
const isDrawn = (mode: string): boolean =>
  visualizations.some((view) => view.id === mode && mode !== 'network' && isBuiltIn(view));
/** Rows of a table that a page shows before it has loaded the code of tables. */
const SHOWN_ROWS = 50;
/** Space beside a chart in layouts with code, in px. */
const GUTTER_PX = 40;
/** Rows of a table that is sorted or drawn, and characters of a text: larger ones take too long. */
const MAX_ROWS = 10_000;
const MAX_TEXT = 500_000;

/** How a first view is rendered. */
export interface FirstViewOptions {
  /** Layout of the element. */
  readonly look: 'default' | 'simple' | 'report' | 'embed';
  /** Width of charts in px. */
  readonly width: number;
  /** Tables that the server stores, with all their rows, by `PARAGRAPH.INDEX`. */
  readonly tables: StoredTables;
}

/** Markup as data, and the style rules that it uses. */
export interface FirstViewMarkup {
  /** The element to show. */
  readonly body: MarkupNode;
  /** Text of its style sheet. */
  readonly css: string;
}

/**
 * Whether a paragraph looks the same without the code of its view: it has finished, and has neither
 * forms nor outputs that are drawn by scripts.
 */
export function hasFirstView(
  paragraph: Paragraph,
  look: FirstViewOptions['look'] = 'report',
): boolean {
  const { status, results, settings = {}, text = '', config = {}, apps = [] } = paragraph;
  const messages = results?.msg ?? [];
  return (
    status === 'FINISHED' &&
    // Another size of the code is a style attribute.
    (isBare(look) || !(Number(config.fontSize) > 9)) &&
    messages.length > 0 &&
    apps.length === 0 &&
    Object.keys(settings.forms ?? {}).length === 0 &&
    !text.includes('${') &&
    messages.every(({ type, data, rows = 0 }, index) => {
      if (data.length > MAX_TEXT || rows > MAX_ROWS) return false;
      const { mode, optionOpen, setting } = graphOf(resultEntryOf(config, index));
      const options = setting['table']?.['tableOptionValue'];
      if (type === 'TABLE')
        return isDrawn(mode) && !optionOpen && !/true/.test(JSON.stringify(options ?? {}));
      if (type === 'HTML') return isMarkdownHtml(data) && imagesInHtml(data).length === 0;
      // A page offers a tree for JSON.
      if (type === 'TEXT') return isBare(look) || !/^\s*[[{]/.test(data);
      return type === 'IMG';
    })
  );
}

/**
 * Renders the first view of a paragraph for which {@link hasFirstView} is true. Resolves to
 * `undefined` if it can't be written as data.
 */
export async function renderFirstView(
  paragraph: Paragraph,
  { look, width, tables }: FirstViewOptions,
): Promise<FirstViewMarkup | undefined> {
  const source: SourceParagraph = { paragraph, outputs: outputsIn(paragraph.results) };
  const isChart = hasCharts(source);
  const draw = isChart ? (await import('./chart.tsx')).drawChart : undefined;
  const options = {
    ...{ code: false, titles: false, rows: SHOWN_ROWS, images: {}, tables, draw },
    width: isBare(look) ? width : width - GUTTER_PX,
  };
  const { html, css } = renderMarkup(
    <StaticParagraph single look={look} source={source} options={options} />,
    'view',
  );
  // Charts without anything to draw show a sentence, and markup with unusual references is rare.
  if (isChart && !html.includes('class="chart-outer"')) return undefined;
  try {
    return { body: markupNode(html), css };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
