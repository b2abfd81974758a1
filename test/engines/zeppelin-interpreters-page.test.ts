/** Interpreters of Zeppelin in the browser: run, stream, cancel and restart. */
import type { Note } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, startWalk, type Walk } from '../support/walk.ts';
import { MAVEN, zeppelinFolder } from './zeppelin-folder.ts';

describe.skipIf(MAVEN === undefined)(
  "Zeppelin's interpreters on the page",
  { timeout: 240_000 },
  () => {
    let walk: Walk;
    let note: Note;

    beforeAll(async () => {
      walk = untilEnd(await startWalk({ zeppelinInterpreters: [zeppelinFolder()] }));
      walk.page.setDefaultTimeout(120_000);
      note = untilEnd(
        await noteOf(walk.client, 'From Zeppelin', [
          '%zeppelin.md\n# Written in *Zeppelin*',
          '%kotlin\nval words = listOf("one", "two")\nprintln(words.size)',
          '%kotlin\nfor (i in 1..600) { println("step $i"); Thread.sleep(200) }',
          '%kotlin\nwords',
        ]),
      );
      await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    }, 600_000);

    const article = (index: number) => walk.page.locator('article').nth(index);
    const run = async (index: number): Promise<void> => {
      await article(index).scrollIntoViewIfNeeded();
      await article(index).getByRole('button', { name: /^Run/ }).first().click();
    };

    it('show Markdown as a document', async () => {
      await run(0);
      await article(0).getByRole('heading', { name: 'Written in Zeppelin' }).first().waitFor();
    });

    it('stream the output of Kotlin, stop it and keep its values', async () => {
      await run(1);
      await article(1).getByText('2', { exact: true }).first().waitFor();
      await run(2);
      await article(2).getByText('step 3').first().waitFor();
      await article(2)
        .getByRole('button', { name: /^(?:Cancel|Stop)/ })
        .first()
        .click();
      await expect.poll(() => note.paragraphs[2]!.status).toBe('ABORT');
      await run(3);
      await article(3).getByText('[one, two]').first().waitFor();
    });

    it('have a setting, from which they are restarted', async () => {
      const { page } = walk;
      await page.goto(`${walk.embedded.server.url}/#/interpreter`);
      const row = page.locator('tiding-interpreters li.setting').filter({
        has: page.getByRole('heading', { name: 'kotlin' }),
      });
      await row.getByRole('button', { expanded: false }).first().click();
      await row.getByText('java.memory').first().waitFor();
      await row
        .getByRole('button', { name: /^Restart/ })
        .first()
        .click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^(Restart|OK)$/ })
        .click();
      await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
      await run(3);
      await article(3).getByText('Unresolved reference: words').first().waitFor();
    });
  },
);
