import { describe, expect, it } from 'vitest';
import { injectCredentials, injectProperty } from './credential-text.ts';

const logins = new Map([
  ['jdbc.pg', { username: 'reader', password: "p'a$&{other.user}" }],
  ['other', { username: 'o', password: '' }],
]);
const inject = (text: string) => injectCredentials(text, (entity) => logins.get(entity));

describe('injectCredentials', () => {
  it.each([
    ["connect('{jdbc.pg.user}', '{jdbc.pg.password}')", "connect('reader', 'p'a$&{other.user}')"],
    ['{other.user}:{other.password}.', 'o:.'],
    ['{unknown.user} {jdbc.pg.name} {jdbc.pg.user', '{unknown.user} {jdbc.pg.name} {jdbc.pg.user'],
    ['{{other.user}}', '{o}'],
    ['{other\n.user} { other.user} {.user}', '{other\n.user} { other.user} {.user}'],
    ['nothing', 'nothing'],
  ])('%s', (text, expected) => {
    expect(inject(text)).toBe(expected);
  });

  it('is a property with a Boolean value', () => {
    expect(['', 'true', 'false'].map((value) => injectProperty.check!(value))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(injectProperty.check!('yes')).toBe('must be true or false');
  });
});
