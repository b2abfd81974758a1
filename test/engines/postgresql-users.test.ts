/** Logins of several users to one database, through the server. */

import { type Client, createClient, outputText } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { untilEnd } from '../support/until-end.ts';
import { POSTGRES_PROGRAMS, type PostgresServer, startPostgres } from './postgres-server.ts';

const PASSWORD = 'a-password-for-tests';

describe.skipIf(POSTGRES_PROGRAMS === undefined)('users of a PostgreSQL database', () => {
  let server: PostgresServer;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  const clients: Client[] = [];

  const signIn = async (name: string, password: string): Promise<Client> => {
    const client = createClient({ server: embedded.server.url });
    clients.push(client);
    await client.session.login(name, password);
    return client;
  };

  beforeAll(async () => {
    server = untilEnd(await startPostgres());
    await server.query(`
      create role db_ann login password 'of-ann';
      create role db_bob login password 'of-bob';
    `);
    embedded = untilEnd(await startEmbedded());
    for (const name of ['ann', 'bob', 'eve'])
      await new Users(embedded.data).set(name, { password: PASSWORD, roles: ['magpie.Analyst'] });
    const admin = await signIn('admin', ADMIN_PASSWORD);
    await admin.interpreters.create({
      name: 'sales',
      group: 'postgresql',
      properties: { host: '127.0.0.1', port: String(server.port), database: 'postgres' },
    });
  }, 120_000);
  afterAll(async () => {
    for (const client of clients) client.close();
  });

  it('log in with their own credentials, each in a session of their own', async () => {
    const [ann, bob, eve] = await Promise.all(
      ['ann', 'bob', 'eve'].map((name) => signIn(name, PASSWORD)),
    );
    await ann!.credentials.put('sales', 'db_ann', 'of-ann');
    await bob!.credentials.put('sales', 'db_bob', 'of-bob');
    const id = await ann!.notes.create({ path: 'databases/Shared' });
    const who = async (client: Client | undefined): Promise<string> => {
      const note = await client!.open(id);
      const paragraph = await note.insert({ text: '%sales\nselect current_user as name, 1 as n' });
      await paragraph.run();
      const [output] = paragraph.outputs;
      const text = output ? outputText(output) : '';
      if (output?.type === 'TABLE') {
        // The password is hidden from code, so the table is kept with its types.
        const { batches } = await paragraph.rows(0);
        for await (const { schema } of batches)
          expect(schema.fields.map(({ type }) => String(type))).toEqual(['Utf8', 'Int32']);
      }
      note.close();
      return text.trim();
    };
    expect(await who(ann)).toBe('name\tn\ndb_ann\t1');
    expect(await who(bob)).toBe('name\tn\ndb_bob\t1');
    expect(await who(ann)).toBe('name\tn\ndb_ann\t1');
    expect(await who(eve)).toMatch(
      /^There is no login for sales: store a login for the entity sales in your credentials/,
    );
    const active = "select count(*)::int as n from pg_stat_activity where usename like 'db_%'";
    expect(await server.query(active)).toEqual([{ n: 2 }]);
    await bob!.credentials.put('sales', 'db_bob', 'wrong');
    const admin = await signIn('admin', ADMIN_PASSWORD);
    await admin.interpreters.restart('sales');
    expect(await who(bob)).toMatch(
      /\(28P01\)\nCorrect your login for the entity sales in your credentials\.$/,
    );
  });
});
