/** The clusters page, with simulated Spark masters and real processes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSparkMaster } from '../support/spark-master.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

const { embedded, watched, page, client } = untilEnd(await startWalk());

describe.skipIf(inFront)('the page of clusters', () => {
  let master: Awaited<ReturnType<typeof startSparkMaster>>;
  beforeAll(async () => {
    master = untilEnd(await startSparkMaster(['ALIVE', 'ALIVE', 'DEAD']));
    const { data } = embedded;
    const home = join(data, 'spark');
    await mkdir(join(home, 'bin'), { recursive: true });
    // A master that starts and never answers.
    await writeFile(join(home, 'bin/spark-class'), '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 });
    await writeFile(
      join(data, 'clusters.json'),
      JSON.stringify([
        {
          name: 'main_cluster',
          description: 'Shared analysis cluster. Restarts nightly at 22:00 UTC.',
          master: master.address,
        },
        {
          name: 'forecast',
          description: 'Demand models and hyper-parameter sweeps.',
          master: 'http://127.0.0.1:9',
        },
        {
          name: 'training',
          description: 'Course sandbox, reset every Monday.',
          sparkHome: home,
          workers: 2,
          cores: 2,
        },
        { name: 'legacy', sparkHome: join(data, 'no spark here') },
      ]),
    );
  });

  const card = (name: string) => page.getByRole('article', { name, exact: true });
  const chosen = async (name: string, action: string) => {
    await card(name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: action }).click();
  };

  it('opens from the navigation and shows the state of each cluster', async () => {
    await page.getByRole('link', { name: 'Clusters', exact: true }).click();
    await card('main_cluster').waitFor();
    expect(new URL(page.url()).hash).toBe('#/clusters');
    await expect.poll(() => page.locator('article').count()).toBe(5);
    await expect
      .poll(() => card('main_cluster').innerText())
      .toMatch(/Running[\s\S]*Healthy[\s\S]*Degraded[\s\S]*2 × 4 cores, 14\.5 GiB/);
    await expect
      .poll(() => card('local').innerText())
      .toMatch(/Started today, \d+:\d\d [ap]m\s+Stopped Never/);
    await expect
      .poll(() =>
        page
          .getByRole('link', { name: 'Open the compute UI of main_cluster' })
          .getAttribute('href'),
      )
      .toBe(master.address);
    await page.getByRole('button', { name: 'Current cluster: None' }).waitFor();
  });

  it('makes a cluster current after confirmation, on the bar and on the server', async () => {
    await card('main_cluster').getByRole('button', { name: 'Use Cluster' }).click();
    await page
      .getByRole('alertdialog')
      .getByText('Do you want to use the cluster main_cluster?')
      .waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Use Cluster' }).click();
    await page.getByText('Set current cluster to: main_cluster.').waitFor();
    await card('main_cluster').getByText('Current', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Current cluster: main_cluster' }).waitFor();
    expect((await client.clusters.list()).currentClusterId).toBe('spark-main_cluster');
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click();
  });

  it('keeps the current cluster after a reload and can stop using it', async () => {
    await page.reload();
    await card('main_cluster').getByRole('button', { name: 'Stop Using Cluster' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop Using Cluster' }).click();
    await page.getByText('Unset current cluster.').waitFor();
    await page.getByRole('button', { name: 'Current cluster: None' }).waitFor();
    expect((await client.clusters.list()).currentClusterId).toBeNull();
  });

  it('selects a cluster from the bar on any page, after confirmation', async () => {
    const menu = (name: string) => page.getByRole('button', { name: `Current cluster: ${name}` });
    await page.evaluate(() => location.assign('#/jobmanager'));
    await menu('None').click();
    // A cluster that is not running can't be used, so the menu omits it.
    await expect
      .poll(() =>
        page.getByRole('menuitem').or(page.getByRole('menuitemcheckbox')).allTextContents(),
      )
      .toEqual(['local', 'main_cluster', 'All clusters']);
    await page.getByRole('menuitemcheckbox', { name: 'main_cluster' }).click();
    await page
      .getByRole('alertdialog')
      .getByText('Do you want to use the cluster main_cluster?')
      .waitFor();
    // The dialog covers everything else on the page.
    expect(
      await page.locator('.topbar').evaluate((element) => getComputedStyle(element).zIndex),
    ).toBe('30');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Use Cluster' }).click();
    await page.getByText('Set current cluster to: main_cluster.').waitFor();
    expect((await client.clusters.list()).currentClusterId).toBe('spark-main_cluster');
    await menu('main_cluster').click();
    await expect
      .poll(() =>
        page.getByRole('menuitemcheckbox', { name: 'main_cluster' }).getAttribute('aria-checked'),
      )
      .toBe('true');
    await page.getByRole('menuitem', { name: 'Stop Using Cluster' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop Using Cluster' }).click();
    await page.getByText('Unset current cluster.').waitFor();
    await expect
      .poll(() => page.locator('.topbar').evaluate((element) => getComputedStyle(element).zIndex))
      .toBe('5');
    await menu('None').press('Enter');
    await page.getByRole('menuitem', { name: 'All clusters' }).click();
    await card('main_cluster').waitFor();
    expect((await client.clusters.list()).currentClusterId).toBeNull();
  });

  it("shows the server's message when a cluster is no longer running", async () => {
    master.status = 'STANDBY';
    // The server polls a master at most every two seconds.
    await page.waitForTimeout(2_100);
    await card('main_cluster').getByRole('button', { name: 'Use Cluster' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Use Cluster' }).click();
    await page.getByText('The cluster main_cluster is not running: it is Stopped.').waitFor();
    await expect
      .poll(() => card('main_cluster').getByRole('button', { name: 'Use Cluster' }).count())
      .toBe(0);
    // The browser logs the rejected request.
    expect(watched.complaints.splice(0).filter((line) => !/status of 409/.test(line))).toEqual([]);
  });

  it('starts and stops local clusters and explains a failed start', async () => {
    expect(
      await card('main_cluster')
        .getByRole('button', { name: /^Actions/ })
        .count(),
    ).toBe(0);
    await chosen('training', 'Start');
    await card('training').getByText('Provisioning').waitFor();
    await chosen('training', 'Stop');
    await card('training').locator('.badge').getByText('Stopped').waitFor();
    await expect
      .poll(() => card('training').innerText())
      .toMatch(/Started today, .*\s+Stopped today, /);
    await chosen('legacy', 'Start');
    await card('legacy')
      .getByText(/There is no Spark that can be started in/)
      .waitFor();
    expect(watched.complaints).toEqual([]);
  });
});
