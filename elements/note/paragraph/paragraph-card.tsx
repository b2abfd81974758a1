import {
  applicationsOf,
  type ParagraphState,
  type Output as PrintedOutput,
  paragraphText,
} from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type EditorHandle, ParagraphEditor } from '../../editor/index.ts';
import { type ResultContext, ResultView, type Selection } from '../../result/index.ts';
import { emitEvent } from '../../runtime/define-element.ts';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts } from '../../text/note/note.ts';
import { paragraphTexts } from '../../text/note/paragraph.ts';
import { terminalTexts } from '../../text/results/terminal.ts';
import { statusLabel } from '../../ui/status.tsx';
import { isProse } from '../commands/paragraph.tsx';
import { type FindPart, useFindPart } from '../find/find-store.ts';
import type { PendingInput } from '../pending-input.ts';
import { usePresence } from '../presence/people.tsx';
import { useFrames } from '../trust.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { ParagraphFooter } from './footer.tsx';
import { Forms } from './forms.tsx';
import { ParagraphHeader } from './header.tsx';
import type { Look } from './look.ts';
import { Strips } from './strips.tsx';
import { formsToShow } from './typed-forms.ts';
import { useEditorSetting } from './use-editor-setting.ts';
import { type ParagraphActions, useParagraph, useParagraphActions } from './use-paragraph.ts';
import { useRunErrors } from './use-run-errors.ts';

interface CardProps {
  id: string;
  look: Look;
}

/** One paragraph. Renders only when this paragraph changes. */
export const ParagraphCard = memo(function ParagraphCard(props: CardProps) {
  const { id, look } = props;
  const ui = useNoteUi();
  const paragraph = useParagraph(ui, id);
  const actions = useParagraphActions(ui, id);
  if (!paragraph) return null;
  return look === 'report' || look === 'embed' ? (
    <Bare {...props} paragraph={paragraph} actions={actions} />
  ) : (
    <Card {...props} paragraph={paragraph} actions={actions} />
  );
});

type ShownProps = CardProps & { paragraph: ParagraphState; actions: ParagraphActions };

function Card({ id, look, paragraph, actions }: ShownProps) {
  const ui = useNoteUi();
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const focused = useViewStore(ui.focus.state, (state) => state.focused === id);
  const added = useViewStore(ui.focus.state, (state) => state.added === id);
  const [placeAt, setPlaceAt] = useState<'end'>();
  const find = useFindPart(ui.find, id);
  const prose = isProse({ state: paragraph });
  const proseLook =
    config.editorHide === true &&
    !find.showCode &&
    prose &&
    !config.title &&
    paragraph.outputs.length > 0;
  const blank = paragraph.outputs.length === 0 && paragraphText(paragraph).trim() === '';
  const classes = [
    'paragraph',
    look,
    focused && 'focused',
    config.enabled === false && 'disabled',
    proseLook && 'prose-look',
    blank && 'blank',
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <article
      className={classes}
      part="paragraph"
      data-paragraph={id}
      data-status={server.status}
      tabIndex={-1}
      aria-label={fill(paragraphTexts.name, {
        name: server.title || ui.paragraphs.labelOf(id),
        status: statusLabel(server.status ?? 'READY'),
      })}
      data-numbered={server.title ? undefined : ''}
      aria-current={focused || undefined}
      onPointerDown={() => ui.focus.set(id)}
      onFocus={() => ui.focus.set(id)}
      // The frame itself has the focus if the editor is hidden: arrow keys move to the neighbours.
      onKeyDown={(event: KeyboardEvent) => {
        if (
          event.target !== event.currentTarget ||
          event.ctrlKey ||
          event.altKey ||
          event.metaKey ||
          event.shiftKey
        )
          return;
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        ui.focus.moveFrom(id, event.key === 'ArrowUp' ? 'up' : 'down');
      }}
    >
      <ParagraphHeader paragraph={paragraph} actions={actions} plain={look === 'focus'} />
      {running ? <Progress paragraph={paragraph} /> : null}
      <Strips paragraph={paragraph} actions={actions} />
      {(config.editorHide && !find.showCode) || look === 'focus' ? null : (
        <CodePart
          {...{ paragraph, actions, running, id, find }}
          autoFocus={added || placeAt !== undefined}
          placeAt={placeAt}
          ahead={added ? ui.pendingInput.ahead : undefined}
        />
      )}
      <Output
        paragraph={paragraph}
        actions={actions}
        bare={false}
        show={find.showResult}
        onDoubleClick={
          config.editorHide && prose && ui.note.revision === undefined && look !== 'focus'
            ? () => {
                setPlaceAt('end');
                actions.configure({ editorHide: false, tableHide: true });
              }
            : undefined
        }
      />
      <ParagraphFooter server={server} always={ui.single} />
    </article>
  );
}

/** A paragraph in report or embed layout: title, forms and result. */
function Bare({ look, paragraph, actions }: ShownProps) {
  const ui = useNoteUi();
  const { server } = paragraph;
  const config = server.config ?? {};
  // A single paragraph is always shown, because it was requested explicitly.
  if (
    look === 'report' &&
    !ui.single &&
    (config.tableHide ||
      (paragraph.outputs.length === 0 && !Object.keys(server.settings?.forms ?? {}).length))
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
      <Output paragraph={paragraph} actions={actions} bare />
    </article>
  );
}

interface CodeProps {
  id: string;
  paragraph: ParagraphState;
  actions: ParagraphActions;
  running: boolean;
  autoFocus: boolean;
  placeAt: 'end' | undefined;
  ahead: PendingInput['ahead'] | undefined;
  find: FindPart;
}

const magicAlone = /^\s*%[\w.-]+\s*$/;

function CodePart({ id, paragraph, actions, running, autoFocus, placeAt, ahead, find }: CodeProps) {
  const ui = useNoteUi();
  const mayNotChange = useWhyNot(ui, 'writer');
  const value = paragraphText(paragraph);
  const config = paragraph.server.config ?? {};
  const { language, completionKey, completionSupport, onNear } = useEditorSetting(
    ui,
    id,
    paragraph,
    value,
  );
  const errors = useRunErrors(paragraph, value);
  const edge = useCallback((side: 'up' | 'down') => ui.focus.moveFrom(id, side), [ui, id]);
  const handle = useRef<EditorHandle>(null);
  const presence = usePresence(ui, id);
  // In a paragraph that starts with only its magic, typing begins below it (as in Zeppelin).
  const place = placeAt ?? (autoFocus && magicAlone.test(value) ? 'end' : undefined);
  useEffect(() => {
    ui.editors.add(id, handle);
  }, [ui, id]);
  return (
    <div className="code-part" title={mayNotChange}>
      <ParagraphEditor
        handle={handle}
        presence={presence}
        ahead={ahead}
        value={value}
        language={language}
        errors={errors}
        completionKey={completionKey}
        completionSupport={completionSupport}
        onNear={onNear}
        readOnly={running || !ui.layout.editable || mayNotChange !== undefined}
        readOnlyReason={mayNotChange}
        lineNumbers={config.lineNumbers === true}
        {...(config.fontSize ? { fontSize: config.fontSize } : {})}
        {...(place ? { placeAt: place } : {})}
        label={ui.paragraphs.labelOf(id)}
        autoFocus={autoFocus}
        marks={find.marks}
        past={find.after === value ? find.past : undefined}
        onChange={actions.edit}
        onBlur={actions.save}
        onRun={() => actions.command('run')}
        complete={actions.complete}
        onEdge={edge}
      />
    </div>
  );
}

function Progress({ paragraph }: { paragraph: ParagraphState }) {
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

function Output({ paragraph, actions, bare, show, onDoubleClick }: OutputProps) {
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
  const newest = useRef(config.results);
  newest.current = config.results;
  const onConfig = useCallback(
    (index: number, entry: unknown) => {
      actions.configure({ results: { ...newest.current, [index]: entry } });
    },
    [actions],
  );
  const onWidth = useCallback((colWidth: number) => actions.configure({ colWidth }), [actions]);
  const { client, note, host } = ui;
  const { id } = server;
  // A page doesn't know the scope of its embed token, and most don't allow typing.
  const isEmbedded = client.session.current?.principal.startsWith('embed:') ?? false;
  const mayNotType =
    mayNotChange ?? (ui.layout.editable && !isEmbedded ? undefined : terminalTexts.viewOnly);
  const place = useMemo(
    (): ResultContext => ({
      client,
      note,
      paragraph: note.paragraph(id),
      showError: ui.messages.lastingError,
      mayNotType,
    }),
    [client, note, id, ui, mayNotType],
  );
  const onSelect = useCallback(
    (output: number, selection: Selection | null) => {
      emitEvent(host, 'tiding-select', {
        noteId: note.id,
        paragraphId: id,
        output,
        values: {},
        ...selection,
      });
    },
    [host, note, id],
  );
  const value = paragraphText(paragraph);
  const forms = useMemo(() => formsToShow(value, paragraph), [value, paragraph]);
  if (config.tableHide && !ui.single && !show) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer shortcut; keys have a command
    <div className="output-part" part="result" onDoubleClick={onDoubleClick}>
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
