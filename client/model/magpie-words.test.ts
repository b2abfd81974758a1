import { describe, expect, it } from 'vitest';
import { magpieGrantWords, magpieWordKind, magpieWords } from './magpie-words.ts';

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

  it('are written in small letters, each once in its group', () => {
    for (const group of Object.values(magpieWords)) {
      expect(group.every((word) => /^[a-z_]+$/.test(word))).toBe(true);
      expect(new Set(group).size).toBe(group.length);
    }
  });

  it('knows which words count after grant and revoke', () => {
    expect([...magpieGrantWords].every((word) => magpieWordKind(word) === 'keyword')).toBe(true);
  });
});
