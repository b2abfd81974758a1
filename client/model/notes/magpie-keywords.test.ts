import { describe, expect, it } from 'vitest';
import { magpieGrantKeywords, magpieKeywords, magpieWordKind } from './magpie-keywords.ts';

describe('words of the command language', () => {
  it.each([
    ['DESCRIBE', 'keyword'],
    ['schedule', 'keyword'],
    ['relationships', 'keyword'],
    ['semi', 'keyword'],
    ['Path', 'keyword'],
    ['accesstoken', 'keyword'],
    ['set', 'keyword'],
    ['money', 'type'],
    ['VARCHAR', 'type'],
    ['nvl', 'function'],
    ['ucase', 'function'],
    ['trips', undefined],
    ['constructor', undefined],
  ])('%s is %s', (word, kind) => expect(magpieWordKind(word)).toBe(kind));

  it('are lower case and unique within their group', () => {
    for (const group of Object.values(magpieKeywords)) {
      expect(group.every((word) => /^[a-z_]+$/.test(word))).toBe(true);
      expect(new Set(group).size).toBe(group.length);
    }
  });

  it('include those that are keywords after grant and revoke', () => {
    expect([...magpieGrantKeywords].every((word) => magpieWordKind(word) === 'keyword')).toBe(true);
  });
});
