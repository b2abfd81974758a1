import {
  applicationsOf,
  type ParagraphState,
  type Output as PrintedOutput,
  paragraphText,
} from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import { memo, useMemo } from 'react';
import { terminalTexts } from '../../result/displays/terminal/texts.ts';
import { type ResultContext, ResultView, type Selection } from '../../result/index.ts';
import { emitEvent } from '../../runtime/define-element.ts';
import { useEvent } from '../../runtime/hooks.ts';
import { CodeBoundary, lazyCode } from '../../runtime/lazy-code.tsx';
import { isEmbedded } from '../../runtime/note-right.ts';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { assistance, hasAssistant } from '../assistant/assistance.tsx';
import { useFrames } from '../trust.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { isConfirmation, isOwnSql, type Look } from './look.ts';
import { paragraphTexts } from './texts.ts';
import { formsToShow } from './typed-forms.ts';
import { type ParagraphActions, useNearParagraph, useParagraphActions } from './use-paragraph.ts';

const Forms = lazyCode(async () => (await import('./forms.tsx')).Forms);

export interface CardProps {
  id: string;
  look: Look;
}

/** Props of a paragraph that exists. */
export type ShownProps = CardProps & { paragraph: ParagraphState; actions: ParagraphActions };

/** A paragraph in report or embed layout, which needs no code of bars and editors. */
export const BareParagraph = memo(function BareParagraph(props: CardProps) {
  const ui = useNoteUi();
  const paragraph = useNearParagraph(ui, props.id);
  const actions = useParagraphActions(ui, props.id);
  return paragraph ? <BareCard {...props} paragraph={paragraph} actions={actions} /> : null;
});

/** Title, forms and result of a paragraph. */
export function BareCard({ look, paragraph, actions }: ShownProps) {
  const ui = useNoteUi();
  const { server } = paragraph;
  const config = server.config ?? {};
  // A single paragraph is always shown, because it was requested explicitly.
  if (
    look === 'report' &&
    !ui.single &&
    (config.tableHide ||
      (paragraph.outputs.every(isConfirmation) &&
        !Object.keys(server.settings?.forms ?? {}).length))
  )
    return null;
  return (
    <article
      className={`paragraph ${look}`}
      part="paragraph"
      data-paragraph={paragraph.id}
      data-status={server.status}
      aria-label={server.title}
    >
      {isRunning(server.status) ? <Progress paragraph={paragraph} /> : null}
      {config.title && server.title ? <h2 className="report-title">{server.title}</h2> : null}
      <ParagraphOutput paragraph={paragraph} actions={actions} bare />
    </article>
  );
}

/** Progress of a run, above a paragraph. */
export function Progress({ paragraph }: { paragraph: ParagraphState }) {
  const { progress, server } = paragraph;
  const known = progress > 0 && progress < 100;
  const name = server.title || noteTexts.untitled;
  return (
    <div
      className="progress-line"
      role="progressbar"
      aria-label={fill(paragraphTexts.progress, { name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={known ? progress : undefined}
    >
      <i className={known ? '' : 'unknown'} style={known ? { width: `${progress}%` } : undefined} />
    </div>
  );
}

const noParams = {};
const nothing = (): void => {};

/**
 * Outputs of a paragraph. If a run failed without output (a spell), its error message is shown
 * instead.
 */
function withError({ outputs, server }: ParagraphState): readonly PrintedOutput[] {
  if (outputs.length > 0 || server.status !== 'ERROR' || !server.errorMessage) return outputs;
  return [{ type: 'TEXT', chunks: [server.errorMessage], count: 1 }];
}

interface OutputProps {
  paragraph: ParagraphState;
  actions: ParagraphActions;
  bare: boolean;
  /** Whether to show the output although it is hidden. */
  show?: boolean;
  onDoubleClick?: (() => void) | undefined;
}

export function ParagraphOutput({ paragraph, actions, bare, show, onDoubleClick }: OutputProps) {
  const ui = useNoteUi();
  const { server } = paragraph;
  const outputs = useMemo(() => withError(paragraph), [paragraph]);
  const apps = applicationsOf(server);
  const locked = useViewStore(ui.locked, (state) => state.values);
  const [frameUrl, trust] = useFrames(
    ui,
    useMemo(() => [...outputs, ...apps.flatMap((app) => app.outputs)], [outputs, apps]),
  );
  const config = server.config ?? {};
  const readOnly = ui.note.revision !== undefined;
  const mayNotRun = useWhyNot(ui, 'runner');
  const mayNotChange = useWhyNot(ui, 'writer');
  const onConfig = useEvent((index: number, entry: unknown) => {
    actions.configure({ results: { ...config.results, [index]: entry } });
  });
  const onWidth = useEvent((colWidth: number) => actions.configure({ colWidth }));
  const { client, note, host } = ui;
  const { id } = server;
  // A page doesn't know the scope of its embed token, and most don't allow typing.
  const mayNotType =
    mayNotChange ??
    (ui.layout.editable && !isEmbedded(client) ? undefined : terminalTexts.viewOnly);
  const mayClean =
    !(bare || readOnly || mayNotRun || mayNotChange) &&
    client.state.server?.tiding !== undefined &&
    isOwnSql(server.text ?? '');
  const asks = !(bare || readOnly || mayNotRun) && hasAssistant(ui);
  const place = useMemo(
    (): ResultContext => ({
      client,
      note,
      paragraph: note.paragraph(id),
      showError: ui.messages.error,
      mayNotRun,
      mayNotType,
      onClean: mayClean
        ? (column) =>
            void ui.messages.act(async () => {
              const { CleanDialog } = await import('../clean/clean-dialog.tsx');
              ui.dialogs.open((onClose) => (
                <CleanDialog {...{ ui, column, onClose }} paragraphId={id} />
              ));
            })
        : undefined,
      ...(asks && assistance(ui, id, mayNotChange === undefined)),
    }),
    [client, note, id, ui, mayNotRun, mayNotType, mayClean, asks, mayNotChange],
  );
  const onSelect = useEvent((output: number, selection: Selection | null) => {
    const place = { noteId: note.id, paragraphId: id, output };
    emitEvent(host, 'tiding-select', { ...place, values: {}, ...selection });
  });
  const value = paragraphText(paragraph);
  const forms = useMemo(() => formsToShow(value, paragraph), [value, paragraph]);
  if (config.tableHide && !ui.single && !show) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer shortcut; keys have a command
    <div className="output-part" part="result" onDoubleClick={onDoubleClick}>
      {Object.keys(forms).length === 0 ? null : (
        <CodeBoundary>
          <Forms
            forms={forms}
            params={server.settings?.params ?? noParams}
            busy={isRunning(server.status) || readOnly}
            disabledReason={mayNotRun}
            acting={config.runOnSelectionChange !== false}
            locked={locked}
            onValue={actions.setForm}
            onShow={readOnly ? nothing : actions.fillParams}
          />
        </CodeBoundary>
      )}
      {trust}
      {frameUrl === undefined ? null : (
        <ResultView
          outputs={outputs}
          apps={apps}
          status={server.status ?? 'READY'}
          config={config}
          bare={bare}
          title={server.title ?? ''}
          {...(server.dateFinished ? { dateFinished: server.dateFinished } : {})}
          frameUrl={frameUrl}
          onConfig={onConfig}
          onWidth={bare || readOnly || ui.single || mayNotChange ? undefined : onWidth}
          context={place}
          onSelect={onSelect}
        />
      )}
    </div>
  );
}
