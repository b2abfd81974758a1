/**
 * Runs spells of packages: a spell interprets a text in a worker of a sandboxed frame, and its
 * result becomes outputs.
 */
import type { Client, Paragraph, RunResult } from '@tiding/client';
import type { Results } from '@tiding/client/protocol';
import { isolated } from '../frames/frame-address.ts';
import {
  MAX_SPELL_PARTS,
  type PackageScript,
  type PackageSettings,
} from '../package-page/protocol.ts';
import { resultText } from '../texts.ts';
import { connectPackage, packageFrameUrl } from './package-connection.ts';
import type { SpellPart } from './package-messages.ts';
import { type Package, packagesOf, spellMagic } from './package-store.ts';

type Message = NonNullable<Results['msg']>[number];

/** Magics that start a new output of a built-in type. */
const types: Readonly<Record<string, string>> = {
  '%element': 'ELEMENT',
  '%table': 'TABLE',
  '%html': 'HTML',
  '%angular': 'ANGULAR',
  '%text': 'TEXT',
  '%network': 'NETWORK',
};

/** A spell's script, settings and input. */
export interface SpellCall {
  readonly script: PackageScript;
  readonly config: PackageSettings;
  readonly text: string;
}

/**
 * Splits a text at lines that start with a known magic; the part before the first one is TEXT.
 * `magics` contains the magics of spells.
 */
export function splitAtMagics(text: string, magics: ReadonlySet<string>): Message[] {
  const parts: { type: string; data: string }[] = [];
  for (const line of text.split('\n')) {
    const magic = /^%\S+/.exec(line)?.[0];
    const type =
      magic === undefined
        ? undefined
        : Object.hasOwn(types, magic)
          ? types[magic]
          : magics.has(magic)
            ? magic
            : undefined;
    const last = parts.at(-1);
    if (type !== undefined && parts.length < MAX_SPELL_PARTS)
      parts.push({ type, data: `${line.slice(magic!.length)}\n` });
    else if (last) last.data += `${line}\n`;
    else parts.push({ type: 'TEXT', data: `${line}\n` });
  }
  // Each line was given a line break, so remove the one added after a final line break.
  const end = parts.at(-1)!;
  if (text.endsWith('\n')) end.data = end.data.slice(0, -1);
  return parts
    .filter(({ type, data }) => type !== 'TEXT' || data.trim() !== '' || parts.length === 1)
    .map(({ type, data }) => ({ type, data: type === 'TABLE' ? data.trim() : data }));
}

/** Returns the magics of all enabled spells. */
export const spellMagics = (client: Client): Set<string> =>
  new Set(
    packagesOf(client)
      .state.get()
      .spells.map((spell) => spellMagic(spell)!),
  );

/** Loads the script and settings needed to run a spell. Rejects if the script can't be loaded. */
export async function loadSpellCall(
  client: Client,
  spell: Package,
  text: string,
): Promise<SpellCall> {
  const store = packagesOf(client);
  // Without permission to read the settings, the spell runs with its defaults.
  const [script, config] = await Promise.all([
    store.script(spell),
    store.spellConfig(spell).catch((): PackageSettings => ({})),
  ]);
  return { script, config, text };
}

let runs = 0;

/**
 * Runs a spell on a text in a temporary frame. Rejects with the spell's error, or with the reason
 * of `signal` if it is aborted.
 */
export function interpretText(
  client: Client,
  { script, config, text }: SpellCall,
  signal?: AbortSignal,
): Promise<readonly SpellPart[]> {
  return new Promise((resolve, reject) => {
    const run = (runs += 1);
    const frame = document.createElement('iframe');
    Object.assign(frame, { ...isolated, hidden: true, title: script.id });
    const end = (act: () => void): void => {
      signal?.removeEventListener('abort', stop);
      connection.close();
      // Removing the frame terminates its worker.
      frame.remove();
      act();
    };
    const stop = (): void => end(() => reject(signal!.reason as Error));
    const connection = connectPackage(frame, {
      onMessage(message) {
        if (message.type === 'parts' && message.run === run) end(() => resolve(message.parts));
        else if (message.type === 'failed' && message.run === run)
          end(() => reject(new Error(message.message)));
        else if (message.type === 'error') end(() => reject(new Error(message.message)));
      },
      onEnd: (reason) => end(() => reject(new Error(resultText.packages[reason](script.id)))),
    });
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop);
    connection.send({ type: 'interpret', run, script, config, text });
    frame.src = packageFrameUrl(client);
    document.body.append(frame);
  });
}

/**
 * Converts a spell's result to outputs. A function is stored as the spell's input text under the
 * spell's magic, from which it is drawn again.
 */
export function outputsOfParts(
  parts: readonly SpellPart[],
  { magic, text, magics }: { magic: string; text: string; magics: ReadonlySet<string> },
): Message[] {
  const outputs: Message[] = [];
  for (const part of parts) {
    if ('part' in part) {
      // One output is enough: all functions of the result are drawn from it.
      if (!outputs.some(({ type }) => type === magic)) outputs.push({ type: magic, data: text });
    } else if (part.type === null) outputs.push(...splitAtMagics(part.data, magics));
    else outputs.push({ type: part.type, data: part.data });
  }
  return outputs.slice(0, MAX_SPELL_PARTS);
}

/** Runs a paragraph with a spell. With `tell`, the result is sent to other users of the note. */
export function runParagraphBySpell(
  client: Client,
  paragraph: Paragraph,
  tell = true,
): Promise<RunResult> | undefined {
  const found = packagesOf(client).spellOf(paragraph.text);
  if (!found || paragraph.state.server.config?.enabled === false) return undefined;
  const { spell, magic, rest } = found;
  return paragraph.runSpell(
    async (_text, signal) => {
      const call = await loadSpellCall(client, spell, rest);
      return outputsOfParts(await interpretText(client, call, signal), {
        magic,
        text: rest,
        magics: spellMagics(client),
      });
    },
    { publish: tell },
  );
}
