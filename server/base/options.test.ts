import { expect, it } from 'vitest';
import { resolveOptions } from './options.ts';

it('takes the address of a map page, and refuses what is none', () => {
  expect(resolveOptions({ mapUrl: 'https://maps.example.org/show?layer=2' }).mapUrl).toBe(
    'https://maps.example.org/show?layer=2',
  );
  expect(resolveOptions({ mapUrl: '' }).mapUrl).toBeUndefined();
  for (const mapUrl of ['maps', 'javascript:alert(1)', 'https://maps.example.org/#here'])
    expect(() => resolveOptions({ mapUrl })).toThrow(/is not the address of a map page/);
});
