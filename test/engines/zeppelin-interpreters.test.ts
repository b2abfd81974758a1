/**
 * Interpreters of Zeppelin, from Maven Central, in Java processes of this server. JDBC is not
 * published: `TIDING_TEST_ZEPPELIN` names a folder `interpreter` that has it, with the drivers of
 * H2 and PostgreSQL.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type Note, outputText, type Paragraph } from '@tiding/client';
import { jsonObjectOf } from '@tiding/client/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';
import {
  POSTGRES_PASSWORD,
  POSTGRES_PROGRAMS,
  type PostgresServer,
  startPostgres,
} from './postgres-server.ts';
import { MAVEN, olderPython, zeppelinFolder } from './zeppelin-folder.ts';

const further = process.env['TIDING_TEST_ZEPPELIN'];
const hasJdbc = further !== undefined && existsSync(join(further, 'jdbc'));

describe.skipIf(MAVEN === undefined)("Zeppelin's interpreters", { timeout: 180_000 }, () => {
  const scratch = temporaryFolder();
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let client: Client;
  let note: Note;

  beforeAll(async () => {
    const folders = [zeppelinFolder(), ...(further ? [further] : [])];
    embedded = untilEnd(await startEmbedded({ zeppelinInterpreters: folders }));
    client = untilEnd(await adminClient(embedded.server.url));
    note = untilEnd(await client.open(await client.notes.create({ path: 'Zeppelin' })));
  }, 600_000);

  const ran = async (text: string): Promise<Paragraph> => {
    const paragraph = await note.insert({ text });
    await paragraph.run().catch(() => undefined);
    return paragraph;
  };
  const shown = async (text: string): Promise<string> => {
    const paragraph = await ran(text);
    const output = paragraph.outputs.map(outputText).join('');
    return `${paragraph.status} ${output.trim()}`.trim();
  };
  const change = async (name: string, properties: Record<string, string>): Promise<void> => {
    const before = jsonObjectOf((await client.interpreters.get(name)).properties);
    const given = Object.entries(properties).map(([key, value]) => [
      key,
      { ...jsonObjectOf(before[key]), name: key, value },
    ]);
    await client.interpreters.update(name, {
      properties: { ...before, ...Object.fromEntries(given) },
    });
  };
  /** Processes of Java with interpreters that this test has started. */
  const processes = (): number[] =>
    readdirSync('/proc')
      .map(Number)
      .filter((pid) => {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
          return command.includes('RemoteInterpreterServer') && command.includes(embedded.data);
        } catch {
          return false;
        }
      });

  it('render Markdown beside the own interpreter of this server', async () => {
    const paragraph = await ran('%zeppelin.md\n# Hello *you*');
    expect(paragraph.outputs.map(({ type }) => type)).toEqual(['HTML']);
    expect(outputText(paragraph.outputs[0]!)).toContain('<h1>Hello <em>you</em></h1>');
    expect(await shown('%md\n# Hello')).toContain('FINISHED');
    expect((await client.interpreters.get('zeppelin.md')).properties).toMatchObject({
      'markdown.parser.type': { value: 'flexmark' },
      'java.memory': { value: '1024' },
    });
  });

  it('run Kotlin, which keeps its values and reports errors', async () => {
    expect(await shown('%kotlin\nval x = 1 + 2')).toBe('FINISHED');
    expect(await shown('%kotlin\nprintln(x)\nx * 2')).toMatch(/^FINISHED 3\nres\d+: Int = 6$/);
    expect(await shown('%kotlin\nnonsense(')).toBe('ERROR Unresolved reference: nonsense');
  });

  it('stop Kotlin that is cancelled, and keep the note usable', async () => {
    const paragraph = await note.insert({
      text: '%kotlin\nfor (i in 1..600) { println("step $i"); Thread.sleep(1000) }',
    });
    const running = paragraph.run().catch(() => undefined);
    await expect.poll(() => paragraph.outputs.map(outputText).join('')).toContain('step 1');
    await paragraph.cancel();
    await running;
    expect(paragraph.status).toBe('ABORT');
    expect(await shown('%kotlin\n40 + 2')).toContain('Int = 42');
  });

  it('say that a process ended, start another, and restart', async () => {
    expect(await shown('%kotlin\nRuntime.getRuntime().halt(3)')).toMatch(
      /^ERROR .*The process of %kotlin ended \(exit code 3\) and its variables are lost\./,
    );
    expect(await shown('%kotlin\nval y = 5')).toMatch(/^FINISHED/);
    const [before] = processes().filter((pid) => commandOf(pid).includes('kotlin-'));
    await client.interpreters.restart('kotlin');
    await expect.poll(() => processes().includes(before!)).toBe(false);
    expect(await shown('%kotlin\ny')).toBe('ERROR Unresolved reference: y');
  });

  it('run out of memory with a sentence', async () => {
    await change('kotlin', { 'java.memory': '96' });
    expect(await shown('%kotlin\nval big = Array(1000) { LongArray(1000000) }')).toMatch(
      /ran out of memory \(96 MB\).*Raise java\.memory/,
    );
    await change('kotlin', { 'java.memory': '512' });
    expect(await shown('%kotlin\n1 + 1')).toContain('Int = 2');
  });

  it('run Python with forms, streams and failures', async () => {
    await change('zeppelin.python', {
      'zeppelin.python': olderPython(scratch),
      'zeppelin.python.useIPython': 'false',
    });
    expect(await shown('%zeppelin.python\nx = 20\nprint(x + 1)')).toBe('FINISHED 21');
    expect(await shown('%zeppelin.python\nprint(x)\n1 / 0')).toMatch(
      /^ERROR 20\n[\s\S]*ZeroDivisionError/,
    );
    const form = await ran('%zeppelin.python\nprint(z.textbox("city", "Rome"))');
    expect(form.outputs.map(outputText).join('').trim()).toBe('Rome');
    await form.run({ params: { city: 'Oslo' } });
    expect(form.outputs.map(outputText).join('').trim()).toBe('Oslo');
  });

  describe.skipIf(!hasJdbc)('for databases', () => {
    it('query H2', async () => {
      expect(await shown('%jdbc\ncreate table t (id int, name varchar)')).toMatch(/^FINISHED/);
      await ran("%jdbc\ninsert into t values (1, 'Ada'), (2, 'Alan')");
      const paragraph = await ran('%jdbc\nselect * from t order by id');
      expect(paragraph.outputs.map(({ type }) => type)).toEqual(['TABLE']);
      expect(outputText(paragraph.outputs[0]!).trim()).toBe('ID\tNAME\n1\tAda\n2\tAlan');
      expect(await shown('%jdbc\nselect * from nothing')).toMatch(/^ERROR .*NOTHING.*not found/);
    });

    describe.skipIf(POSTGRES_PROGRAMS === undefined)('on a real PostgreSQL', () => {
      let postgres: PostgresServer;
      beforeAll(async () => {
        postgres = untilEnd(await startPostgres());
      }, 300_000);

      it('query by prefix and cancel on the server', async () => {
        await change('jdbc', {
          'sales.url': `jdbc:postgresql://127.0.0.1:${postgres.port}/postgres`,
          'sales.user': 'postgres',
          'sales.password': POSTGRES_PASSWORD,
          'sales.driver': 'org.postgresql.Driver',
        });
        expect(await shown("%jdbc(sales)\nselect 7 as n, 'x' as s")).toBe('FINISHED n\ts\n7\tx');
        const paragraph = await note.insert({ text: '%jdbc(sales)\nselect pg_sleep(600)' });
        const running = paragraph.run().catch(() => undefined);
        const active = async () =>
          (
            await postgres.query(
              "select pid from pg_stat_activity where query like 'select pg_sleep(600)%' " +
                "and state = 'active'",
            )
          ).length;
        await expect.poll(active).toBe(1);
        await paragraph.cancel();
        await running;
        expect(paragraph.status).toBe('ABORT');
        await expect.poll(active).toBe(0);
      });
    });
  });

  it('leave nothing behind when the server ends', async () => {
    expect(processes().length).toBeGreaterThan(0);
    const before = processes();
    note.close();
    await embedded.server.close();
    await expect.poll(() => processes().filter((pid) => before.includes(pid))).toEqual([]);
  });
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
