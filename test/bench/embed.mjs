/**
 * One live paragraph in a page of another origin: as an element, in a frame, and a table that the
 * page may only view.
 */
import { series } from './statistics.mjs';
import { countTraffic } from './traffic.mjs';

export const title = 'One paragraph in a page of another origin (cold cache)';

const host = (content) => `<!doctype html><title>Host</title>${content}`;

/** Resolves in the page or frame once the result, which contains the text, is painted. */
const shown = (text) => {
  const has = (root) =>
    [...root.querySelectorAll('article')].some((each) => each.textContent.includes(text)) ||
    [...root.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot && has(shadowRoot));
  return has(document) && performance.timeOrigin + performance.now();
};

/** The page or the frame of a host page that shows the paragraph, once its result is painted. */
export async function paintedFrame(page, url) {
  const frame = url.endsWith('frame')
    ? await (await page.waitForSelector('iframe', { state: 'attached' })).contentFrame()
    : page.mainFrame();
  const text = url.endsWith('table') ? 'region 3' : 'value 1.000';
  const found = await frame.waitForFunction(shown, text, { polling: 'raf' });
  return { frame, at: await found.jsonValue() };
}

/** Loads a host page until its paragraph is painted and nothing more is requested. */
async function load(world, url) {
  const context = await world.context();
  try {
    const page = await context.newPage();
    const traffic = await countTraffic(page);
    await page.setExtraHTTPHeaders({ 'Accept-Encoding': 'gzip' });
    await page.goto(url, { waitUntil: 'commit' });
    const began = await page.evaluate(() => performance.timeOrigin);
    const { at } = await paintedFrame(page, url);
    await page.waitForLoadState('networkidle');
    return { time: at - began, ...traffic };
  } finally {
    await context.close();
  }
}

/** A table of 200 rows that the server stores with their types. */
async function makeTable({ client }) {
  const noteId = await client.notes.create({ path: 'Bench/Table by tag' });
  const note = await client.open(noteId);
  const [{ id }] = note.paragraphs;
  await note
    .paragraph(id)
    .edit(
      [
        '%sql',
        "select i as id, 'region ' || (i % 17) as region, 'product ' || (i % 113) as product,",
        "i * 7.5 as amount, date '2025-01-01' + i::int as day from range(200) t(i)",
      ].join('\n'),
    );
  await note.paragraph(id).run();
  note.close();
  return { noteId, paragraphId: id };
}

/** Serves the host pages `/element`, `/table` and `/frame` from the bare server. */
export async function serveHosts({ server, bare, note: noteOf }) {
  const noteId = await noteOf('one');
  const note = await server.client.open(noteId);
  const paragraphId = note.paragraphs[0].id;
  note.close();
  const tagOf = async (ids, scope, look = '') => {
    const { token } = await server.client.embedTokens.create({ ...ids, scope, origin: bare.url });
    return host(
      `<script type="module" src="${server.url}/tiding.js"></script>` +
        `<tiding-paragraph server="${server.url}" note="${ids.noteId}" ` +
        `paragraph="${ids.paragraphId}" ${look}></tiding-paragraph><script type="module">` +
        `document.querySelector('tiding-paragraph').token = '${token}'</script>`,
    );
  };
  bare.serve({
    pages: {
      '/element': await tagOf({ noteId, paragraphId }, 'run', 'look="embed"'),
      '/table': await tagOf(await makeTable(server), 'view'),
      '/frame': host(
        `<iframe src="${server.url}/#/notebook/${noteId}/paragraph/${paragraphId}?asIframe">` +
          '</iframe>',
      ),
    },
  });
}

/** Measures the section. */
export async function measure(world, repeats) {
  const { bare } = world;
  await serveHosts(world);
  const rows = {};
  const kinds = { element: 250, frame: 250, table: 350 };
  for (const [kind, goal] of Object.entries(kinds)) {
    rows[`${kind} time`] = series(`${kind}: navigation → result painted`, 'ms', { goal });
    rows[`${kind} kB`] = series(`${kind}: bytes, gzip`, 'kB', { goal: 110 });
  }
  rows.requests = series('table: requests', '', { goal: 12 });
  for (const _ of repeats()) {
    const least = await load(world, `${bare.url}/#note/one`);
    for (const kind of Object.keys(kinds)) {
      const our = await load(world, `${bare.url}/${kind}`);
      rows[`${kind} time`].add(our.time, least.time);
      rows[`${kind} kB`].add(our.kB, least.kB);
      if (kind === 'table') rows.requests.add(our.requests, least.requests);
    }
  }
  return Object.values(rows);
}
