import { memo, useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { paragraphText, type Client, type ParagraphState } from 'tiding/client';
import { editorMode, isRunning, magicOf, startedText, tookText } from 'tiding/model';
import { Editor, type EditorHandle } from '../editor/index.ts';
import { isProse } from '../note/commands/paragraph.tsx';
import { useViewState, type NoteView } from '../note/view.tsx';
import { ResultView } from '../result/index.ts';
import { useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { statusWord } from '../ui/status.tsx';
import { Forms } from './forms.tsx';
import { ParagraphHeader } from './header.tsx';
import type { Look } from './look.ts';
import { Strips } from './strips.tsx';
import { useActions, useParagraph, type ParagraphActions } from './use-paragraph.ts';

interface CardProps {
  view: NoteView;
  id: string;
  look: Look;
  /** Place in the note, from 0; absent where the paragraph stands alone. */
  index?: number;
}

/** One paragraph. Renders when this paragraph changes and not when another does. */
export const ParagraphCard = memo(function ParagraphCard(props: CardProps) {
  const { view, id, look } = props;
  const paragraph = useParagraph(view.client, view.note.id, id);
  const actions = useActions(view, id);
  if (!paragraph) return null;
  return look === 'report' || look === 'embed'
    ? <Bare {...props} paragraph={paragraph} actions={actions} />
    : <Card {...props} paragraph={paragraph} actions={actions} />;
});

type ShownProps = CardProps & { paragraph: ParagraphState; actions: ParagraphActions };

function Card({ view, id, look, index = 0, paragraph, actions }: ShownProps) {
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const online = useSelect(view.client, (state) => state.open[view.note.id]?.connection === 'open', false);
  const focused = useViewState(view, (state) => state.focused === id);
  const added = useViewState(view, (state) => state.added === id);
  const [placeAt, setPlaceAt] = useState<'end'>();
  const prose = isProse({ state: paragraph });
  const proseLook = config.editorHide === true && prose && !config.title && paragraph.outputs.length > 0;
  const classes = ['paragraph', look, focused && 'focused', config.enabled === false && 'disabled', proseLook && 'prose-look'].filter(Boolean).join(' ');
  return (
    <article
      className={classes} part="paragraph" data-paragraph={id} data-status={server.status} tabIndex={-1}
      aria-label={fill(text.paragraph.name, { name: server.title || fill(text.paragraph.code, { n: index + 1 }), status: statusWord(server.status ?? 'READY') })} aria-current={focused || undefined}
      onPointerDown={() => view.focus(id)} onFocus={() => view.focus(id)}
      // The frame itself has the focus where the editor is hidden: arrows go on to the neighbours.
      onKeyDown={(event: KeyboardEvent) => {
        if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        view.go(id, event.key === 'ArrowUp' ? 'up' : 'down');
      }}
    >
      <ParagraphHeader view={view} paragraph={paragraph} actions={actions} canRun={online} />
      {running ? <Progress paragraph={paragraph} /> : null}
      <Strips paragraph={paragraph} online={online} actions={actions} />
      {config.editorHide ? null : <CodePart {...{ view, paragraph, actions, running, index, id }} autoFocus={added || placeAt !== undefined} placeAt={placeAt} />}
      <Output
        client={view.client} paragraph={paragraph} actions={actions} bare={false}
        onDoubleClick={config.editorHide && prose ? () => {
          setPlaceAt('end');
          actions.configure({ editorHide: false, tableHide: true });
        } : undefined}
      />
      <Footer paragraph={paragraph} />
    </article>
  );
}

/** Report look and embedding: title, forms and result. */
function Bare({ view, look, paragraph, actions }: ShownProps) {
  const { server } = paragraph;
  const config = server.config ?? {};
  if (config.tableHide && look === 'report') return null;
  if (paragraph.outputs.length === 0 && !Object.keys(server.settings?.forms ?? {}).length && look === 'report') return null;
  return (
    <article className={`paragraph ${look}`} part="paragraph" data-paragraph={paragraph.id} data-status={server.status} aria-label={server.title}>
      {isRunning(server.status) ? <Progress paragraph={paragraph} /> : null}
      {config.title && server.title ? <h2 className="report-title">{server.title}</h2> : null}
      <Output client={view.client} paragraph={paragraph} actions={actions} bare />
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
  index: number;
}

function CodePart({ view, id, paragraph, actions, running, autoFocus, placeAt, index }: CodeProps) {
  const value = paragraphText(paragraph);
  const config = paragraph.server.config ?? {};
  const language = config.editorSetting?.language ?? editorMode(value, view.client.state.server?.tiding ? 'sql' : 'scala');
  const edge = useCallback((side: 'up' | 'down') => view.go(id, side), [view, id]);
  const handle = useRef<EditorHandle>(null);
  useEffect(() => {
    view.editors.set(id, handle);
    return () => void view.editors.delete(id);
  }, [view, id]);
  return (
    <div className="code-part">
      <Editor
        handle={handle}
        value={value} language={magicOf(value) ? editorMode(value, 'text') : language} readOnly={running || !view.editable} lineNumbers={config.lineNumbers === true}
        {...(config.fontSize ? { fontSize: config.fontSize } : {})} {...(placeAt ? { placeAt } : {})}
        label={fill(text.paragraph.code, { n: index + 1 })} autoFocus={autoFocus}
        onChange={actions.edit} onBlur={actions.save} onRun={() => actions.command('run')} complete={actions.complete} onEdge={edge}
      />
    </div>
  );
}

function Progress({ paragraph }: { paragraph: ParagraphState }) {
  const { progress, server } = paragraph;
  const known = progress > 0 && progress < 100;
  const name = server.title || text.note.untitled;
  return (
    <div className="progress-line" role="progressbar" aria-label={fill(text.paragraph.progress, { name })} aria-valuemin={0} aria-valuemax={100} aria-valuenow={known ? progress : undefined}>
      <i className={known ? '' : 'unknown'} style={known ? { width: `${progress}%` } : undefined} />
    </div>
  );
}

interface OutputProps {
  client: Client;
  paragraph: ParagraphState;
  actions: ParagraphActions;
  bare: boolean;
  onDoubleClick?: (() => void) | undefined;
}

function Output({ client, paragraph, actions, bare, onDoubleClick }: OutputProps) {
  const { server, outputs } = paragraph;
  const config = server.config ?? {};
  const newest = useRef(config.results);
  newest.current = config.results;
  const onConfig = useCallback((index: number, entry: unknown) => {
    actions.configure({ results: { ...newest.current, [index]: entry } });
  }, [actions]);
  if (config.tableHide && !bare) return null;
  const onForm = (name: string, value: unknown, commit: boolean) => actions.setParams({ [name]: value }, commit);
  return (
    <div className="output-part" part="result" onDoubleClick={onDoubleClick}>
      <Forms forms={server.settings?.forms ?? {}} params={server.settings?.params ?? {}} disabled={isRunning(server.status)} onChange={onForm} />
      <ResultView
        outputs={outputs} status={server.status ?? 'READY'} config={config} bare={bare} title={server.title ?? ''}
        {...(server.dateFinished ? { dateFinished: server.dateFinished } : {})} frameUrl={`${client.server}/output-frame/1`} onConfig={onConfig}
      />
    </div>
  );
}

function Footer({ paragraph }: { paragraph: ParagraphState }) {
  const { server, outputs } = paragraph;
  const running = server.status === 'RUNNING';
  const words = running ? startedText(server, new Date()) : tookText(server);
  if (!words || (server.config?.tableHide && !running) || (outputs.length === 0 && !server.dateFinished && !running)) return null;
  return <footer className="paragraph-foot">{words}</footer>;
}
