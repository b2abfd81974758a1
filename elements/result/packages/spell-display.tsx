/** An output whose type is the magic of a spell: the spell reads it, and what it prints is shown in its place. */
import { createContext, Suspense, use, useEffect, useRef, useState } from 'react';
import { outputText, type Client, type Output } from 'tiding/client';
import { LinkQuestion } from '../displays/frame-view.tsx';
import { displayOf } from '../displays/index.ts';
import type { DisplayProps } from '../contract.ts';
import { themeOf } from '../frame.ts';
import { Notice } from '../notice.tsx';
import { Skeleton } from '../skeleton.tsx';
import { resultText } from '../text.ts';
import { useThemeChange } from '../use-theme.ts';
import { connectPackage, packageFrameUrl, type PackageConnection } from './connect.ts';
import { callOf, interpret, magicsOf, outputsOfParts, type SpellCall } from './spells.ts';
import { packagesOf, spellMagic, usePackages, type Package } from './store.ts';

const words = resultText.packages;
/** Spells that print spells are followed this far. */
const MAX_DEPTH = 3;
const Depth = createContext(0);

interface Drawn {
  readonly call: SpellCall;
  readonly outputs: readonly Output[];
  /** Numbers of the parts that are functions. */
  readonly elements: readonly number[];
}

/** See the head of this file. */
export default function SpellDisplay(props: DisplayProps) {
  const { output, place } = props;
  const { spells, asked } = usePackages(place?.client);
  const spell = spells.find((each) => spellMagic(each) === output.type);
  const depth = use(Depth);
  if (!place || (asked && !spell)) return <Notice>{resultText.unknownType(output.type)}</Notice>;
  if (!spell) return null;
  if (depth >= MAX_DEPTH) return <Notice>{words.spellTooDeep}</Notice>;
  return (
    <Depth value={depth + 1}>
      <SpellOutput
        key={`${spell.name} ${spell.artifact ?? ''} ${outputText(output)}`}
        {...props}
        client={place.client}
        spell={spell}
      />
    </Depth>
  );
}

function SpellOutput({
  client,
  spell,
  ...props
}: DisplayProps & { client: Client; spell: Package }) {
  const { output, place, graph } = props;
  const text = outputText(output).trim();
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const alone = place!.paragraph.outputs.length <= 1;
  useEffect(() => {
    const control = new AbortController();
    const read = async (): Promise<void> => {
      await packagesOf(client).ready();
      const call = await callOf(client, spell, text);
      const parts = await interpret(client, call, control.signal);
      const elements = parts.flatMap((part) => ('part' in part ? [part.part] : []));
      // What it prints beside its functions stands in the paragraph's other outputs.
      const printed =
        elements.length > 0 && !alone
          ? []
          : outputsOfParts(
              parts.filter((part) => !('part' in part)),
              { magic: output.type, text, magics: magicsOf(client) },
            );
      setDrawn({
        call,
        elements,
        outputs: printed.map(({ type, data }) => ({ type, chunks: [data], count: 1 })),
      });
    };
    read().catch((error: unknown) => {
      if (!control.signal.aborted)
        setProblem(error instanceof Error ? error.message : String(error));
    });
    return () => control.abort(new Error('left'));
  }, [client, spell, text, alone, output.type]);

  if (problem !== null)
    return (
      <Notice kind="danger">
        <b>{words.failed(spell.name)}</b> {problem.split('\n')[0]}
      </Notice>
    );
  if (!drawn)
    return (
      <p className="result-pad secondary-text" role="status">
        {words.spellRuns}
      </p>
    );
  return (
    <>
      {drawn.outputs.map((each, at) => {
        const View = displayOf(each);
        return View ? (
          <Suspense key={at} fallback={<Skeleton height={graph.height} />}>
            <View {...props} output={each} />
          </Suspense>
        ) : null;
      })}
      {drawn.elements.map((part) => (
        <SpellElement
          key={part}
          client={client}
          call={drawn.call}
          part={part}
          title={props.title}
        />
      ))}
    </>
  );
}

/** What a function of a spell draws, in a frame of its own. */
function SpellElement({
  client,
  call,
  part,
  title,
}: {
  client: Client;
  call: SpellCall;
  part: number;
  title: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const connection = useRef<PackageConnection>(null);
  const [height, setHeight] = useState(40);
  const [problem, setProblem] = useState<string | null>(null);
  const [link, setLink] = useState<URL | null>(null);
  const theme = useThemeChange(box);
  const { id } = call.script;
  useEffect(() => {
    if (!frame.current || !box.current) return undefined;
    const connected = connectPackage(frame.current, {
      onMessage(message) {
        if (message.type === 'resize') setHeight(message.height);
        else if (message.type === 'error') setProblem((first) => first ?? message.message);
        else if (message.type === 'open-link') setLink(message.url);
      },
      onEnd: (reason) => setProblem(words[reason](id)),
    });
    connection.current = connected;
    connected.send({ type: 'element', part, theme: themeOf(box.current), ...call });
    return () => connected.close();
  }, [call, part, id]);
  useEffect(() => {
    if (theme > 0 && box.current)
      connection.current?.send({ type: 'theme', theme: themeOf(box.current) });
  }, [theme]);
  return (
    <div ref={box} className="result-pad">
      {problem !== null && (
        <Notice kind="danger">
          <b>{words.failed(id)}</b> {problem}
        </Notice>
      )}
      <iframe
        ref={frame}
        className="package-frame"
        title={words.frame(id, title)}
        sandbox="allow-scripts"
        allow=""
        referrerPolicy="no-referrer"
        src={packageFrameUrl(client)}
        style={{ height }}
      />
      {link && <LinkQuestion url={link} onDone={() => setLink(null)} />}
    </div>
  );
}
