import { memo, useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import {
  applicationsOf,
  paragraphText,
  type Output as PrintedOutput,
  type ParagraphState,
} from 'tiding/client';
import { isRunning } from 'tiding/model';
import { Editor, type EditorHandle } from '../editor/index.ts';
import { useFindPart, type FindPart } from '../note/find/store.ts';
import { isProse } from '../note/commands/paragraph.tsx';
import { usePresence } from '../note/presence/people.tsx';
import { useViewState, type NoteView } from '../note/view.tsx';
import { useFrames } from '../note/trust.tsx';
import { ResultView, type Selection } from '../result/index.ts';
import { tell } from '../runtime/define-element.ts';
import { fill, text } from '../text/en.ts';
import { ParagraphFooter } from './footer.tsx';
import { statusWord } from '../ui/status.tsx';
import { Forms } from './forms.tsx';
import { ParagraphHeader } from './header.tsx';
import type { Look } from './look.ts';
import { Strips } from './strips.tsx';
import { formsOf } from './typed-forms.ts';
import { useEditorSetting } from './use-editor-setting.ts';
import { useActions, useParagraph, type ParagraphActions } from './use-paragraph.ts';
import { useRunErrors } from './use-run-errors.ts';

interface CardProps {
  view: NoteView;
  id: string;
  look: Look;
}

/** One paragraph. Renders when this paragraph changes and not when another does. */
export const ParagraphCard = memo(function ParagraphCard(props: CardProps) {
  const { view, id, look } = props;
  const paragraph = useParagraph(view, id);
  const actions = useActions(view, id);
  if (!paragraph) return null;
  return look === 'report' || look === 'embed' ? (
    <Bare {...props} paragraph={paragraph} actions={actions} />
  ) : (
    <Card {...props} paragraph={paragraph} actions={actions} />
  );
});

type ShownProps = CardProps & { paragraph: ParagraphState; actions: ParagraphActions };

function Card({ view, id, look, paragraph, actions }: ShownProps) {
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const focused = useViewState(view, (state) => state.focused === id);
  const added = useViewState(view, (state) => state.added === id);
  const [placeAt, setPlaceAt] = useState<'end'>();
  const find = useFindPart(view, id);
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
      aria-label={fill(text.paragraph.name, {
        name: server.title || view.labelOf(id),
        status: statusWord(server.status ?? 'READY'),
      })}
      data-numbered={server.title ? undefined : ''}
      aria-current={focused || undefined}
      onPointerDown={() => view.focus(id)}
      onFocus={() => view.focus(id)}
      // The frame itself has the focus where the editor is hidden: arrows go on to the neighbours.
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
        view.go(id, event.key === 'ArrowUp' ? 'up' : 'down');
      }}
    >
      <ParagraphHeader
        view={view}
        paragraph={paragraph}
        actions={actions}
        plain={look === 'focus'}
      />
      {running ? <Progress paragraph={paragraph} /> : null}
      <Strips paragraph={paragraph} actions={actions} />
      {(config.editorHide && !find.showCode) || look === 'focus' ? null : (
        <CodePart
          {...{ view, paragraph, actions, running, id, find }}
          autoFocus={added || placeAt !== undefined}
          placeAt={placeAt}
          ahead={added ? view.leading.ahead : undefined}
        />
      )}
      <Output
        view={view}
        paragraph={paragraph}
        actions={actions}
        bare={false}
        show={find.showResult}
        onDoubleClick={
          config.editorHide && prose && view.note.revision === undefined && look !== 'focus'
            ? () => {
                setPlaceAt('end');
                actions.configure({ editorHide: false, tableHide: true });
              }
            : undefined
        }
      />
      <ParagraphFooter server={server} always={view.single} />
    </article>
  );
}

/** Report look and embedding: title, forms and result. */
function Bare({ view, look, paragraph, actions }: ShownProps) {
  const { server } = paragraph;
  const config = server.config ?? {};
  // What stands alone is what was asked for.
  if (
    look === 'report' &&
    !view.single &&
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
      <Output view={view} paragraph={paragraph} actions={actions} bare />
    </article>
  );
}

interface CodeProps {
  view: NoteView;
  id: string;
  paragraph: ParagraphState;
  actions: ParagraphActions;
  running: boolean;
  autoFocus: boolean;
  placeAt: 'end' | undefined;
  ahead: NoteView['leading']['ahead'] | undefined;
  find: FindPart;
}

const magicAlone = /^\s*%[\w.]+\s*$/;

function CodePart({
  view,
  id,
  paragraph,
  actions,
  running,
  autoFocus,
  placeAt,
  ahead,
  find,
}: CodeProps) {
  const value = paragraphText(paragraph);
  const config = paragraph.server.config ?? {};
  const { language, completionKey, completionSupport, onNear } = useEditorSetting(
    view,
    id,
    paragraph,
    value,
  );
  const errors = useRunErrors(paragraph, value);
  const edge = useCallback((side: 'up' | 'down') => view.go(id, side), [view, id]);
  const handle = useRef<EditorHandle>(null);
  const presence = usePresence(view, id);
  // One that comes with its magic is written below it (specification's client).
  const place = placeAt ?? (autoFocus && magicAlone.test(value) ? 'end' : undefined);
  useEffect(() => {
    view.editors.set(id, handle);
    return () => void view.editors.delete(id);
  }, [view, id]);
  return (
    <div className="code-part">
      <Editor
        handle={handle}
        presence={presence}
        ahead={ahead}
        value={value}
        language={language}
        errors={errors}
        completionKey={completionKey}
        completionSupport={completionSupport}
        onNear={onNear}
        readOnly={running || !view.editable}
        lineNumbers={config.lineNumbers === true}
        {...(config.fontSize ? { fontSize: config.fontSize } : {})}
        {...(place ? { placeAt: place } : {})}
        label={view.labelOf(id)}
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
  const name = server.title || text.note.untitled;
  return (
    <div
      className="progress-line"
      role="progressbar"
      aria-label={fill(text.paragraph.progress, { name })}
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

/** What a paragraph has printed; one that failed without a word (a spell) says why. */
function withError({ outputs, server }: ParagraphState): readonly PrintedOutput[] {
  if (outputs.length > 0 || server.status !== 'ERROR' || !server.errorMessage) return outputs;
  return [{ type: 'TEXT', chunks: [server.errorMessage], count: 1 }];
}

interface OutputProps {
  view: NoteView;
  paragraph: ParagraphState;
  actions: ParagraphActions;
  bare: boolean;
  /** Shown although it is hidden. */
  show?: boolean;
  onDoubleClick?: (() => void) | undefined;
}

function Output({ view, paragraph, actions, bare, show, onDoubleClick }: OutputProps) {
  const { server } = paragraph;
  const outputs = useMemo(() => withError(paragraph), [paragraph]);
  const apps = applicationsOf(server);
  const locked = useViewState(view, (state) => state.locked);
  const [frameUrl, trust] = useFrames(
    view,
    useMemo(() => [...outputs, ...apps.flatMap((app) => app.outputs)], [outputs, apps]),
  );
  const config = server.config ?? {};
  const readOnly = view.note.revision !== undefined;
  const newest = useRef(config.results);
  newest.current = config.results;
  const onConfig = useCallback(
    (index: number, entry: unknown) => {
      actions.configure({ results: { ...newest.current, [index]: entry } });
    },
    [actions],
  );
  const onWidth = useCallback((colWidth: number) => actions.configure({ colWidth }), [actions]);
  const { client, note, host } = view;
  const { id } = server;
  const place = useMemo(
    () => ({ client, note, paragraph: note.paragraph(id), tell: view.failForGood }),
    [client, note, id, view],
  );
  const onSelect = useCallback(
    (output: number, selection: Selection | null) => {
      tell(host, 'tiding-select', {
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
  const forms = useMemo(() => formsOf(value, paragraph), [value, paragraph]);
  if (config.tableHide && !view.single && !show) return null;
  return (
    <div className="output-part" part="result" onDoubleClick={onDoubleClick}>
      <Forms
        forms={forms}
        params={server.settings?.params ?? noParams}
        busy={isRunning(server.status) || readOnly}
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
          onWidth={bare || readOnly || view.single ? undefined : onWidth}
          place={place}
          onSelect={onSelect}
        />
      )}
    </div>
  );
}
