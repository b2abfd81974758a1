import { makeJobRuns } from '../../test/support/job-runs.ts';
import { openAddress } from '../../test/support/page.ts';
import { type PageVisit, type Surroundings, signedIn } from '../../test/support/page-states.ts';
import { dialog, leave } from '../../test/support/states.ts';

export const visits: readonly PageVisit[] = [
  { route: '/jobmanager', tag: 'tiding-job-manager', words: 'Jobs', fates: signedIn },
];

/**
 * The job page: running jobs, the run history of one job, a confirmation, and a filter without
 * matches.
 */
export async function walk({ page, world: { url, client }, visit }: Surroundings): Promise<void> {
  const id = await makeJobRuns(client);
  await openAddress(page, `${url}/#/jobmanager`);
  const list = page.locator('tiding-job-manager');
  const filter = list.locator('input[type=search]');
  await list.locator('.job').first().waitFor();
  await visit('jobs');
  const mine = list.locator(`.job[data-job="${id}"]`);
  await mine.locator('.job-when .button').click();
  await list.locator('.job-runs .run-list li').last().waitFor();
  await visit('runs of a job');
  await mine.locator('.job-when .button').click();
  await list.locator('.job-runs').waitFor({ state: 'detached' });
  await list.locator('.job-action .button').first().click();
  await dialog(page).waitFor();
  await visit('question about a job');
  await leave(page);
  await filter.fill('zzzz');
  await filter.blur();
  await list.locator('.page-empty').waitFor();
  await visit('no job fits');
}
