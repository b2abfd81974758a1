/** Spark on this machine, in the browser: a session, tables, progress, links and cancelling. */

import type { Note } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteOf, startWalk, type Walk } from '../support/walk.ts';

/** Program of a Python that has PySpark; undefined: the tests are skipped. */
const python = process.env['TIDING_TEST_PYSPARK'];

/** Half of its tasks end soon, the others never. */
const slowJob = `%pyspark
import time
sc.range(8, numSlices=8).map(lambda i: time.sleep(0 if i < 4 else 600)).count()`;

describe.skipIf(python === undefined)('Spark on the page', { timeout: 240_000 }, () => {
  let walk: Walk;
  let note: Note;

  beforeAll(async () => {
    walk = await startWalk();
    walk.page.setDefaultTimeout(180_000);
    note = await noteOf(walk.client, 'Spark', [
      '%pyspark\nspark.range(1, 4).toDF("city").createOrReplaceTempView("places")',
      '%spark.sql\nselect city, city * 1.5 as rain from places order by city;\nselect 1 as one',
      '%spark.sql\nselect 1 as one;\nselect cty\nfrom places',
      slowJob,
      '%pyspark\nprint(spark.table("places").count(), sc.master)',
      '%spark\nval places = spark.table("places")\nz.show(places.orderBy("city"))',
      '%spark\nval a = 1\nval b: Int =\n  "a"',
      '%spark\nsc.parallelize(1 to 8, 8).map(i => Thread.sleep(if (i < 5) 0 else 600000)).count()',
      '%spark.conf\nspark.app.name late',
    ]);
  }, 120_000);
  afterAll(async () => {
    note?.close();
    await walk?.stop();
  });

  const article = (index: number) => walk.page.locator('article').nth(index);
  const run = async (index: number): Promise<void> => {
    await article(index).scrollIntoViewIfNeeded();
    await article(index).getByRole('button', { name: /^Run/ }).first().click();
  };
  const ended = (index: number) =>
    expect.poll(() => note.paragraphs[index]!.status, { timeout: 180_000 });

  it('needs a setting, which is created on the page of interpreters', async () => {
    const { page } = walk;
    await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await run(1);
    await article(1).getByText('create a setting pyspark of the group pyspark').waitFor();
    await page.goto(`${walk.embedded.server.url}/#/interpreter`);
    await page.getByRole('button', { name: 'Create' }).click();
    const form = page.getByRole('form', { name: 'Create new interpreter' });
    await form.getByLabel('Interpreter Name').fill('pyspark');
    await form.getByLabel('Interpreter group').selectOption('pyspark');
    const fill = (name: string, value: string) =>
      form.getByLabel(name, { exact: true }).first().fill(value);
    await fill('python.path', python!);
    await fill('spark.conf', 'spark.master=local[*]\nspark.driver.memory=512m');
    await form.getByRole('button', { name: 'Save' }).click();
    await page
      .locator('.toast')
      .filter({ hasText: 'The interpreter setting pyspark was created.' })
      .first()
      .waitFor();
  });

  it('shares a session between Python and SQL, and shows tables', async () => {
    await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await run(0);
    await ended(0).toBe('FINISHED');
    await run(1);
    await article(1).getByRole('gridcell', { name: '4.5' }).waitFor();
    await article(1).getByRole('columnheader', { name: 'one' }).waitFor();
    // Until then the rows are those of the text.
    await ended(1).toBe('FINISHED');
    const { batches } = await note.paragraphs[1]!.rows(0);
    for await (const { schema } of batches)
      expect(schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
        'city Int64',
        'rain Decimal[23e+1]',
      ]);
  });

  it('says where a query is wrong', async () => {
    await run(2);
    await article(2).getByText('[UNRESOLVED_COLUMN.WITH_SUGGESTION]').first().waitFor();
    await article(2).getByText('line 2 pos 7').first().waitFor();
    await expect.poll(() => article(2).locator('.error-line').count()).toBe(1);
    await ended(2).toBe('ERROR');
    expect(await article(2).innerText()).not.toContain('org.apache.spark');
  });

  it('shows the progress of a job and links its page, until it is cancelled', async () => {
    await run(3);
    const link = article(3).getByRole('link', { name: 'SPARK JOB' });
    await link.waitFor();
    await article(3).getByText('50 %').waitFor();
    const address = (await link.getAttribute('href'))!;
    expect(address).toMatch(/^http:\/\/(?:localhost|127\.0\.0\.1):\d+\/jobs\/job\/\?id=\d+$/);
    expect(await (await fetch(address)).text()).toMatch(/Details for Job \d+[\s\S]*RUNNING/);
    await article(3)
      .getByRole('button', { name: /^(?:Cancel|Stop)/ })
      .first()
      .click();
    await ended(3).toBe('ABORT');
    // If a busy machine took too long, the process was ended with its job.
    const job = () =>
      fetch(address).then(
        (answer) => answer.text(),
        () => 'gone',
      );
    await expect.poll(job).toMatch(/FAILED|^gone$/);
  });

  it('runs Scala in the same session', async () => {
    // Cancelling may have ended the process with its tables.
    await run(0);
    await ended(0).toBe('FINISHED');
    await run(5);
    await article(5).getByText('val places: org.apache.spark.sql.DataFrame').waitFor();
    await article(5).getByRole('gridcell', { name: '3', exact: true }).waitFor();
    await run(6);
    await article(6).getByText('On line 3: error: type mismatch;').first().waitFor();
    await expect.poll(() => article(6).locator('.error-line').innerText()).toContain('"a"');
    await ended(6).toBe('ERROR');
    await run(7);
    await article(7).getByRole('link', { name: 'SPARK JOB' }).waitFor();
    await article(7).getByText('50 %').waitFor();
    await article(7)
      .getByRole('button', { name: /^(?:Cancel|Stop)/ })
      .first()
      .click();
    await ended(7).toBe('ABORT');
    await run(8);
    await article(8).getByText('Restart the interpreter').first().waitFor();
  });

  it('is usable afterwards', async () => {
    await run(0);
    await ended(0).toBe('FINISHED');
    await run(4);
    await article(4).getByText('3 local[*]').waitFor();
    // The link of the cancelled run stays with its result.
    await walk.page.reload();
    await article(3).getByRole('link', { name: 'SPARK JOB' }).waitFor();
    expect(walk.watched.complaints).toEqual([]);
  });
});
