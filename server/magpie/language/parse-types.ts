/** Parses types and names of objects. */
import type { Reader } from './reader.ts';
import {
  type ObjectType,
  objectTypes,
  type Principal,
  type Ref,
  type Target,
} from './statements.ts';

/** Parses an object type. `suite` is short for `validation suite`. */
export function objectType(reader: Reader): ObjectType {
  return (
    reader.acceptOne(...objectTypes) ??
    (reader.accept('suite') ? 'validation suite' : undefined) ??
    reader.fail(`Expected an object type (${objectTypes.join(', ')}), found ${reader.found()}.`)
  );
}

export function parseName(reader: Reader, type: ObjectType): Ref {
  return type === 'user' ? [reader.userName()] : reader.ref(`name of the ${type}`);
}

/** Parses an object's type and name. */
export function target(reader: Reader): Target {
  const type = objectType(reader);
  return { type, ref: parseName(reader, type) };
}

/** Parses an optional `in TYPE NAME`. */
export function parent(reader: Reader): Target | undefined {
  return reader.accept('in') ? target(reader) : undefined;
}

/** Parses the user, role or organization of a grant. */
export function principal(reader: Reader): Principal {
  const type = reader.expectOne('user', 'role', 'organization');
  return { type, name: type === 'user' ? reader.userName() : reader.name(`name of the ${type}`) };
}

/** Parses `suite NAME`. */
export function suiteName(reader: Reader): Ref {
  if (!reader.acceptOne('validation suite', 'suite'))
    reader.fail(`Expected "suite", found ${reader.found()}.`);
  return reader.ref('name of the suite');
}
