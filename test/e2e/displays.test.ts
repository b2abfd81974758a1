/** Networks, markup and exported results in the built app, under its own security policy. */

import type { Note } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const MAP_URL = 'https://maps.example.org/show?layer=2';

const walk = untilEnd(await startWalk({ shell: true, mapUrl: MAP_URL }));
const { embedded, watched, page, client } = walk;

describe('displays in a browser', () => {
  let note: Note;

  beforeAll(async () => {
    note = untilEnd(await client.open(await client.notes.create({ path: 'Displays' })));
    const network =
      '{"nodes": [{"id": 1, "label": "A", "data": {"name": "Ann"}}, {"id": 2, "label": "A"}], ' +
      '"edges": [{"source": 1, "target": 2}], "labels": {"A": "#ff0000"}}';
    for (const text of [
      `%sh\necho '%network ${network}'`,
      "%sh\necho before; echo '%element <p>in an <b>element</b></p>'",
    ])
      await note.insert({ text });
    await note.paragraphs[0]!.remove();
    // Running the last paragraph appends a new one.
    for (const paragraph of [...note.paragraphs]) await paragraph.run();
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    await page.locator('article').first().waitFor();
  });

  it('lays out a network in a worker and saves its settings', async () => {
    const stage = page.getByRole('application', { name: 'Network: 2 nodes · 1 relationship' });
    await stage.waitFor();
    await expect
      .poll(() =>
        page
          .workers()
          .map((worker) => worker.url())
          .join(),
      )
      .toMatch(/forces\.worker/);
    const red = () =>
      stage.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4)
          if (data[at]! > 240 && data[at + 1]! < 20 && data[at + 3]! > 240) count += 1;
        return count;
      });
    await expect.poll(red).toBeGreaterThan(400);
    await stage.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByText('Ann', { exact: true }).waitFor();
    await page.locator('article').getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Charge').fill('-200');
    await page.getByRole('button', { name: 'Save configuration' }).click();
    const results = () =>
      note.paragraphs[0]!.state.server.config?.['results'] as
        | Record<string, { graph: { mode: string; setting: Record<string, unknown> } }>
        | undefined;
    await expect
      .poll(() => results()?.['0']?.graph)
      .toMatchObject({
        mode: 'network',
        setting: {
          network: {
            d3Graph: {
              forceLayout: { charge: -200, linkDistance: 80, timeout: 10_000 },
              zoom: { minScale: 1.3 },
            },
          },
        },
      });
  });

  it('shows markup after %element, without its name', async () => {
    const at = page.locator('article').nth(1);
    await at.scrollIntoViewIfNeeded();
    await at
      .frameLocator('iframe')
      .locator('b', { hasText: /^element$/ })
      .waitFor();
    expect((await at.locator('.text-lines').innerText()).trim()).toBe('before');
    expect(note.paragraphs[1]!.outputs.map(({ type }) => type)).toEqual(['TEXT', 'ELEMENT']);
  });

  it("sends an exported result to the server's map page [O53]", async () => {
    const paragraph = await note.insert({
      text: '%magpie\nselect 1 as lat, 2 as lon;\nexport result {"format": "DelimitedText"};',
    });
    expect((await paragraph.run()).error).toBeUndefined();
    const at = page.locator(`article[data-paragraph="${paragraph.id}"]`);
    const link = at.getByRole('link', { name: 'Send to Map' });
    await link.scrollIntoViewIfNeeded();
    const [address, file] = (await link.getAttribute('href'))!.split('#');
    expect(address).toBe(MAP_URL);
    const result = decodeURIComponent(file!);
    expect(result.startsWith(`${embedded.server.url}/api/magpie/result/`)).toBe(true);
    const answer = await page.request.get(result);
    expect((await answer.text()).trim().split(/\r?\n/)).toEqual(['lat,lon', '1,2']);
    expect(watched.complaints).toEqual([]);
  });
});
