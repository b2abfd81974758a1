/** Bundle sizes in hosts' pages, in gzipped bytes. Sizes are reproducible; times would not be. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectWithinBudget } from './support/byte-budgets.ts';
import { root } from './support/sources.ts';

interface ClientBytes {
  first: number;
  later(name: string): number;
  inputs: string[];
}
const { clientBytes, reactBytes, widgetBytes } = (await import(
  join(root, 'scripts/host-bundles.mjs')
)) as {
  clientBytes(): Promise<ClientBytes>;
  reactBytes(): Promise<number>;
  widgetBytes(): Promise<number>;
};

describe('the client in a page', () => {
  let client: ClientBytes;
  beforeAll(async () => {
    client = await clientBytes();
  });

  it('stays within its budget, whichever names are used', () => {
    expectWithinBudget('client', client.first);
  });

  it('loads the rest on demand', () => {
    const parts = {
      'with the first call': client.later('protocol-module'),
      'with the first note': client.later('note'),
      'where sockets are blocked': client.later('rest-transport'),
      'where several type': client.later('text-patch'),
    };
    console.log(
      `@tiding/client, gzip: ${client.first} bytes to start; ${Object.entries(parts)
        .map(([when, size]) => `${size} ${when}`)
        .join('; ')}`,
    );
    for (const size of Object.values(parts)) expect(size).toBeGreaterThan(1_000);
  });

  it('contains no Arrow code', () => {
    expect(client.inputs.filter((path) => path.includes('apache-arrow'))).toEqual([]);
  });
});

describe('a React component in the bundle of a host', () => {
  it('stays within its budget before it loads its element', async () => {
    expectWithinBudget('react', await reactBytes());
  });
});

describe('a display widget in the bundle of a host', () => {
  it('stays within its budget', async () => {
    expectWithinBudget('widget', await widgetBytes());
  });
});
