import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints, sentOperations } from '../protocol/index.ts';
import { compareVersions, isSupportedEverywhere, unsupportedError } from './server-support.ts';

const server = (version: string, tiding?: string) => ({
  version,
  generation: /^0\.[0-8]\./.test(version) ? ('A' as const) : ('B' as const),
  tiding,
  namesReplies: false,
});

describe('versions', () => {
  test.each([
    ['0.8.2', '0.9.0', -1],
    ['0.10.0', '0.9.0', 1],
    ['0.9', '0.9.0', 0],
    ['0.12.0-SNAPSHOT', '0.12.0', 0],
    ['1.0', '0.13.0', 1],
    ['', '0.1', -1],
  ])('%s against %s', (one, other, sign) => {
    expect(Math.sign(compareVersions(one, other))).toBe(sign);
  });

  test('are totally ordered', () => {
    const version = fc
      .array(fc.nat(20), { minLength: 1, maxLength: 4 })
      .map((numbers) => numbers.join('.'));
    fc.assert(
      fc.property(
        version,
        version,
        (a, b) =>
          Math.sign(compareVersions(a, b)) === -Math.sign(compareVersions(b, a)) + 0 ||
          compareVersions(a, b) === 0,
      ),
    );
  });
});

describe('the support of an operation', () => {
  test.each([
    ['PATCH_PARAGRAPH', '0.8.2', true],
    ['PATCH_PARAGRAPH', '0.9.0', false],
    ['PATCH_PARAGRAPH', '0.10.0', false],
    ['PARAGRAPH_EXECUTED_BY_SPELL', '0.8.2', false],
    ['PARAGRAPH_EXECUTED_BY_SPELL', '0.10.0', true],
    ['CANCEL_ALL_PARAGRAPHS', '0.12.0', true],
    ['CANCEL_ALL_PARAGRAPHS', '0.13.0-SNAPSHOT', false],
    ['RELOAD_NOTE', '0.8.0', true],
    ['RELOAD_NOTE', '0.9.0', true],
    ['RELOAD_NOTE', '0.10.0', false],
    ['GET_NOTE', '0.1.0', false],
  ] as const)('%s on %s is refused: %s', (op, version, refused) => {
    const error = unsupportedError(op, sentOperations[op].support, server(version));
    expect(error !== undefined).toBe(refused);
    if (refused)
      expect(error).toMatchObject({ code: 'unsupported', operation: op, serverVersion: version });
  });

  test('is given for all of them by a Tiding server', () => {
    for (const { support } of [...Object.values(sentOperations), ...Object.values(endpoints)])
      expect(unsupportedError('x', support, server('0.8.2', '0.1.0'))).toBeUndefined();
  });

  test("of the fork can't be known on generation A, and is refused on B", () => {
    expect(unsupportedError('x', endpoints.listClusters.support, server('0.8.2'))).toBeUndefined();
    expect(unsupportedError('x', endpoints.listClusters.support, server('0.10.0'))).toMatchObject({
      code: 'unsupported',
    });
    expect(unsupportedError('x', endpoints.loginOnce.support, server('0.8.2'))).toMatchObject({
      code: 'unsupported',
    });
  });

  test('is given if every server has it', () => {
    expect(isSupportedEverywhere(endpoints.version.support)).toBe(true);
    expect(isSupportedEverywhere(endpoints.getBindings.support)).toBe(false);
  });
});
