/** Tests of connections, for each kind of database. */
import { type Client, createClient } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';

const PASSWORD = 'a-password-for-tests';

/** A database with the table `orders` of 150 rows and the view `Large orders`. */
interface ConnectionsSample {
  readonly kind: string;
  /** Starts it and returns the properties of its setting. */
  start(): Promise<Record<string, string>>;
  stop(): Promise<void>;
  readonly version: RegExp;
  /** What a test says of the rights of the login. */
  readonly powers: RegExp;
  readonly schema: string;
  /** Names and types of the columns of `orders`. */
  readonly columns: readonly (readonly [name: string, type: string, nullable: boolean])[];
  /** Types in a preview. */
  readonly types: readonly string[];
  /** The first row of a preview. */
  readonly row: readonly (string | null)[];
  /** Name of the view in SQL. */
  readonly view: string;
  readonly failures: Readonly<Record<'password' | 'database' | 'user', RegExp>>;
  /** A user of the database who may not read `orders`. */
  readonly other: { readonly user: string; readonly password: string };
}

/** Registers the tests of a kind of database. */
export function connectionTests(isSkipped: boolean, sample: ConnectionsSample): void {
  describe.skipIf(isSkipped)(`connections to ${sample.kind}`, () => {
    let embedded: Awaited<ReturnType<typeof startEmbedded>>;
    let properties: Record<string, string>;
    let admin: Client;
    let ann: Client;
    const signIn = async (name: string, password: string): Promise<Client> => {
      const client = createClient({ server: embedded.server.url });
      await client.session.login(name, password);
      return client;
    };

    beforeAll(async () => {
      properties = await sample.start();
      embedded = await startEmbedded();
      await new Users(embedded.data).set('ann', { password: PASSWORD, roles: ['magpie.Analyst'] });
      admin = await signIn('admin', ADMIN_PASSWORD);
      ann = await signIn('ann', PASSWORD);
      const { password: _, user: __, ...open } = properties;
      await admin.interpreters.create({ name: 'sales', group: sample.kind, properties });
      await admin.interpreters.create({ name: 'own', group: sample.kind, properties: open });
    }, 120_000);
    afterAll(async () => {
      admin?.close();
      ann?.close();
      await embedded?.stop();
      await sample.stop();
    });

    it('answer a test with their version and the time of a query', async () => {
      const { ok, version, latencyMs } = await ann.connections.test('sales');
      expect([ok, version]).toEqual([true, expect.stringMatching(sample.version)]);
      expect(latencyMs).toBeGreaterThan(0);
    });

    it('warn of a login that can use files or programs of the server [S66]', async () => {
      expect((await ann.connections.test('sales')).advice).toMatch(sample.powers);
      const answer = await admin.connections.test('sales', {
        properties: { ...properties, ...sample.other },
      });
      expect([answer.ok, answer.advice]).toEqual([true, undefined]);
    });

    it('test the stored password with other properties', async () => {
      const masked = { ...properties, password: '********' };
      expect(await admin.connections.test('sales', { properties: masked })).toMatchObject({
        ok: true,
      });
    });

    it.each(['password', 'database', 'user'] as const)('explain a wrong %s', async (name) => {
      const wrong = { ...properties, [name]: 'wrong' };
      const { ok, message, advice } = await admin.connections.test('sales', { properties: wrong });
      expect(ok).toBe(false);
      expect(`${message}\n${advice}`).toMatch(sample.failures[name]);
    });

    it('explain a certificate that is not accepted', async () => {
      const strict = { ...properties, ssl: 'verify-full' };
      const { message, advice } = await admin.connections.test('sales', { properties: strict });
      expect(message).toMatch(/^The certificate of .* is not accepted/);
      expect(advice).toContain('sslAuthorities');
    });

    it('list tables and views with types, estimates and their names in SQL', async () => {
      const { more, relations } = await ann.connections.schema('sales');
      expect(more).toBe(false);
      const orders = relations.find(({ name }) => name === 'orders')!;
      expect(orders).toMatchObject({ schema: sample.schema, kind: 'table' });
      expect(orders.rows).toBeGreaterThan(0);
      expect(orders.reference).toMatch(/^`?orders`?$/);
      expect(orders.columns.map(({ name, nullable, type }) => [name, type, nullable])).toEqual(
        sample.columns,
      );
      expect(relations.find(({ name }) => name === 'Large orders')).toMatchObject({
        kind: 'view',
        reference: sample.view,
      });
      expect(relations.find(({ name }) => name === 'Large orders')!.rows).toBeUndefined();
    });

    it('find tables by parts of names and columns', async () => {
      const found = async (search: string) =>
        (await ann.connections.schema('sales', { search })).relations.map(({ name }) => name);
      expect(await found('ARGE')).toEqual(['Large orders']);
      expect(await found('customer')).toContain('orders');
      expect(await found("o'r\\")).toEqual([]);
      expect(await found('%')).toEqual([]);
    });

    it('preview the first rows with types', async () => {
      const { schema } = sample;
      const { columns, more, rows } = await ann.connections.preview('sales', 'orders', { schema });
      expect(columns.map(({ type }) => type)).toEqual(sample.types);
      expect([rows.length, more]).toEqual([100, true]);
      expect(rows[0]).toEqual(sample.row);
      const view = await ann.connections.preview('sales', 'Large orders', { schema, limit: 3 });
      expect([view.rows.length, view.more]).toEqual([3, true]);
      const gone = ann.connections.preview('sales', 'orders"; drop table orders; --', { schema });
      await expect(gone).rejects.toMatchObject({ status: 502 });
    });

    it('use the login of each user', async () => {
      const { schema } = sample;
      await expect(ann.connections.schema('own')).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('store a login for the entity own') as string,
      });
      await ann.credentials.put('own', sample.other.user, sample.other.password);
      expect(await ann.connections.list()).toMatchObject([
        { name: 'sales', login: 'shared' },
        { name: 'own', login: 'personal', user: sample.other.user },
      ]);
      expect(await ann.connections.test('own')).toMatchObject({ ok: true });
      const { relations } = await ann.connections.schema('own');
      expect(relations.map(({ name }) => name)).not.toContain('orders');
      await expect(ann.connections.preview('own', 'orders', { schema })).rejects.toMatchObject({
        status: 502,
        message: expect.stringContaining(
          `The login ${sample.other.user} lacks the right`,
        ) as string,
      });
    });
  });
}
