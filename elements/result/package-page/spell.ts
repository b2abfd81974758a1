/** Spells: a text read by a spell in a worker of its own, or here where it draws into the page. */
import { bundleOf, wordsOf } from './bundle.ts';
import type { FromPackage, SpellPart, ToPackage } from './protocol.ts';
import { query } from './query.ts';

interface Spell {
  interpret(text: string, config: object): unknown;
}
interface Printed {
  readonly data: unknown;
  readonly type?: string;
}

/**
 * What a spell has answered, part by part: promises are waited for, functions stay. Also stands in the worker, as its own text: it
 * may use nothing of this module.
 */
export async function printedOf(result: unknown): Promise<Printed[]> {
  const answer = (await result) as { dataWithTypes?: unknown } | undefined;
  if (!answer || !Array.isArray(answer.dataWithTypes))
    throw new Error('The spell answered no SpellResult.');
  return Promise.all(
    (answer.dataWithTypes as Printed[]).map(async ({ data, type }) => ({
      data: await data,
      ...(typeof type === 'string' ? { type } : {}),
    })),
  );
}

/** Parts as they travel; a function is its number. */
export function partsOf(printed: readonly Printed[]): SpellPart[] {
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

/** Text of the worker: what it is given is `{code, id, text, config}`, what it tells `{parts}` or `{error}`. */
const workerText = `
const partsOf = ${partsOf.toString()};
const printedOf = ${printedOf.toString()};
self.onmessage = async ({ data: { id, code, text, config } }) => {
  try {
    const heliumBundles = [];
    new Function('heliumBundles', code)(heliumBundles);
    const bundle = heliumBundles.find((each) => each.id === id) || heliumBundles[0];
    if (!bundle || typeof bundle.class !== 'function') throw new Error('The package ' + id + ' makes nothing known.');
    self.postMessage({ parts: partsOf(await printedOf(new bundle.class().interpret(text, config))) });
  } catch (error) {
    self.postMessage({ error: String((error && (error.stack || error.message)) || error) });
  }
};`;

const running = new Map<number, Worker>();

/** Lets a spell read a text; tells its parts or why it failed, once. */
export function interpret(
  { run, script, text, config }: Extract<ToPackage, { type: 'interpret' }>,
  send: (message: FromPackage) => void,
): void {
  const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
  const worker = new Worker(address);
  running.set(run, worker);
  const end = (message: FromPackage): void => {
    if (!running.has(run)) return;
    stop(run);
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

/** Ends the worker of a run. */
export function stop(run: number): void {
  running.get(run)?.terminate();
  running.delete(run);
}

/** Draws what a function of a spell draws. Throws and rejects what the package does. */
export async function drawElement(
  { script, text, config, part }: Extract<ToPackage, { type: 'element' }>,
  send: (message: FromPackage) => void,
): Promise<void> {
  const place = document.body.appendChild(document.createElement('div'));
  place.id = `spell_${Date.now()}`;
  place.className = 'package-view';
  const measure = (): void => send({ type: 'resize', height: Math.ceil(place.scrollHeight) });
  new ResizeObserver(measure).observe(place);
  const spell = new (bundleOf(script).class as unknown as new () => Spell)();
  const { data } = (await printedOf(spell.interpret(text, config)))[part] ?? {};
  if (typeof data !== 'function') throw new Error('The spell draws nothing any more.');
  await (data as (id: string, element: unknown) => unknown)(place.id, query(place));
  send({ type: 'drawn' });
  measure();
}

export { wordsOf };
