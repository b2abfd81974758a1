/** Images pasted into Markdown or dropped on it, also on a page of another origin. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { giveFile } from '../support/drop-files.ts';
import { openPage, showNote } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk, type Walk } from '../support/walk.ts';

/** An image of 320 × 160 pixels. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="160">' +
  '<rect width="320" height="160" rx="12" fill="#3b6fd4"/>' +
  '<circle cx="240" cy="60" r="36" fill="#ffd166"/></svg>';

describe('images in Markdown', () => {
  let origin: string;
  let walk: Walk;
  let token: string;
  let ids: { note: string; paragraph: string };

  beforeAll(async () => {
    origin = await serve((request, response) => {
      if (request.url !== '/') return void response.writeHead(204).end();
      const { url } = walk.embedded.server;
      const policy = [
        "default-src 'none'",
        `script-src ${url} 'unsafe-inline'`,
        `connect-src ${url} ${url.replace('http', 'ws')}`,
        'img-src data:',
        `frame-src ${url}`,
        `font-src ${url}`,
        "require-trusted-types-for 'script'",
        'trusted-types dompurify',
      ].join('; ');
      response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
        .end(
          `<!doctype html><script type="module" src="${url}/tiding.js"></script>` +
            `<tiding-paragraph server="${url}" note="${ids.note}" paragraph="${ids.paragraph}">` +
            `</tiding-paragraph><script>document.querySelector('tiding-paragraph').token = ` +
            `'${token}'</script>`,
        );
    });
    walk = untilEnd(await startWalk({ allowOrigins: [origin] }));
    const { client, embedded, page } = walk;
    const id = await client.notes.create({ path: 'Pictures/Plan', interpreter: 'md' });
    const note = await client.open(id);
    const paragraph = note.paragraphs[0]!;
    paragraph.edit('%md\n# Plan\n\nBefore after');
    await paragraph.commit();
    ids = { note: id, paragraph: paragraph.id };
    note.close();
    await showNote(page, embedded.server.url, id);
  });

  const editor = (page: Page) => page.locator('article').first().locator('.cm-content');
  const text = async () => (await editor(walk.page).innerText()).replaceAll('\u200b', '');

  /** Pastes an image into the open editor, or drops it at a place of the editor. */
  const give = (
    kind: 'drop' | 'paste',
    name: string,
    content: string,
    at?: { x: number; y: number },
  ) => {
    const file = { name, bytes: Buffer.from(content), type: 'image/svg+xml' };
    return giveFile(editor(walk.page), kind, file, at);
  };
  /** Waits for two images of full width. */
  const shows = async (images: Locator) => {
    await expect.poll(() => images.count()).toBe(2);
    await expect
      .poll(() =>
        images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth)),
      )
      .toEqual([320, 320]);
  };

  it('are inserted at the cursor of a paste', async () => {
    const { page } = walk;
    await page.locator('article').first().locator('.code').click();
    await editor(page).press('Control+End');
    for (let step = 0; step < 'after'.length; step += 1) await editor(page).press('ArrowLeft');
    await give('paste', 'my plan.svg', SVG);
    await expect.poll(text).toContain('Before ![my-plan](my-plan.svg)after');
  });

  it('are inserted where they are dropped', async () => {
    const { page } = walk;
    const title = page.locator('.cm-line').filter({ hasText: '# Plan' });
    const box = (await title.boundingBox())!;
    await give('drop', 'sun.svg', SVG, { x: box.x + box.width - 4, y: box.y + box.height / 2 });
    await expect.poll(text).toContain('# Plan![sun](sun.svg)');
    expect(await page.locator('article').count()).toBe(1);
  });

  it('that are refused leave the text as it is, and say why', async () => {
    const { page } = walk;
    const before = await text();
    await give('paste', 'bad.svg', '<svg><script>alert(1)</script></svg>');
    await page.getByText(/bad\.svg could not be uploaded: bad\.svg contains scripts/).waitFor();
    await give('paste', 'photo.tiff', 'II*');
    await page.getByText(/photo\.tiff can't be imported/).waitFor();
    await page.route('**/api/magpie/file/*', (route) => route.abort());
    await give('paste', 'lost.svg', SVG);
    await editor(page).press('Control+End');
    await editor(page).pressSequentially(' typed meanwhile');
    await page.getByText(/lost\.svg could not be uploaded/).waitFor();
    await page.unroute('**/api/magpie/file/*');
    expect(await text()).toBe(`${before} typed meanwhile`);
    walk.watched.complaints.splice(0);
  });

  it('are shown when the paragraph has run, also in a report', async () => {
    const { page } = walk;
    await editor(page).press('Shift+Enter');
    await shows(page.locator('article').first().locator('.prose img'));
    expect(walk.watched.complaints).toEqual([]);
  });

  it('are shown on a page of another origin with a token for the results', async () => {
    ({ token } = await walk.client.call('createEmbedToken', {
      body: { noteId: ids.note, paragraphId: ids.paragraph, scope: 'results', origin },
    }));
    const { page, complaints, close } = await openPage(walk.browser);
    await page.goto(origin);
    await shows(page.locator('tiding-paragraph .prose img'));
    expect(complaints).toEqual([]);
    await close();
  });

  it('that are dropped elsewhere get a paragraph of their own', async () => {
    const { page } = walk;
    await page
      .locator('.add-bar input[type=file]')
      .setInputFiles({ name: 'other.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(SVG) });
    await expect.poll(() => page.locator('article').count()).toBeGreaterThan(1);
    await page.locator('article .prose img[alt=other]').waitFor();
  });

  it('that were removed are replaced by their text', async () => {
    const { page } = walk;
    await walk.client.files.remove(`notes/${ids.note}/sun.svg`);
    await page.reload();
    const lost = page.locator('article').first().locator('.prose img').first();
    await expect.poll(() => lost.getAttribute('alt')).toBe('sun (image sun.svg cannot be loaded)');
    walk.watched.complaints.splice(0);
  });
});
