/** The assistant in the page: code from a question, help with an error, a chart in words. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { type ModelServer, sendChunk, startModel } from '../support/model-server.ts';
import { inFront, noteOf, partsOf, startWalk, type Walk } from '../support/walk.ts';

let model: ModelServer;
let walk: Walk;
const { article, dialog } = partsOf(() => walk.page);
const action = (name: string) => dialog().getByRole('button', { name, exact: true });

beforeAll(async () => {
  model = await startModel(() => '');
  const assistant = { url: model.url, model: 'tiny', sends: 'results' } as const;
  walk = await startWalk({ assistant });
});
afterAll(async () => {
  await walk?.stop();
  await model?.stop();
});

test.skipIf(inFront)('writes, mends and explains code, and describes a chart', async () => {
  const { page, client, embedded, watched } = walk;
  const note = await noteOf(client, 'Asked', [
    "%sql\nSELECT * FROM (VALUES ('Bern', 2), ('Rome', 5)) AS t(city, amount)",
    '%sql\nSELECT amuont FROM (SELECT 1 AS amount)',
    '%sql\n',
  ]);
  const [chart, wrong, blank] = note.paragraphs;
  await chart!.configure({ results: { 0: { graph: { mode: 'multiBarChart' } } } });
  await chart!.run();
  await wrong!.run();
  await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);

  // The error, from its box.
  model.reply = () => 'The column is called amount.';
  await article(1).getByRole('button', { name: 'Explain this error' }).click();
  await dialog().getByText('Asks tiny at 127.0.0.1').click();
  expect(await dialog().getByLabel('What is sent').inputValue()).toContain('SELECT amuont');
  expect(await accessibilityFindings(page, 'assistant')).toEqual([]);
  await action('Ask').click();
  await dialog().getByText('The column is called amount.').waitFor();
  await page.keyboard.press('Escape');

  model.reply = () => '```sql\nSELECT amount FROM (SELECT 1 AS amount)\n```';
  await article(1).getByRole('button', { name: 'Fix it' }).click();
  await action('Ask').click();
  await dialog().getByRole('group', { name: 'Change' }).waitFor();
  expect(await dialog().locator('.dl.add').textContent()).toContain('SELECT amount FROM');
  await action('Accept').click();
  await article(1).getByText('Written by tiny').waitFor();
  await expect.poll(() => wrong!.text).toBe('%sql\nSELECT amount FROM (SELECT 1 AS amount)');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => wrong!.text).toContain('amuont');
  await article(1).getByText('Written by tiny').waitFor({ state: 'detached' });

  // Code for a question goes into the empty paragraph. The answer can be stopped.
  model.reply = (_, response) => {
    sendChunk(response, { choices: [{ delta: { content: 'SELECT' } }] });
    return undefined;
  };
  await page.getByRole('button', { name: 'Ask…' }).click();
  expect(await action('Ask').isDisabled()).toBe(true);
  await dialog().getByLabel('Question').fill('How many cities?');
  await page.keyboard.press('Enter');
  await dialog().getByText('Answering…').waitFor();
  await action('Stop').click();
  await dialog().getByText('Stopped.').waitFor();
  model.reply = () => 'SELECT count(*) AS n FROM range(7)';
  await action('Ask').click();
  await action('Insert').click();
  await expect.poll(() => blank!.text).toBe('%sql\nSELECT count(*) AS n FROM range(7)');

  model.reply = () => 'Rome sells most.';
  await article(0).getByRole('button', { name: 'Download as' }).click();
  await page.getByRole('menuitem', { name: 'Describe this chart' }).click();
  await action('Ask').click();
  await action('Insert').click();
  await expect.poll(() => note.paragraphs[1]?.text).toBe('%md\nRome sells most.');
  expect(model.asked.at(-1)!.body.messages.at(-1)!.content).toMatch(/Rome\t5/);
  expect(watched.complaints).toEqual([]);
});
