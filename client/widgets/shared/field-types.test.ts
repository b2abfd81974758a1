import { describe, expect, it } from 'vitest';
import { fieldTypeText } from './field-types.ts';
import type { FieldType } from './shared-schemas.ts';

const struct = (...names: string[]) => ({
  dataType: 'struct',
  fields: names.map((name) => ({ name, fieldType: 'string' })),
});

describe('fieldTypeText', () => {
  it.each<[string, FieldType | undefined | null]>([
    ['long', 'long'],
    ['array<string>', { dataType: 'array', elementType: 'string' }],
    [
      'map<string, array<double>>',
      {
        dataType: 'map',
        keyType: 'string',
        valueType: { dataType: 'array', elementType: 'double' },
      },
    ],
    ['struct<a: string, b: string>', struct('a', 'b')],
    ['decimal(10, 2)', { dataType: 'decimal', precision: 10, scale: 2 }],
    ['string(20)', { dataType: 'string', length: 20 }],
    ['Array<?>', { dataType: 'Array', elementType: null }],
    ['map<?, long>', { dataType: 'map', valueType: 'long' }],
    ['array', { dataType: 'array' }],
    ['struct', { dataType: 'struct', fields: 'none' }],
    ['struct<?: ?>', { dataType: 'struct', fields: [null, {}, 7] }],
    ['long', { type: 'long' }],
    ['', {}],
    ['', undefined],
    ['', null],
  ])('writes %s', (text, type) => expect(fieldTypeText(type)).toBe(text));

  it('breaks a struct that is too long for one line; nested types by their length', () => {
    const inner = struct('street', 'city');
    expect(
      fieldTypeText({
        dataType: 'array',
        elementType: {
          dataType: 'struct',
          fields: [
            { name: 'person', fieldType: 'string' },
            { name: 'address', fieldType: inner },
            { name: 'more', fieldType: struct('one_long_name', 'another_long_name', 'third') },
          ],
        },
      }),
    ).toBe(
      [
        'array<struct<',
        '  person: string,',
        '  address: struct<street: string, city: string>,',
        '  more: struct<',
        '    one_long_name: string,',
        '    another_long_name: string,',
        '    third: string',
        '  >',
        '>>',
      ].join('\n'),
    );
  });

  it('terminates for circular types', () => {
    const round: Record<string, unknown> = { dataType: 'array' };
    round['elementType'] = round;
    expect(fieldTypeText(round)).toMatch(/^(array<){13}…>{13}$/);
    const many: Record<string, unknown> = { dataType: 'struct' };
    many['fields'] = Array.from({ length: 9 }, (_, at) => ({ name: `f${at}`, fieldType: many }));
    expect(fieldTypeText(many).split('\n').length).toBeLessThan(6_000);
  });
});
