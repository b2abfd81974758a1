/** A paragraph and a note as static markup, in the structure of their views. */
import type { ParagraphState } from '@tiding/client';
import { editorMode, splitMagic } from '@tiding/client/model';
import type { Form } from '@tiding/client/protocol';
import { FixedCode } from '../editor/fixed-code.tsx';
import { optionText, sameOptionValue, valueText } from '../note/paragraph/fields/options.ts';
import { ParagraphFooter } from '../note/paragraph/footer.tsx';
import { HeaderParts } from '../note/paragraph/header-parts.tsx';
import {
  cardClasses,
  codeLanguage,
  isBare,
  isConfirmation,
  type Look,
} from '../note/paragraph/look.ts';
import { paragraphTexts } from '../note/paragraph/texts.ts';
import { shownForms } from '../note/paragraph/typed-forms.ts';
import { whyNot } from '../runtime/note-right.ts';
import { fill } from '../text/fill.ts';
import { statusLabel } from '../ui/status.tsx';
import { type OutputOptions, StaticOutputs } from './output.tsx';
import type { SourceNote, SourceParagraph } from './source.ts';

export interface MarkupOptions extends OutputOptions {
  readonly code: boolean;
  /** Whether titles that the note doesn't mention in its settings are shown, as in files. */
  readonly titles: boolean;
}

/** Minimum width of charts in narrow paragraphs, in px. */
const MIN_WIDTH_PX = 240;

type Params = Readonly<Record<string, unknown>>;

/** The value of a form, as its field shows it. */
function formText({ type, options = [] }: Form, value: unknown): string {
  if (type === 'Password') return '•'.repeat(valueText(value).length && 8);
  const one = (each: unknown): string => {
    const option = options.find((known) => sameOptionValue(known.value, each));
    return option ? optionText(option) : valueText(each);
  };
  return Array.isArray(value) ? value.map(one).join(', ') : one(value);
}

function StaticForms({ forms, params }: { forms: Readonly<Record<string, Form>>; params: Params }) {
  const shown = shownForms(forms);
  if (shown.length === 0) return null;
  return (
    <div className="forms">
      {shown.map(({ name, form }) => (
        <div key={name} className="field form-field">
          <span className="label">{form.displayName ?? form.name ?? name}</span>
          <span className="input off snapshot-value">
            {formText(form, params[name] ?? form.defaultValue)}
          </span>
        </div>
      ))}
    </div>
  );
}

/** The code to show, or `''`: that of Markdown is shown only while it has no output. */
function codeOf({ paragraph, outputs }: SourceParagraph, code: boolean): string {
  const { text = '', config = {} } = paragraph;
  const shown =
    editorMode(text) === 'markdown'
      ? outputs.every(({ count }) => count === 0)
      : code && config.editorHide !== true;
  return shown ? splitMagic(text).script : '';
}

/** Whether a paragraph of a note shows anything. */
const isEmpty = (source: SourceParagraph, code: boolean): boolean =>
  codeOf(source, code) === '' &&
  (source.paragraph.config?.tableHide === true ||
    (source.outputs.every((output) => isConfirmation(output)) &&
      Object.keys(source.paragraph.settings?.forms ?? {}).length === 0));

interface ParagraphProps {
  readonly source: SourceParagraph;
  readonly options: MarkupOptions;
  /** Whether it is shown alone, with a result that its note hides. */
  readonly single?: boolean;
  /** Layout; default: report. */
  readonly look?: Look;
}

const nothing = (): void => {};
const noHandle = { current: null };
const reasonFor = (right: 'runner' | 'writer') => whyNot('reader', right, { isPage: true });

/** Header, code, forms, result and footer of a paragraph, for a page that may only read it. */
function StaticCard({ source, options, look }: Required<Omit<ParagraphProps, 'single'>>) {
  const { paragraph, outputs } = source;
  const { id, title = '', text = '', config = {}, status = 'READY' } = paragraph;
  const state = { server: paragraph, outputs, progress: 0 } as unknown as ParagraphState;
  const mayNotChange = reasonFor('writer')!;
  const name = fill(paragraphTexts.code, { n: 1 });
  return (
    <article
      className={cardClasses(state, look).join(' ')}
      part="paragraph"
      data-paragraph={id}
      data-numbered={title ? undefined : ''}
      aria-label={fill(paragraphTexts.name, { name: title || name, status: statusLabel(status) })}
    >
      <HeaderParts
        {...{ paragraph: state, plain: false, online: true, mayNotChange }}
        mayNotRun={reasonFor('runner')}
        onCommand={nothing}
        onTitle={nothing}
        menu={() => []}
      />
      {config.editorHide === true ? null : (
        <div className="code-part" title={mayNotChange}>
          <FixedCode
            text={text}
            language={codeLanguage(text, config.editorSetting?.language, true)}
            lineNumbers={config.lineNumbers === true}
            label={name}
            reason={mayNotChange}
            handle={noHandle}
            onNear={nothing}
            onRun={nothing}
            onLeave={nothing}
            onEdge={nothing}
          />
        </div>
      )}
      <StaticResult source={source} options={options} bare={false} />
      <ParagraphFooter server={paragraph} always />
    </article>
  );
}

function StaticResult({
  source: { paragraph, outputs },
  options,
  bare,
}: Pick<ParagraphProps, 'source' | 'options'> & { bare: boolean }) {
  const { id, title = '', config = {}, status, settings } = paragraph;
  return (
    <div className="output-part" part="result">
      <StaticForms forms={settings?.forms ?? {}} params={settings?.params ?? {}} />
      <StaticOutputs {...{ outputs, status, config, title, bare }} {...options} paragraph={id} />
    </div>
  );
}

/** Title, code, forms and result of a paragraph. */
export function StaticParagraph({
  source,
  options,
  single = false,
  look = 'report',
}: ParagraphProps) {
  if (!isBare(look)) return <StaticCard {...{ source, options, look }} />;
  const { id, title = '', config = {} } = source.paragraph;
  const code = codeOf(source, options.code);
  const hasTitle = title.trim() !== '' && (config.title ?? options.titles);
  return (
    <article
      className={`paragraph ${look}`}
      part="paragraph"
      data-paragraph={id}
      aria-label={title || undefined}
    >
      {hasTitle && <h2 className="report-title">{title}</h2>}
      {code !== '' && <pre className="snapshot-code">{code}</pre>}
      {config.tableHide === true && !single ? null : (
        <StaticResult source={source} options={options} bare />
      )}
    </article>
  );
}

/** The paragraphs of a note in their grid. */
export function StaticNote({ note, options }: { note: SourceNote; options: MarkupOptions }) {
  const { noteForms = {}, noteParams = {} } = note.file;
  return (
    <div className="notebook report">
      <div className="note-layout">
        <section className="note-area" aria-label={note.title}>
          {Object.keys(noteForms).length > 0 && (
            <div className="note-forms">
              <StaticForms forms={noteForms} params={noteParams} />
            </div>
          )}
          <div className="grid12">
            {note.paragraphs
              .filter((each) => !isEmpty(each, options.code))
              .map((source) => {
                const given = Math.round(source.paragraph.config?.colWidth ?? 12);
                const columns = Math.min(12, Math.max(1, given));
                const width = Math.max(MIN_WIDTH_PX, (options.width * columns) / 12);
                return (
                  <div key={source.paragraph.id} className={`cell span-${columns}`}>
                    <StaticParagraph source={source} options={{ ...options, width }} />
                  </div>
                );
              })}
          </div>
        </section>
      </div>
    </div>
  );
}
