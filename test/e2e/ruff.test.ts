/** Mistakes in Python code are marked while the user types, and the code is formatted. */
import type { Note } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { Ruff } from '../../server/interpreters/python/ruff/ruff.ts';
import { createLog } from '../../server/logging/log.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, noteOf, startWalk, type Walk } from '../support/walk.ts';

const ruff = new Ruff(createLog('silent'));
await ruff.program('');
await ruff.installed();
const isReady = (await ruff.program('')) !== undefined;
await ruff.close();
if (!isReady) console.log('skipped: ruff could not be installed. It needs Python and PyPI.');

describe.skipIf(inFront || !isReady)('ruff on the page of a note', () => {
  let walk: Walk;
  let note: Note;
  beforeAll(async () => {
    walk = untilEnd(await startWalk());
    note = await noteOf(walk.client, 'Ruff', [
      '%python\nimport os\ndef area(r):\n    name = f"circle"\n    return above*r**2',
    ]);
    await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
  });

  it('underlines mistakes, but no names of other paragraphs', async () => {
    const { page } = walk;
    await page.locator('.code').first().click();
    const marks = page.locator('.cm-lintRange-warning');
    await expect.poll(() => marks.allTextContents()).toEqual(['name', 'f"circle"']);
    await marks.last().hover();
    await page.locator('.cm-diagnostic').getByText('F541').waitFor();
  });

  it('formats the code, which can be undone', async () => {
    const { page } = walk;
    const paragraph = note.paragraphs[0]!;
    const before = paragraph.text;
    await page.getByRole('article').first().getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Code', exact: true }).hover();
    await page.getByRole('menuitem', { name: 'Format code' }).click();
    const shown = () => page.locator('.cm-content').first().innerText();
    await expect.poll(shown).toContain('return above * r**2');
    await page.locator('.cm-content').first().focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(shown).toContain('return above*r**2');
    expect(before).toContain('above*r**2');
    expect(walk.watched.complaints).toEqual([]);
  });
});
