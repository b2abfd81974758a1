/** A portal developer's way from *Share* in the app to a live paragraph in a page of theirs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { openPage, showNote } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';
import { noteOf, partsOf, startWalk } from '../support/walk.ts';

/** What the portal serves: exactly the code that was copied. */
let body = '';
let createToken: (() => Promise<string>) | undefined;

const origin = await serve(async (request, response) => {
  if (request.url === '/tiding-token')
    return void response.end(await createToken?.().catch(String));
  response
    .writeHead(200, { 'Content-Type': 'text/html' })
    .end(`<!doctype html><html lang="en"><title>Portal</title><main><h1>Portal</h1>${body}</main>`);
});
const folder = temporaryFolder();
const walk = untilEnd(await startWalk({ allowOrigins: [origin], newNotes: 'private' }));

it('goes from Share to a live paragraph in a page of another origin', {
  timeout: 300_000,
}, async () => {
  const { page, client, embedded, browser } = walk;
  const { article } = partsOf(() => page);
  const note = await noteOf(client, 'Sales', [
    `%sql\nselect '\${region=North,North|South}' as region, 42 as units`,
  ]);
  await note.run();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await showNote(page, embedded.server.url, note.id);
  await article(0).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Link and ID' }).click();
  await page.getByRole('menuitem', { name: 'Share and embed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share paragraph' });
  await dialog.waitFor();
  expect(await accessibilityFindings(page, 'share')).toEqual([]);

  const copied = async (kind: string): Promise<string> => {
    await dialog.getByRole('combobox', { name: 'Embed in a web page' }).selectOption(kind);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await dialog.getByRole('button', { name: 'Copy code' }).click();
    const text = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(text).not.toBe('');
    return text();
  };
  body = await copied('HTML tag');
  const endpoint = await copied('Token endpoint (Node.js)');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await writeFile(join(folder, 'token.mjs'), endpoint);
  process.env['TIDING_TOKEN'] = (await client.tokens.create({ description: 'portal' })).token!;
  createToken = (await import(pathToFileURL(join(folder, 'token.mjs')).href)).createVisitorToken;

  const visitor = await openPage(browser);
  await visitor.page.goto(origin);
  const paragraph = visitor.page.locator('tiding-paragraph');
  await paragraph.getByRole('gridcell', { name: 'North' }).waitFor();
  // The visitor's choice runs the paragraph on the server.
  await paragraph.getByRole('combobox', { name: 'region' }).selectOption('South');
  await paragraph.getByRole('gridcell', { name: 'South' }).waitFor();
  expect(await accessibilityFindings(visitor.page, 'portal')).toEqual([]);
  expect(visitor.complaints).toEqual([]);
  // A change of the author arrives in the page.
  await note.paragraphs[0]!.run({ params: { region: 'North' } });
  await paragraph.getByRole('gridcell', { name: 'North' }).waitFor();
  expect(walk.watched.complaints).toEqual([]);
  note.close();
  await visitor.close();
});
