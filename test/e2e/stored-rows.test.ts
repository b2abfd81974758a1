/** A small table in a page has the types and the values of the engine, whatever is done with it. */
import { readFile } from 'node:fs/promises';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const note = untilEnd(
  await noteOf(walk.client, 'rows/Walk', [
    "%sql\nselect null as none, 'null' as word, 'two\nlines' as lines, 'a\tb' as tab, " +
      "9007199254740993 as long, 1.50::decimal(9, 2) as price, date '2024-01-02' as day, " +
      'true as flag',
  ]),
);
await note.paragraphs[0]!.run();
await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
await walk.page.locator('.data-grid [role=gridcell]').first().waitFor();

async function saved(press: () => Promise<void>): Promise<Buffer> {
  const download = walk.page.waitForEvent('download');
  await press();
  return readFile(await (await download).path());
}
const menuItem = async (name: string) => {
  await walk.page.getByRole('button', { name: 'Download as' }).click();
  await walk.page.getByRole('menuitem', { name }).first().click();
};

describe('a small result of %sql', () => {
  it('is saved as CSV as it is, by every button', async () => {
    const line = ',null,"two\nlines",a\tb,9007199254740993,1.50,2024-01-02,true\r\n';
    const button = await saved(() =>
      walk.page.getByRole('button', { name: 'Download CSV', exact: true }).click(),
    );
    expect(button.toString().split(/(?<=flag\r\n)/)[1]).toBe(line);
    expect((await saved(() => menuItem('CSV'))).equals(button)).toBe(true);
  });

  it('is saved as Arrow with its types', async () => {
    const { schema } = tableFromIPC(await saved(() => menuItem('Arrow')));
    expect(schema.fields.map(({ type }) => String(type))).toEqual(
      'Int32 Utf8 Utf8 Utf8 Int64 Decimal[9e+2] Date32<DAY> Bool'.split(' '),
    );
  });

  it('shows its text, with a notice, if the stored rows are gone', async () => {
    await walk.page.route('**/api/magpie/**', (route) =>
      /result/.test(route.request().url()) ? route.fulfill({ status: 403 }) : route.continue(),
    );
    await walk.page.reload();
    await walk.page.getByText('The table shows the text in the note').waitFor();
    const row = await saved(() =>
      walk.page.getByRole('button', { name: 'Download CSV', exact: true }).click(),
    );
    expect(row.toString()).toContain('9007199254740993');
  });
});
