import { expect, it } from 'vitest';
import { framePolicy, frameSource, stillPolicy } from './frame-policy.ts';

it.each([
  ['https://cdn.plot.ly', 'https://cdn.plot.ly'],
  [' https://cdn.plot.ly/ ', 'https://cdn.plot.ly'],
  ['https://CDN.example.org:8443', 'https://cdn.example.org:8443'],
])('accepts %j as a library host', (text, origin) => expect(frameSource(text)).toBe(origin));

it.each([
  '',
  'cdn.plot.ly',
  'http://cdn.plot.ly',
  'https:',
  'https://',
  'https://*',
  'https://*.plot.ly',
  'https://localhost',
  'https://a.b; script-src *',
  "https://a.b 'unsafe-inline'",
  'https://a.b,https://c.d',
  'https://a.b/path',
  'https://user@a.b',
  'https://a.b?x',
  'https://a.b#x',
  'data:',
  'blob:',
  "'self'",
  'javascript:alert(1)',
  'https://a.b:99999999',
  'wss://a.b',
  'https://a.b\nhttps://c.d',
])('rejects %j [S28]', (text) => expect(() => frameSource(text)).toThrow(/is not a library host/));

it('adds hosts to scripts, styles and images, and to nothing else [S28]', () => {
  const policy = framePolicy(['https://cdn.plot.ly']);
  const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0]!, rule]));
  expect(
    Object.entries(rules)
      .filter(([, rule]) => rule.includes('cdn.plot.ly'))
      .map(([name]) => name),
  ).toEqual(['script-src', 'style-src', 'img-src']);
  expect(rules['default-src']).toBe("default-src 'none'");
  expect(rules['connect-src']).toBe("connect-src 'none'");
  expect(rules['sandbox']).toBe('sandbox allow-scripts');
  expect(framePolicy()).not.toContain('https:');
});

it('runs no scripts of an untrusted output', () => {
  const policy = stillPolicy(Buffer.from('<html><body></body><script>own()</script>'));
  expect(policy).toMatch(/script-src 'sha256-[\w+/]+=*';/);
  expect(policy).not.toMatch(/unsafe-eval|https:/);
  expect(stillPolicy(Buffer.from('<p>'))).toContain("script-src 'none'");
});
