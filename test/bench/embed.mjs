/** One live paragraph in a page of another origin, as an element and in a frame. */
import { series } from './statistics.mjs';

export const title = 'One paragraph in a page of another origin (cold cache)';

const host = (content) => `<!doctype html><title>Host</title>${content}`;

/** Resolves in the page or frame once the result is painted. */
const shown = () => {
  const has = (root) =>
    [...root.querySelectorAll('article')].some((each) =>
      each.textContent.includes('value 1.000'),
    ) || [...root.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot && has(shadowRoot));
  return has(document) && performance.timeOrigin + performance.now();
};

/** The page or the frame of a host page that shows the paragraph, once its result is painted. */
export async function paintedFrame(page, url) {
  const frame = url.endsWith('frame')
    ? await (await page.waitForSelector('iframe', { state: 'attached' })).contentFrame()
    : page.mainFrame();
  const found = await frame.waitForFunction(shown, undefined, { polling: 'raf' });
  return { frame, at: await found.jsonValue() };
}

/** Loads a host page until its paragraph is painted and nothing more is requested. */
async function load(world, url) {
  const context = await world.context();
  try {
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await network.send('Network.enable');
    await page.setExtraHTTPHeaders({ 'Accept-Encoding': 'gzip' });
    await page.goto(url, { waitUntil: 'commit' });
    const began = await page.evaluate(() => performance.timeOrigin);
    const { at } = await paintedFrame(page, url);
    await page.waitForLoadState('networkidle');
    return { time: at - began, kB: bytes / 1e3 };
  } finally {
    await context.close();
  }
}

/** Serves the two host pages, `/element` and `/frame`, from the bare server. */
export async function serveHosts({ server, bare, note: noteOf }) {
  const noteId = await noteOf('one');
  const note = await server.client.open(noteId);
  const paragraphId = note.paragraphs[0].id;
  note.close();
  const { token } = await server.client.embedTokens.create({
    noteId,
    paragraphId,
    scope: 'run',
    origin: bare.url,
  });
  bare.serve({
    pages: {
      '/element': host(
        `<script type="module" src="${server.url}/tiding.js"></script>` +
          `<tiding-paragraph server="${server.url}" note="${noteId}" paragraph="${paragraphId}" ` +
          'look="embed"></tiding-paragraph><script type="module">' +
          `document.querySelector('tiding-paragraph').token = '${token}'</script>`,
      ),
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
  for (const kind of ['element', 'frame']) {
    rows[`${kind} time`] = series(`${kind}: navigation → result painted`, 'ms', { goal: 250 });
    rows[`${kind} kB`] = series(`${kind}: bytes, gzip`, 'kB', { goal: 110 });
  }
  for (const _ of repeats()) {
    const least = await load(world, `${bare.url}/#note/one`);
    for (const kind of ['element', 'frame']) {
      const our = await load(world, `${bare.url}/${kind}`);
      rows[`${kind} time`].add(our.time, least.time);
      rows[`${kind} kB`].add(our.kB, least.kB);
    }
  }
  return Object.values(rows);
}
