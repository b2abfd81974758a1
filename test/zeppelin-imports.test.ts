/** Notes of a Zeppelin whose interpreters do not exist here. */
import { type Note, outputText } from '@tiding/client';
import { expect, it } from 'vitest';
import { knownMagic } from '../server/run/known-magics.ts';
import { adminClient, startEmbedded } from './support/embedded.ts';
import { untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmbedded());
const client = untilEnd(await adminClient(embedded.server.url));

/** Imports a note as Zeppelin 0.10 exports it. */
async function imported(defaultInterpreterGroup: string, texts: readonly string[]): Promise<Note> {
  const paragraphs = texts.map((text, at) => ({
    text,
    user: 'anonymous',
    config: { colWidth: 12, fontSize: 9, enabled: true, results: {} },
    settings: { params: {}, forms: {} },
    apps: [],
    jobName: `paragraph_${at}`,
    id: `paragraph_${at}`,
    dateCreated: '2020-01-19 15:36:25.823',
    status: 'FINISHED',
  }));
  const name = crypto.randomUUID();
  return client.open(
    await client.notes.importNote({
      name,
      paragraphs,
      id: '2A94M5J1Z',
      defaultInterpreterGroup,
      version: '0.10.0',
      noteParams: {},
      noteForms: {},
      angularObjects: {},
      config: { isZeppelinNotebookCronEnable: false },
      info: {},
    }),
  );
}

/** Runs all paragraphs and returns the status and text of each. */
async function results(note: Note): Promise<[string, string][]> {
  const all: [string, string][] = [];
  for (const paragraph of note.paragraphs) {
    await paragraph.run();
    all.push([paragraph.status, paragraph.outputs.map(outputText).join('\n').trimEnd()]);
  }
  return all;
}

const list = 'You can use %sql, %python, %md, %js, %angular, %magpie, %sh and %jupyter here.';
const ask = 'Ask an administrator to add another one.';

it('says what its default and %sql mean in that Zeppelin', async () => {
  const note = await imported('spark', [
    'import java.net.URL\nval bank = sc.parallelize(Seq(1))',
    '%sql\nselect age, count(1) value from bank where age < ${maxAge=30}',
    '%sql select 1 as one',
    '%spark.conf\n\nspark.driver.memory 8g',
    '%md\n# Title',
    '%spark\n',
  ]);
  const [scala, query, works, conf, markdown, empty] = await results(note);
  expect(scala).toEqual([
    'ERROR',
    'Interpreter spark not found. This note uses it for paragraphs without a magic. ' +
      `${knownMagic('spark')!.advice} ${list} ${ask}`,
  ]);
  expect(query![0]).toBe('ERROR');
  expect(query![1]).toContain('LINE 1: select age');
  expect(query![1].split('\n').at(-1)).toBe(
    'In the Zeppelin that this note comes from, %sql is %spark.sql. ' +
      knownMagic('spark.sql')!.advice,
  );
  expect(works).toEqual(['FINISHED', 'one\n1']);
  expect(conf![1]).toContain(
    `Interpreter spark.conf not found. ${knownMagic('spark.conf')!.advice}`,
  );
  expect([markdown![0], empty![0]]).toEqual(['FINISHED', 'FINISHED']);
  // The export has the default of the Zeppelin, too.
  expect(JSON.parse(await client.notes.export(note.id))).toMatchObject({
    defaultInterpreterGroup: 'spark',
  });
  note.close();
});

it('names the interpreter that %sql is there, and configures Spark if it is here', async () => {
  const python = await imported('python', ['%sql\nselect nothing']);
  expect((await results(python))[0]![1].split('\n').at(-1)).toBe(
    'In the Zeppelin that this note comes from, %sql is %python.sql. Use %python.sql.',
  );
  python.close();
  await client.interpreters.create({ name: 'pyspark', group: 'pyspark' });
  const note = await imported('spark', ['%spark.conf\nspark.wrong']);
  const [conf] = await results(note);
  expect(conf![1]).toBe('%spark.conf consists of lines such as spark.executor.memory 2g.');
  note.close();
  await client.interpreters.remove('pyspark');
});

it('has another default as soon as interpreters are bound', async () => {
  const note = await imported('flink', ['select 1 as one']);
  expect((await results(note))[0]![1]).toContain(knownMagic('flink')!.advice);
  const ids = (await note.bindings()).map(({ id }) => id);
  await note.bind(ids);
  expect((await results(note))[0]).toEqual(['FINISHED', 'one\n1']);
  note.close();
});

it('uses its default if it exists here', async () => {
  const note = await imported('md', ['# Title']);
  expect((await results(note))[0]).toEqual(['FINISHED', expect.stringContaining('<h1')]);
  note.close();
});
