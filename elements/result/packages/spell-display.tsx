/**
 * Display of outputs whose type is the magic of a spell: the spell interprets the text, and its
 * result is shown instead.
 */

import { type Client, type Output, outputText } from '@tiding/client';
import { createContext, use, useEffect, useRef, useState } from 'react';
import { CodeBoundary } from '../../runtime/lazy-code.tsx';
import { messageOf } from '../../runtime/message-of.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import type { DisplayProps } from '../contract.ts';
import { LinkQuestion } from '../displays/frame-view.tsx';
import { displayOf } from '../displays/index.ts';
import { themeOf } from '../frames/frame-connection.ts';
import { useThemeOf } from '../frames/use-theme-of.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { tableSheets } from '../styles/table-sheets.ts';
import { resultText } from '../texts.ts';
import { connectPackage, type PackageConnection } from './package-connection.ts';
import { PackageFrame } from './package-frame.tsx';
import { type Package, packagesOf, spellMagic, usePackages } from './package-store.ts';
import {
  interpretText,
  loadSpellCall,
  outputsOfParts,
  type SpellCall,
  spellMagics,
} from './spells.ts';

const uiText = resultText.packages;
/** Maximum nesting depth of spells that print spells. */
const MAX_DEPTH = 3;
const Depth = createContext(0);

interface Drawn {
  readonly call: SpellCall;
  readonly outputs: readonly Output[];
  /** Indices of the parts that are functions. */
  readonly elements: readonly number[];
}

/** Runs the spell named by the output's type and shows its result. */
export default function SpellDisplay(props: DisplayProps) {
  useSheets(tableSheets);
  const { output, context } = props;
  const { spells, fetched } = usePackages(context?.client);
  const spell = spells.find((each) => spellMagic(each) === output.type);
  const depth = use(Depth);
  if (!context || (fetched && !spell))
    return <Notice>{resultText.unknownType(output.type)}</Notice>;
  if (!spell) return null;
  if (depth >= MAX_DEPTH) return <Notice>{uiText.spellTooDeep}</Notice>;
  return (
    <Depth value={depth + 1}>
      <SpellOutput
        key={`${spell.name} ${spell.artifact ?? ''} ${outputText(output)}`}
        {...props}
        client={context.client}
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
  const { output, context } = props;
  const text = outputText(output).trim();
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const alone = context!.paragraph.outputs.length <= 1;
  useEffect(() => {
    const control = new AbortController();
    const read = async (): Promise<void> => {
      await packagesOf(client).ready();
      const call = await loadSpellCall(client, spell, text);
      const parts = await interpretText(client, call, control.signal);
      const elements = parts.flatMap((part) => ('part' in part ? [part.part] : []));
      // If the spell returns functions, its other parts are already stored as further outputs of
      // the paragraph.
      const printed =
        elements.length > 0 && !alone
          ? []
          : outputsOfParts(
              parts.filter((part) => !('part' in part)),
              { magic: output.type, text, magics: spellMagics(client) },
            );
      setDrawn({
        call,
        elements,
        outputs: printed.map(({ type, data }) => ({ type, chunks: [data], count: 1 })),
      });
    };
    read().catch((error: unknown) => {
      if (!control.signal.aborted) setProblem(messageOf(error));
    });
    return () => control.abort(new Error('left'));
  }, [client, spell, text, alone, output.type]);

  if (problem !== null)
    return (
      <Notice kind="danger">
        <b>{uiText.failed(spell.name)}</b> {problem.split('\n')[0]}
      </Notice>
    );
  if (!drawn)
    return (
      <p className="result-pad secondary-text" role="status">
        {uiText.spellRuns}
      </p>
    );
  return (
    <>
      {drawn.outputs.map((each, at) => {
        const View = displayOf(each);
        return View ? (
          <CodeBoundary key={at} fallback={<Skeleton height={props.graph.height} />}>
            <View {...props} output={each} />
          </CodeBoundary>
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

interface SpellElementProps {
  client: Client;
  call: SpellCall;
  part: number;
  title: string;
}

/** Runs a function returned by a spell in a sandboxed frame, where it draws. */
function SpellElement({ client, call, part, title }: SpellElementProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const connection = useRef<PackageConnection>(null);
  const [height, setHeight] = useState(40);
  const [problem, setProblem] = useState<string | null>(null);
  const [link, setLink] = useState<URL | null>(null);
  const { id } = call.script;
  useEffect(() => {
    if (!frame.current || !box.current) return undefined;
    const connected = connectPackage(frame.current, {
      onMessage(message) {
        if (message.type === 'resize') setHeight(message.height);
        else if (message.type === 'error') setProblem((first) => first ?? message.message);
        else if (message.type === 'open-link') setLink(new URL(message.href));
      },
      onEnd: (reason) => setProblem(uiText[reason](id)),
    });
    connection.current = connected;
    connected.send({ type: 'element', part, theme: themeOf(box.current), ...call });
    return () => connected.close();
  }, [call, part, id]);
  useThemeOf(box, (theme) => connection.current?.send({ type: 'theme', theme }));
  return (
    <div ref={box} className="result-pad">
      {problem !== null && (
        <Notice kind="danger">
          <b>{uiText.failed(id)}</b> {problem}
        </Notice>
      )}
      <PackageFrame {...{ frame, client, title, height }} name={id} />
      {link && <LinkQuestion url={link} onDone={() => setLink(null)} />}
    </div>
  );
}
