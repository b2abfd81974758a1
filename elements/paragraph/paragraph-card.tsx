import { memo, useCallback, useRef, useState } from 'react';
import { paragraphText, type Client, type Note, type ParagraphState } from 'tiding/client';
import { editorMode, isRunning, magicOf, startedText, tookText } from 'tiding/model';
import { Editor } from '../editor/index.ts';
import { ResultView } from '../result/index.ts';
import { fill, text } from '../text/en.ts';
import { Forms } from './forms.tsx';
import { ParagraphHeader } from './header.tsx';
import { Strips } from './strips.tsx';
import { useCommands, useParagraph, type ParagraphCommands } from './use-paragraph.ts';

/** How a paragraph is shown: `report` and `embed` have no editor and no bars. */
export type Look = 'default' | 'simple' | 'report' | 'embed';

interface CardProps {
  client: Client;
  note: Note;
  id: string;
  look: Look;
  online: boolean;
  /** Place in the note and number of paragraphs; absent in an embedded paragraph. */
  index?: number;
  count?: number;
  focused?: boolean;
  /** The editor takes the focus, for a paragraph that was just added. */
  autoFocus?: boolean;
  fail: (message: string) => void;
  onRemove?: (id: string) => void;
  onLink: (id: string) => void;
  onFocus?: (id: string) => void;
  /** The cursor leaves the editor over an edge. */
  onEdge?: (id: string, edge: 'up' | 'down') => void;
}

/** One paragraph. Renders when this paragraph changes and not when another does. */
export const ParagraphCard = memo(function ParagraphCard(props: CardProps) {
  const { client, note, id, fail, look } = props;
  const paragraph = useParagraph(client, note.id, id);
  const commands = useCommands(note, id, fail);
  if (!paragraph) return null;
  return look === 'report' || look === 'embed'
    ? <Bare {...props} paragraph={paragraph} commands={commands} />
    : <Card {...props} paragraph={paragraph} commands={commands} />;
});

type ShownProps = CardProps & { paragraph: ParagraphState; commands: ParagraphCommands };

const isProse = (paragraph: ParagraphState): boolean => ['md', 'markdown', 'angular'].includes(magicOf(paragraphText(paragraph)) ?? '');

function Card({ client, note, id, look, online, index, count, focused, autoFocus, paragraph, commands, onRemove, onLink, onFocus, onEdge }: ShownProps) {
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const place = index === undefined || count === undefined ? undefined : { index, count };
  const [placeAt, setPlaceAt] = useState<'end'>();
  const proseLook = config.editorHide === true && isProse(paragraph) && !config.title && paragraph.outputs.length > 0;
  const classes = ['paragraph', look, focused && 'focused', config.enabled === false && 'disabled', proseLook && 'prose-look'].filter(Boolean).join(' ');
  return (
    <article
      className={classes} part="paragraph" data-paragraph={id} data-status={server.status}
      aria-label={server.title || fill(text.paragraph.code, { n: (place?.index ?? 0) + 1 })}
      onPointerDown={() => onFocus?.(id)} onFocus={() => onFocus?.(id)}
    >
      <ParagraphHeader paragraph={paragraph} commands={commands} place={place} canRun={online} onRemove={() => onRemove?.(id)} onLink={() => onLink(id)} />
      {running ? <Progress paragraph={paragraph} /> : null}
      <Strips paragraph={paragraph} online={online} commands={commands} />
      {config.editorHide ? null : (
        <CodePart {...{ client, paragraph, commands, running, place, onEdge, id }} autoFocus={autoFocus === true || placeAt !== undefined} />
      )}
      <Output
        client={client} paragraph={paragraph} commands={commands} bare={false}
        onDoubleClick={config.editorHide && isProse(paragraph) ? () => {
          setPlaceAt('end');
          commands.configure({ editorHide: false, tableHide: true });
        } : undefined}
      />
      <Footer paragraph={paragraph} />
    </article>
  );
}

/** Report look and embedding: title, forms and result. */
function Bare({ client, look, paragraph, commands }: ShownProps) {
  const { server } = paragraph;
  const config = server.config ?? {};
  if (config.tableHide && look === 'report') return null;
  if (paragraph.outputs.length === 0 && !Object.keys(server.settings?.forms ?? {}).length && look === 'report') return null;
  return (
    <article className={`paragraph ${look}`} part="paragraph" data-paragraph={paragraph.id} data-status={server.status} aria-label={server.title}>
      {isRunning(server.status) ? <Progress paragraph={paragraph} /> : null}
      {config.title && server.title ? <h2 className="report-title">{server.title}</h2> : null}
      <Output client={client} paragraph={paragraph} commands={commands} bare />
    </article>
  );
}

interface CodeProps {
  client: Client;
  id: string;
  paragraph: ParagraphState;
  commands: ParagraphCommands;
  running: boolean;
  autoFocus: boolean;
  place?: { index: number; count: number } | undefined;
  onEdge?: ((id: string, edge: 'up' | 'down') => void) | undefined;
}

function CodePart({ client, id, paragraph, commands, running, autoFocus, place, onEdge }: CodeProps) {
  const value = paragraphText(paragraph);
  const config = paragraph.server.config ?? {};
  const language = config.editorSetting?.language ?? editorMode(value, client.state.server?.tiding ? 'sql' : 'scala');
  const edge = useCallback((side: 'up' | 'down') => onEdge?.(id, side), [onEdge, id]);
  return (
    <div className="code-part">
      <Editor
        value={value} language={magicOf(value) ? editorMode(value, 'text') : language} readOnly={running} lineNumbers={config.lineNumbers === true}
        {...(config.fontSize ? { fontSize: config.fontSize } : {})}
        label={fill(text.paragraph.code, { n: (place?.index ?? 0) + 1 })} autoFocus={autoFocus}
        onChange={commands.edit} onBlur={commands.save} onRun={commands.run} complete={commands.complete} onEdge={edge}
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
  commands: ParagraphCommands;
  bare: boolean;
  onDoubleClick?: (() => void) | undefined;
}

function Output({ client, paragraph, commands, bare, onDoubleClick }: OutputProps) {
  const { server, outputs } = paragraph;
  const config = server.config ?? {};
  const newest = useRef(config.results);
  newest.current = config.results;
  const onConfig = useCallback((index: number, entry: unknown) => {
    commands.configure({ results: { ...newest.current, [index]: entry } });
  }, [commands]);
  if (config.tableHide && !bare) return null;
  const onForm = (name: string, value: unknown, commit: boolean) => commands.setParams({ [name]: value }, commit);
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
