/**
 * Parts of a paragraph far from the window: its text in about its final size, for the browser's
 * find and the scroll bar. They cost a fraction of those with editor, buttons and results.
 */
import { applicationsOf, outputText, type ParagraphState, paragraphText } from '@tiding/client';
import { isOutdated, isRunning, markupTypes, runFooterText } from '@tiding/client/model';
import { codeSize } from '../../editor/font-size.ts';
import { OutputPlaceholder } from '../../result/output-placeholder.tsx';
import { shownOutputs } from '../../result/shown-outputs.ts';
import { resultText } from '../../result/texts.ts';
import { graphOf, resultEntryOf } from '../../result/view-settings.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { statusLabel } from '../../ui/status.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { paragraphTexts } from './texts.ts';
import { formsToShow } from './typed-forms.ts';

/** Longest text output that is shown whole without a toolbar, in characters. */
const MAX_TEXT = 10_000;
/** Output with colours, overwritten lines or JSON has parts that the text alone does not show. */
const RICH_TEXT = /[\u0000-\u0008\u000b-\u001f]|^\s*[[{]/;

const isPlainText = (text: string): boolean => text.length <= MAX_TEXT && !RICH_TEXT.test(text);

const known = new WeakMap<ParagraphState, boolean>();

/** Whether text shows all of a paragraph: it has no forms, messages, errors or special outputs. */
export function isTextOnly(paragraph: ParagraphState): boolean {
  let answer = known.get(paragraph);
  if (answer === undefined) known.set(paragraph, (answer = check(paragraph)));
  return answer;
}

function check(paragraph: ParagraphState): boolean {
  const { commitError, conflict, outputs, removed, server } = paragraph;
  return (
    !(removed || conflict || commitError || server.config?.lineNumbers) &&
    !isRunning(server.status) &&
    server.status !== 'ERROR' &&
    applicationsOf(server).length === 0 &&
    Object.keys(formsToShow(paragraphText(paragraph), paragraph)).length === 0 &&
    outputs.every(
      (output) =>
        output.type === 'NULL' ||
        output.type === 'TABLE' ||
        markupTypes.has(output.type) ||
        (output.type === 'TEXT' && isPlainText(outputText(output))),
    )
  );
}

/** Status, code and results of a paragraph as text; {@link isTextOnly} must hold. */
export function DistantParts({ paragraph }: { paragraph: ParagraphState }) {
  const ui = useNoteUi();
  const { id, server } = paragraph;
  const config = server.config ?? {};
  const { shown } = shownOutputs(paragraph.outputs, server.status);
  const footer = config.tableHide ? '' : runFooterText(server);
  const code = paragraphText(paragraph);
  /** Somebody came here with the keyboard, from the end of the page. */
  const onFocus = (): void => {
    ui.viewport.element(id)?.querySelector<HTMLElement>('.code-closed')?.focus();
  };
  return (
    <>
      <header className="paragraph-head" part="header">
        {config.title ? (
          <h2 className="paragraph-title truncate">{server.title || noteTexts.untitled}</h2>
        ) : null}
        {config.enabled === false ? (
          <span className="badge">{paragraphTexts.disabledBadge}</span>
        ) : null}
        {isOutdated(server) && paragraph.outputs.length > 0 ? (
          <span className="badge outdated">{paragraphTexts.outdated}</span>
        ) : null}
        <span className="status">{statusLabel(server.status ?? 'READY')}</span>
      </header>
      {config.editorHide ? null : (
        <div className="code-part">
          <div className="code-area">
            <div
              className="code-closed code static-code static-content without-numbers static-line"
              style={codeSize(config.fontSize)}
              role="textbox"
              aria-multiline="true"
              aria-label={ui.paragraphs.labelOf(id)}
              tabIndex={0}
              onFocus={onFocus}
            >
              {/* An empty last line has no height of its own. */}
              {code.replace(/(^|\n)$/, '$1\n')}
            </div>
          </div>
        </div>
      )}
      {config.tableHide || shown.length === 0 ? null : (
        <div
          className="output-part result"
          part="result"
          role="group"
          aria-label={resultText.result}
        >
          {shown.map(({ output, index }) => {
            const { height } = graphOf(resultEntryOf(config, index));
            return output.type === 'TEXT' ? (
              <div key={index} className="result-text">
                <div className="text-box result-out text-lines" style={{ maxHeight: height }}>
                  {outputText(output)}
                </div>
              </div>
            ) : (
              <OutputPlaceholder key={index} output={output} height={height} />
            );
          })}
        </div>
      )}
      {footer === '' ? null : (
        <footer className="paragraph-foot hint" part="footer">
          {footer}
        </footer>
      )}
    </>
  );
}
