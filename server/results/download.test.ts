import { expect, it } from 'vitest';
import { fileHeaders } from './download.ts';

it.each([
  ['a b.csv', 'attachment; filename="a b.csv"'],
  [
    'café "1".csv',
    'attachment; filename="caf_ _1_.csv"; filename*=UTF-8\'\'caf%C3%A9%20%221%22.csv',
  ],
  [
    'a\r\nSet-Cookie: x=1',
    'attachment; filename="a__Set-Cookie_ x=1"; filename*=UTF-8\'\'a__Set-Cookie%3A%20x%3D1',
  ],
  ['../x\\y', 'attachment; filename=".._x_y"'],
  ["it's (1)*", 'attachment; filename="it_s (1)_"; filename*=UTF-8\'\'it%27s%20%281%29%2A'],
  ['\ud800', 'attachment; filename="_"'],
  ['', 'attachment; filename="file"'],
])('encodes %j as one valid header', (name, header) => {
  expect(new Headers(fileHeaders(name, 'text/csv')).get('Content-Disposition')).toBe(header);
});
