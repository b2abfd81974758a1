/** Formats field types for people. */
import { isJsonObject } from '../../model/json-object.ts';
import type { FieldType } from './shared-schemas.ts';

/** Maximum nesting depth. Deeper types become `…`. */
const MAX_DEPTH = 12;
/** Maximum number of nested types. Further ones become `…`. */
const MAX_TYPES = 500;
/** Maximum length of a type on one line, in characters. */
const MAX_LINE_LENGTH = 48;

type Shape = { readonly [name: string]: unknown };

/** A type on one line, and a function that formats it for a given indentation. */
interface TypeText {
  readonly flat: string;
  readonly at: (indent: number) => string;
}
const word = (text: string): TypeText => ({ flat: text, at: () => text });

/**
 * Formats the type of a field: `long`, `array<string>`, `map<string, double>`,
 * `struct<name: string, tags: array<string>>`. A struct that is too long for one line has each
 * field on its own line, indented by two spaces per level. Empty if there is no type.
 */
export function fieldTypeText(type: FieldType | undefined | null): string {
  let left = MAX_TYPES;

  const write = (of: unknown, level: number): TypeText => {
    if (typeof of === 'string') return word(of);
    if (!isJsonObject(of)) return word('');
    left -= 1;
    if (level > MAX_DEPTH || left < 0) return word('…');
    // A type may be wrapped in another object: {dataType: {dataType: 'array', …}}.
    const kind = of['dataType'] ?? of['type'];
    if (isJsonObject(kind)) return write(kind, level + 1);
    const name = typeof kind === 'string' ? kind : '';
    switch (name.toLowerCase()) {
      case 'array':
        return 'elementType' in of ? within(name, [part(of['elementType'], level)]) : word(name);
      case 'map':
        return 'keyType' in of || 'valueType' in of
          ? within(name, [part(of['keyType'], level), part(of['valueType'], level)])
          : word(name);
      case 'struct':
        return structure(name, of['fields'], level);
      default:
        return word(`${name}${sizeOf(of)}`);
    }
  };
  const part = (of: unknown, level: number): TypeText => {
    const found = write(of, level + 1);
    return found.flat === '' ? word('?') : found;
  };
  const within = (name: string, parts: readonly TypeText[]): TypeText => ({
    flat: `${name}<${parts.map(({ flat }) => flat).join(', ')}>`,
    at: (indent) => `${name}<${parts.map(({ at }) => at(indent)).join(', ')}>`,
  });
  const structure = (name: string, fields: unknown, level: number): TypeText => {
    const known = Array.isArray(fields) ? fields.filter(isJsonObject) : [];
    if (known.length === 0) return word(name);
    const each = known.slice(0, MAX_TYPES).map((field) => ({
      name: typeof field['name'] === 'string' ? field['name'] : '?',
      type: part(field['fieldType'] ?? field['dataType'], level),
    }));
    const flat = `${name}<${each.map((one) => `${one.name}: ${one.type.flat}`).join(', ')}>`;
    const at = (indent: number): string => {
      if (flat.length + indent <= MAX_LINE_LENGTH) return flat;
      const lines = each.map(
        (one) => `${' '.repeat(indent + 2)}${one.name}: ${one.type.at(indent + 2)}`,
      );
      return `${name}<\n${lines.join(',\n')}\n${' '.repeat(indent)}>`;
    };
    return { flat, at };
  };

  return write(type, 0).at(0);
}

/** `(10, 2)` for a decimal, `(20)` for text. */
function sizeOf(type: Shape): string {
  const [precision, scale, length] = [type['precision'], type['scale'], type['length']];
  if (typeof precision === 'number')
    return typeof scale === 'number' ? `(${precision}, ${scale})` : `(${precision})`;
  return typeof length === 'number' ? `(${length})` : '';
}
