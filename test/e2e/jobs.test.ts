/** The job manager: lists notes as jobs and updates while they run. */
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

const { watched, page, client } = untilEnd(await startWalk({ shell: true }));

describe.skipIf(inFront)('the job page', () => {
  let ids: Record<'daily' | 'broken' | 'untouched', string>;
  beforeAll(async () => {
    const make = async (path: string, texts: readonly string[]) => {
      const note = await client.open(await client.notes.create({ path }));
      note.paragraphs[0]!.edit(texts[0]!);
      await note.paragraphs[0]!.commit();
      for (const text of texts.slice(1))
        await note.insert({ text, index: note.state.order.length });
      return note;
    };
    const daily = await make('Team/Daily load', ['%sh\necho one', '%sh\nsleep 60']);
    const broken = await make('Team/Broken', ['%sql\nselect nothing']);
    const untouched = await make('Untouched', ['%md\nno run yet']);
    await daily.paragraphs[0]!.run();
    await Promise.resolve(broken.paragraphs[0]!.run()).catch(() => {});
    ids = { daily: daily.id, broken: broken.id, untouched: untouched.id };
    for (let n = 1; n < 12; n += 1) await client.notes.create({ path: `More/Note ${n}` });
  });

  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name }) });

  it('opens from the navigation and lists ten notes, latest run first', async () => {
    await page.getByRole('link', { name: 'Jobs' }).click();
    await row('Daily load').waitFor();
    expect(new URL(page.url()).hash).toBe('#/jobmanager');
    await expect.poll(() => page.locator('.job').count()).toBe(10);
    // Both ran, often within the same second.
    expect((await page.locator('.job b').allInnerTexts()).slice(0, 2)).toEqual([
      'Broken',
      'Daily load',
    ]);
    await page.getByText(/^Total: \d+$/).waitFor();
    await page.getByRole('link', { name: /is ERROR$/ }).waitFor();
  });

  it('starts a note after confirmation, follows it live and stops it', async () => {
    await row('Daily load').getByRole('button', { name: 'Run all, Daily load' }).click();
    await page.getByRole('alertdialog').getByText('Run all paragraphs?').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await row('Daily load').getByRole('button', { name: 'Run all, Daily load' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Run all' }).click();
    await row('Daily load').getByRole('button', { name: 'Stop, Daily load' }).waitFor();
    await expect.poll(() => page.locator('.job').first().getAttribute('data-job')).toBe(ids.daily);
    await page.getByText(/^1 running, total \d+$/).waitFor();
    // Stopped while the first paragraph is being stored, the second would not start.
    const second = row('Daily load')
      .getByRole('link', { name: / is [A-Z]+$/ })
      .last();
    await expect.poll(() => second.getAttribute('aria-label')).toMatch(/is RUNNING$/);
    await row('Daily load').getByRole('button', { name: 'Stop, Daily load' }).click();
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    await expect.poll(() => question.textContent()).toContain('Stop all paragraphs?');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
    await row('Daily load')
      .getByRole('link', { name: /is ABORT$/ })
      .waitFor();
    await row('Daily load').getByRole('button', { name: 'Run all, Daily load' }).waitFor();
  });

  it('shows the duration of the latest runs of a note', async () => {
    await row('Daily load').getByRole('button', { name: 'Runs of Daily load' }).press('Enter');
    await page
      .getByRole('list', { name: 'Latest runs' })
      .getByRole('listitem')
      .filter({ hasText: /^ABORT after .*by admin$/ })
      .first()
      .waitFor();
    await page.getByRole('img', { name: /^Run durations of Daily load: / }).waitFor();
    await row('Daily load').getByRole('button', { name: 'Runs of Daily load' }).press('Enter');
    await page.locator('.job-runs').waitFor({ state: 'detached' });
  });

  it('adds notes created elsewhere and drops removed ones', async () => {
    await page.getByRole('searchbox', { name: 'Filter by note name' }).fill('made elsewhere');
    await page.getByText('No matches.').waitFor();
    const id = await client.notes.create({ path: 'Made elsewhere' });
    await row('Made elsewhere').waitFor();
    await client.notes.remove(id);
    await row('Made elsewhere').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filter' }).click();
  });

  it('links to the failed paragraph', async () => {
    await row('Broken')
      .getByRole('link', { name: /is ERROR$/ })
      .click();
    await page.locator('article').first().waitFor();
    expect(new URL(page.url()).hash).toMatch(new RegExp(`^#/notebook/${ids.broken}\\?paragraph=`));
    await page.goBack();
    await row('Broken').waitFor();
    expect(watched.complaints).toEqual([]);
  });
});
