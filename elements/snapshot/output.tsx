/** Outputs as static markup, in the classes of their displays. */
import { type Output, outputText } from '@tiding/client';
import {
  isMarkdownHtml,
  type NoteImages,
  parseNetwork,
  type StoredTables,
  stripAnsi,
  textRows,
  textRowsOf,
} from '@tiding/client/model';
import { ArrowDown } from 'lucide-react';
import { Fragment } from 'react';
import { mayBeWidget } from '../result/displays/html/html-kinds.ts';
import ImageDisplay from '../result/displays/image.tsx';
import { withImages } from '../result/displays/markdown/embedded-images.ts';
import { findNetworkProblems } from '../result/displays/network-problems.ts';
import { TextBlock } from '../result/displays/text-block.tsx';
import { createTextLog, LINES_PER_BLOCK } from '../result/displays/text-log.ts';
import { ErrorGlyph } from '../result/errors/error-box.tsx';
import { readTrace, splitTrace } from '../result/errors/trace.ts';
import { formatInteger } from '../result/parts/numbers.ts';
import { ResizeHandle } from '../result/parts/resize-handle.tsx';
import { shownOutputs } from '../result/shown-outputs.ts';
import { resultText } from '../result/texts.ts';
import { graphOf, resultEntryOf } from '../result/view-settings.ts';
import { snapshotTexts } from '../runtime/snapshots/texts.ts';
import { Button } from '../ui/button.tsx';
import type { SourceParagraph } from './source.ts';
import { isVisible, staticHtml } from './static-html.ts';
import { type DrawChart, StaticTable } from './table.tsx';

/** Height of a line of text, in px. */
const LINE_PX = 20;
/** Blocks of lines at the end of a text, as many as a page shows at first. */
const TEXT_BLOCKS = 20;

export interface OutputOptions {
  readonly rows: number;
  readonly width: number;
  /** Images of the note. */
  readonly images: NoteImages;
  /** Tables that the server stores. */
  readonly tables: StoredTables;
  /** Draws charts, if a paragraph shows one. */
  readonly draw?: DrawChart | undefined;
}

/** Whether a paragraph shows a table as something else, such as a chart. */
export const hasCharts = ({ paragraph: { config }, outputs }: SourceParagraph): boolean =>
  outputs.some(
    ({ type }, index) => type === 'TABLE' && graphOf(resultEntryOf(config, index)).mode !== 'table',
  );

interface OutputsProps extends OutputOptions {
  readonly outputs: readonly Output[];
  readonly status: string | undefined;
  readonly config: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** Id of the paragraph. */
  readonly paragraph: string;
  /** Whether it is shown without tools. */
  readonly bare: boolean;
}

/** All outputs of a paragraph. */
export function StaticOutputs({ outputs, status, ...rest }: OutputsProps) {
  const { shown, failed } = shownOutputs(outputs, status);
  if (shown.length === 0) return null;
  return (
    <div className="result">
      {shown.map(({ output, index }) =>
        index === failed?.index ? (
          <Failed key={index} output={output} index={index} {...rest} />
        ) : (
          <OneOutput key={index} output={output} index={index} {...rest} />
        ),
      )}
    </div>
  );
}

type OutputProps = Omit<OutputsProps, 'outputs' | 'status'> & { output: Output; index: number };

const textOutput = (text: string): Output => ({ type: 'TEXT', chunks: [text], count: 1 });

function Failed({ output, ...rest }: OutputProps) {
  const { output: printed, trace } = splitTrace(outputText(output));
  const { title, detail, lines } = readTrace(trace);
  return (
    <>
      {printed !== '' && <OneOutput output={textOutput(printed)} {...rest} />}
      {trace.trim() !== '' && (
        <div className="error-box">
          <p className="error-title">
            <ErrorGlyph />
            <span>{title}</span>
          </p>
          {detail.length > 0 && <pre className="result-out error-detail">{detail.join('\n')}</pre>}
          <details className="error-actions snapshot-trace">
            <summary>{resultText.fullTrace(lines)}</summary>
            <pre className="result-out error-detail">{stripAnsi(trace).trimEnd()}</pre>
          </details>
        </div>
      )}
    </>
  );
}

function OneOutput({ output, index, config, title, paragraph, ...options }: OutputProps) {
  const { type } = output;
  const network = type === 'NETWORK';
  const graph = graphOf(resultEntryOf(config, index), undefined, network ? 'network' : 'table');
  const table = { output, graph, title, ...options };
  const text = <Text output={output} height={graph.height} bare={options.bare} />;
  switch (type) {
    case 'TABLE': {
      const rows = textRowsOf(output);
      const source = options.tables.get(`${paragraph}.${index}`) ?? rows;
      return <StaticTable source={source} comment={rows.table.comment} {...table} />;
    }
    case 'NETWORK': {
      const printed = outputText(output);
      const { fatal } = findNetworkProblems(printed);
      return fatal ? (
        text
      ) : (
        <StaticTable source={textRows(parseNetwork(printed))} comment="" {...table} />
      );
    }
    case 'IMG':
    case 'SVG':
      return <ImageDisplay {...{ output, title }} running={false} bare={options.bare} />;
    case 'HTML':
    case 'ELEMENT':
    case 'ANGULAR':
      return <Html html={outputText(output)} images={options.images} />;
    case 'INPUT':
      return null;
    default:
      return text;
  }
}

function Sentence({ children }: { children: string }) {
  return <p className="result-pad secondary-text">{children}</p>;
}

function Html({ html, images }: { html: string; images: NoteImages }) {
  if (html.trim() === '') return null;
  if (mayBeWidget(html)) return <Sentence>{snapshotTexts.widget}</Sentence>;
  const isMarkdown = isMarkdownHtml(html);
  const markup = staticHtml(isMarkdown ? withImages(html, images) : html);
  if (!isVisible(markup)) return <Sentence>{snapshotTexts.scripted}</Sentence>;
  return (
    <div
      className={isMarkdown ? 'result-pad prose' : 'result-pad prose snapshot-html'}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: written anew from an allowlist
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  );
}

function Text({ output, height, bare }: { output: Output; height: number; bare: boolean }) {
  const log = createTextLog(output.chunks);
  log.read(output.count, Infinity);
  const from = Math.max(0, log.blockCount - TEXT_BLOCKS);
  return (
    <div className="result-text">
      {from > 0 && (
        <div className="text-above in-row small-text dim">
          <span className="grow">
            {resultText.text.above(formatInteger(from * LINES_PER_BLOCK))}
          </span>
        </div>
      )}
      <div className={`text-box max-height-${height}`}>
        <div className="result-out text-lines">
          {log.blocks(from).map((block) => (
            <Fragment key={block.index}>
              <TextBlock block={block} />
            </Fragment>
          ))}
        </div>
      </div>
      {!bare && log.lineCount * LINE_PX > height && (
        <>
          <Button className="text-follow" kind="secondary" size="sm" icon={ArrowDown}>
            {resultText.text.followOutput}
          </Button>
          <ResizeHandle height={height} />
        </>
      )}
    </div>
  );
}
