/** Runs spells: in a worker, or in this page if the spell draws. */
import $ from 'jquery';
import type { FromPackage, SpellPart } from '../packages/package-messages.ts';
import { loadBundle } from './bundle.ts';
import type { ToPackage } from './protocol.ts';

interface Spell {
  interpret(text: string, config: object): unknown;
}
interface Printed {
  readonly data: unknown;
  readonly type?: string;
}

/**
 * Collects the parts of a spell's result: waits for promises and keeps functions. Its source is
 * also copied into the worker, so it must not use anything from this module.
 */
async function printedOf(result: unknown): Promise<Printed[]> {
  const answer = (await result) as { dataWithTypes?: unknown } | undefined;
  if (!answer || !Array.isArray(answer.dataWithTypes))
    throw new Error('The spell did not return a SpellResult.');
  return Promise.all(
    (answer.dataWithTypes as Printed[]).map(async ({ data, type }) => ({
      data: await data,
      ...(typeof type === 'string' ? { type } : {}),
    })),
  );
}

/** Converts parts to messages; a function becomes its index. */
function partsOf(printed: readonly Printed[]): SpellPart[] {
  return printed.map(({ data, type }, part) =>
    typeof data === 'function'
      ? { type: 'ELEMENT', part }
      : {
          type: type ?? null,
          data:
            data === undefined || data === null
              ? ''
              : typeof data === 'object'
                ? JSON.stringify(data)
                : String(data),
        },
  );
}

/**
 * Source of the worker. It receives `{code, id, text, config}` and answers `{parts}` or `{error}`.
 */
const workerText = `
const partsOf = ${partsOf.toString()};
const printedOf = ${printedOf.toString()};
self.onmessage = async ({ data: { id, code, text, config } }) => {
  try {
    const heliumBundles = [];
    new Function('heliumBundles', code)(heliumBundles);
    const bundle = heliumBundles.find((each) => each.id === id) || heliumBundles[0];
    if (!bundle || typeof bundle.class !== 'function')
      throw new Error('The script of package ' + id + ' registers no class in heliumBundles.');
    const printed = await printedOf(new bundle.class().interpret(text, config));
    self.postMessage({ parts: partsOf(printed) });
  } catch (error) {
    self.postMessage({ error: String((error && (error.stack || error.message)) || error) });
  }
};`;

/** Runs a spell on a text and sends its parts or its error, exactly once. */
export function runSpellInWorker(
  { run, script, text, config }: Extract<ToPackage, { type: 'interpret' }>,
  send: (message: FromPackage) => void,
): void {
  const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
  const worker = new Worker(address);
  const end = (message: FromPackage): void => {
    worker.onmessage = worker.onerror = null;
    worker.terminate();
    URL.revokeObjectURL(address);
    send(message);
  };
  worker.onmessage = ({ data }: MessageEvent<{ parts?: SpellPart[]; error?: string }>) =>
    end(
      data.parts
        ? { type: 'parts', run, parts: data.parts }
        : { type: 'failed', run, message: String(data.error) },
    );
  worker.onerror = (event) =>
    end({ type: 'failed', run, message: event.message || 'The spell could not be started.' });
  worker.postMessage({ ...script, text, config });
}

/**
 * Runs a function of a spell's result, which draws into this page. Rejects with the package's
 * error.
 */
export async function drawElement(
  { script, text, config, part }: Extract<ToPackage, { type: 'element' }>,
  send: (message: FromPackage) => void,
): Promise<void> {
  const place = document.body.appendChild(document.createElement('div'));
  place.id = `spell_${Date.now()}`;
  place.className = 'package-view';
  const measure = (): void => send({ type: 'resize', height: Math.ceil(place.scrollHeight) });
  new ResizeObserver(measure).observe(place);
  const spell = new (loadBundle(script).class as unknown as new () => Spell)();
  const { data } = (await printedOf(spell.interpret(text, config)))[part] ?? {};
  if (typeof data !== 'function')
    throw new Error('The spell no longer returns a function that draws.');
  await (data as (id: string, element: unknown) => unknown)(place.id, $(place));
  send({ type: 'drawn' });
  measure();
}
