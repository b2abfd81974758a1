/** Cleaning a column of a result in the built app. */
import { describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const { embedded, page, client, watched } = untilEnd(await startWalk({ shell: true }));

describe('a column of a result', () => {
  it('is cleaned by steps that the code shows and that can be undone', async () => {
    const note = untilEnd(await client.open(await client.notes.create({ path: 'Clean' })));
    const [paragraph] = note.paragraphs;
    const code = "%sql\nselect * from (values (' Oslo '), ('Rome'), (null)) t(city)";
    paragraph!.edit(code);
    await paragraph!.run();
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    const header = page.getByRole('button', { name: 'Menu for column city' }).first();
    const clean = async (): Promise<void> => {
      await page.getByRole('columnheader', { name: 'city' }).hover();
      await header.click();
      await page.getByRole('menuitem', { name: 'Clean…' }).click();
      await page.getByRole('dialog', { name: 'Clean city' }).waitFor();
    };
    const cells = () => page.getByRole('gridcell').allTextContents();
    await expect.poll(cells).toHaveLength(3);
    await clean();
    await expect
      .poll(() => page.getByLabel('The query with this step').inputValue())
      .toMatch(/trim\("city"/);
    await page.getByRole('button', { name: 'Add step' }).click();
    await expect.poll(cells).toEqual(['Oslo', 'Rome', 'null']);
    await clean();
    await page.getByRole('combobox', { name: /^Step/ }).selectOption('fill');
    await page.getByLabel('Value', { exact: true }).fill("Nice's");
    await page.keyboard.press('Enter');
    await expect.poll(cells).toEqual(['Oslo', 'Rome', "Nice's"]);
    expect(paragraph!.text).toContain(code.slice('%sql\n'.length));
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await expect.poll(cells).toEqual(['Oslo', 'Rome', 'null']);
    await expect.poll(() => paragraph!.text).not.toContain('coalesce');
    expect(watched.complaints).toEqual([]);
  });
});
