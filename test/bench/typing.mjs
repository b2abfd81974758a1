/** Typing into an editor while another paragraph streams, and in large notes. */
import { large, long, streamed } from './content.mjs';
import { quantile, series } from './statistics.mjs';
import { openEditor } from './world.mjs';

const lineCount = streamed.lines.toLocaleString('en');
export const title = `Typing: while ${lineCount} lines stream, and in large notes`;
const words = 'select region, product, amount from sales where amount > 10 ';
const keyOf = { ' ': 'Space', '>': 'Shift+Period' };
/** Delay between two keys, in ms; faster than people type. */
const PAUSE_MS = 25;
/** Number of keys in a large note. */
const KEYS = 40;

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Types while `shouldContinue` returns true; returns the typed text and the measurements. */
async function type(page, shouldContinue) {
  let typed = '';
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  /** Working time of the page's main thread, in ms; unlike durations, independent of other load. */
  const worked = async () =>
    1_000 *
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')
      .value;
  // Another page of the same window would leave this one in the background, where it isn't painted.
  await page.bringToFront();
  const before = await worked();
  await page.evaluate(() => window.bench.watchTyping());
  while (shouldContinue(typed.length)) {
    const key = words[typed.length % words.length];
    await page.keyboard.press(keyOf[key] ?? key);
    typed += key;
    await pause();
  }
  const work = ((await worked()) - before) / typed.length;
  await cdp.detach();
  return { typed, work, ...(await page.evaluate(() => window.bench.typed())) };
}

/** Types some keys into the focused editor. */
export const typeKeys = (page) => type(page, (length) => length < KEYS);

/** Types while `work` runs in the page. */
async function typeDuring(page, work) {
  let busy = true;
  const ended = page.evaluate(work).finally(() => (busy = false));
  const [found, result] = await Promise.all([type(page, () => busy), ended]);
  return { ...found, result };
}

/** Opens a note with the editor of its first paragraph. */
async function openNote(context, { server }, id, paragraphs) {
  const page = await context.newPage();
  await page.goto(`${server.url}/#/notebook/${id}`);
  await page.evaluate(
    async ([note, wanted]) => {
      await window.bench.quiet(await window.bench.shown('article', wanted));
      window.note = await document.querySelector('tiding-workbench').client.open(note);
    },
    [id, paragraphs],
  );
  await openEditor(page);
  return page;
}

async function openBare(context, { bare }) {
  const page = await context.newPage();
  await page.goto(`${bare.url}/#typing`);
  await page.locator('.cm-content').click();
  await page.evaluate(() => window.bench.rest());
  return page;
}

/** Checks that all typed text has arrived, and restores the text for the next repeat. */
async function checkAndRestore(page, { typed }) {
  const text = await page.evaluate(() => {
    const [first] = window.note.paragraphs;
    const before = first.text;
    first.discard();
    return before;
  });
  if (!text.endsWith(typed)) throw new Error('the note lacks some of the typed text');
  await page.keyboard.press('Control+End');
}

async function typeWhileRunning(page) {
  const found = await typeDuring(page, async () => {
    const { status, outputs } = await window.note.paragraphs[1].run();
    return {
      status,
      lines: outputs[0].chunks.slice(0, outputs[0].count).join('').split('\n').length - 1,
    };
  });
  const { status, lines } = found.result;
  if (lines !== streamed.lines) throw new Error(`the run ended as ${status} with ${lines} lines`);
  await checkAndRestore(page, found);
  return found;
}

async function typeInLarge(page) {
  const found = await typeKeys(page);
  await checkAndRestore(page, found);
  return found;
}

function rowsOf(where, goal) {
  return {
    half: series(`${where}: key → painted, p50`, 'ms', goal),
    most: series(`${where}: key → painted, p95`, 'ms', goal),
    dropped: series(`${where}: frames dropped`, '%'),
    work: series(`${where}: main thread time per key`, 'ms'),
  };
}

function add({ half, most, dropped, work }, our, least) {
  work.add(our.work, least.work);
  half.add(quantile(our.keys, 0.5), quantile(least.keys, 0.5));
  most.add(quantile(our.keys, 0.95), quantile(least.keys, 0.95));
  const share = ({ dropped: lost, total }) => (100 * lost) / (lost + total);
  dropped.add(share(our), share(least));
}

/** Measures the section. */
export async function measure(world, repeats) {
  const streaming = rowsOf('streaming');
  const sizes = [
    ['large', large.paragraphs],
    ['long', long.paragraphs],
  ].map(([name, count]) => ({
    name,
    count,
    rows: rowsOf(`${count.toLocaleString('en')} paragraphs`, { times: 1.1 }),
  }));
  const context = await world.context();
  try {
    const least = await openBare(context, world);
    const stream = await openNote(context, world, await world.note('typing'), 3);
    for (const _ of repeats()) {
      const ours = await typeWhileRunning(stream);
      add(streaming, ours, await typeDuring(least, () => window.bare.stream()));
    }
    await stream.close();
    for (const { name, count, rows } of sizes) {
      const note = await openNote(context, world, await world.note(name), count);
      for (const _ of repeats()) add(rows, await typeInLarge(note), await typeKeys(least));
      await note.close();
    }
  } finally {
    await context.close();
  }
  return [streaming, ...sizes.map(({ rows }) => rows)].flatMap((rows) => Object.values(rows));
}
