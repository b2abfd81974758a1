/** Spells of packages: a text is read by one in a worker of an isolated frame, and what it prints becomes outputs. */
import type { Client, Note, Paragraph, RunResult } from 'tiding/client';
import type { Results } from 'tiding/protocol';
import { maxParts, type Script, type Settings, type SpellPart } from '../package-page/protocol.ts';
import { resultText } from '../text.ts';
import { connectPackage, isolate, packageFrameUrl } from './connect.ts';
import { packagesOf, spellMagic, type Package } from './store.ts';

type Message = NonNullable<Results['msg']>[number];

/** Magics that open a part of a text by themselves. */
const types: Readonly<Record<string, string>> = {
  '%element': 'ELEMENT',
  '%table': 'TABLE',
  '%html': 'HTML',
  '%angular': 'ANGULAR',
  '%text': 'TEXT',
  '%network': 'NETWORK',
};

/** What a spell is run with. */
export interface SpellCall {
  readonly script: Script;
  readonly config: Settings;
  readonly text: string;
}

/** A text split at lines that start with a known magic; what stands before the first is TEXT. `magics`: those of spells. */
export function splitText(text: string, magics: ReadonlySet<string>): Message[] {
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
    if (type !== undefined && parts.length < maxParts)
      parts.push({ type, data: `${line.slice(magic!.length)}\n` });
    else if (last) last.data += `${line}\n`;
    else parts.push({ type: 'TEXT', data: `${line}\n` });
  }
  // A text that ends with a line break has one line less than breaks.
  const end = parts.at(-1)!;
  if (text.endsWith('\n')) end.data = end.data.slice(0, -1);
  return parts
    .filter(({ type, data }) => type !== 'TEXT' || data.trim() !== '' || parts.length === 1)
    .map(({ type, data }) => ({ type, data: type === 'TABLE' ? data.trim() : data }));
}

/** The magics of the spells that are on. */
export const magicsOf = (client: Client): Set<string> =>
  new Set(
    packagesOf(client)
      .state.get()
      .spells.map((spell) => spellMagic(spell)!),
  );

/** What a spell and a text make: its script and its settings. Rejects with why it cannot be run. */
export async function callOf(client: Client, spell: Package, text: string): Promise<SpellCall> {
  const store = packagesOf(client);
  // Who may not read its settings has its defaults.
  const [script, config] = await Promise.all([
    store.script(spell),
    store.spellConfig(spell).catch((): Settings => ({})),
  ]);
  return { script, config, text };
}

let runs = 0;

/** Lets a spell read a text, alone in a frame that goes when it is done. Rejects with what it throws, and when `signal` says so. */
export function interpret(
  client: Client,
  { script, config, text }: SpellCall,
  signal?: AbortSignal,
): Promise<readonly SpellPart[]> {
  return new Promise((resolve, reject) => {
    const run = (runs += 1);
    const frame = document.createElement('iframe');
    isolate(frame);
    frame.hidden = true;
    frame.title = script.id;
    const end = (act: () => void): void => {
      signal?.removeEventListener('abort', stop);
      connection.close();
      // Its worker ends with it.
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

/** Outputs of what a spell has printed. A function becomes the text that it is drawn from anew, under the spell's magic. */
export function outputsOfParts(
  parts: readonly SpellPart[],
  { magic, text, magics }: { magic: string; text: string; magics: ReadonlySet<string> },
): Message[] {
  const outputs: Message[] = [];
  for (const part of parts) {
    if ('part' in part) {
      // One is enough: all functions of the result are drawn from it.
      if (!outputs.some(({ type }) => type === magic)) outputs.push({ type: magic, data: text });
    } else if (part.type === null) outputs.push(...splitText(part.data, magics));
    else outputs.push({ type: part.type, data: part.data });
  }
  return outputs.slice(0, maxParts);
}

/** Runs a paragraph by a spell of a package. `tell`: the others on the note are told how it ended. */
export function runBySpell(
  client: Client,
  paragraph: Paragraph,
  tell = true,
): Promise<RunResult> | undefined {
  const found = packagesOf(client).spellOf(paragraph.text);
  if (!found || paragraph.state.server.config?.enabled === false) return undefined;
  const { spell, magic, rest } = found;
  return paragraph.runSpell(
    async (_text, signal) => {
      const call = await callOf(client, spell, rest);
      return outputsOfParts(await interpret(client, call, signal), {
        magic,
        text: rest,
        magics: magicsOf(client),
      });
    },
    { tell },
  );
}

const heard = new WeakMap<Note, { users: number; undo: () => void }>();

/** What others have run by a spell is run here too, and told to nobody. However many elements show the note, once. Returns its undo. */
export function hearSpells(client: Client, note: Note): () => void {
  let entry = heard.get(note);
  if (!entry) {
    const undo = client.on('RUN_PARAGRAPH_USING_SPELL', ({ noteId, data: { paragraph } }) => {
      // Where it failed there is nothing to be drawn.
      if (
        noteId !== note.id ||
        paragraph.status !== 'FINISHED' ||
        !note.state.paragraphs[paragraph.id]
      )
        return;
      void packagesOf(client)
        .ready()
        .then(() => runBySpell(client, note.paragraph(paragraph.id), false))
        .catch(() => {});
    });
    heard.set(note, (entry = { users: 0, undo }));
  }
  entry.users += 1;
  return () => {
    const now = heard.get(note);
    if (!now || (now.users -= 1) > 0) return;
    now.undo();
    heard.delete(note);
  };
}
