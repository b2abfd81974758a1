/** Outputs of cells and paragraphs that a page has. */
import { type Output, outputText } from '@tiding/client';
import { escapeHtml, isMarkdownHtml, markupTypes } from '@tiding/client/model';
import { useMemo } from 'react';
import type { Selection } from '../result/contract.ts';
import { mayBeWidget } from '../result/displays/html/html-kinds.ts';
import { frameBase } from '../result/frames/frame-address.ts';
import { ResultView } from '../result/result-view.tsx';
import { shownOutputs } from '../result/shown-outputs.ts';
import { type OutputBlock, outputsBefore } from './data.ts';
import { outputTexts } from './texts.ts';

/** The sanitizer drops styles too, but a strict policy reports those that it reads. */
const withoutStyles = (html: string): string =>
  html.replace(/<style\b[\s\S]*?<\/style\s*>|<[a-z][^>]*>/gi, (tag) =>
    /^<style/i.test(tag)
      ? ''
      : tag.replace(/\s(?:style|border)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, ''),
  );

/** Whether HTML shows anything without its scripts. */
const isVisible = (html: string): boolean =>
  /<(?:img|hr)\b/i.test(html) ||
  html.replace(/<script\b[\s\S]*?<\/script\s*>|<[^>]*>|&nbsp;/gi, '').trim() !== '';

/** Without frames, HTML is shown as Markdown is: sanitized, in the page. */
function inPage(output: Output): Output {
  if (!markupTypes.has(output.type)) return output;
  const html = outputText(output);
  if (isMarkdownHtml(html) || mayBeWidget(html)) return output;
  const plain = withoutStyles(html);
  const shown = isVisible(plain) ? plain : `<p>${escapeHtml(outputTexts.scripted)}</p>`;
  const chunks = [`<div class="markdown-body">${shown}</div>`];
  return { type: 'HTML', chunks, count: 1 };
}

export default function Outputs({
  blocks,
  configs,
  server,
  bare,
  trusted,
  onSelect,
}: {
  blocks: readonly OutputBlock[];
  configs: readonly Readonly<Record<string, unknown>>[];
  server: string | undefined;
  bare: boolean;
  trusted: boolean;
  onSelect: (output: number, selection: Selection | null) => void;
}) {
  const hasFrames = server !== undefined;
  const frameUrl = hasFrames
    ? `${frameBase({ server: new URL(server, document.baseURI).href.replace(/\/$/, '') })}` +
      `/output-frame/1${trusted ? '' : '/still'}`
    : '';
  const before = outputsBefore(blocks);
  const shown = useMemo(
    () =>
      blocks.map(({ outputs, status }) => ({
        status,
        outputs: hasFrames ? outputs : outputs.map(inPage),
      })),
    [blocks, hasFrames],
  );
  if (shown.every(({ outputs, status }) => shownOutputs(outputs, status).shown.length === 0))
    return <p className="element-note">{outputTexts.empty}</p>;
  return shown.map(({ status, outputs }, at) => (
    <ResultView
      key={at}
      {...{ outputs, status, bare, frameUrl }}
      config={configs[at]!}
      readOnly
      onSelect={(index, selection) => onSelect(before[at]! + index, selection)}
    />
  ));
}
