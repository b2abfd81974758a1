/** Kinds of objects and their names, as statements write them. */
import type { Reader } from './reader.ts';
import {
  objectTypes,
  type ObjectType,
  type Principal,
  type Ref,
  type Target,
} from './statements.ts';

/** A kind of object; `suite` alone is a validation suite. */
export function objectType(reader: Reader): ObjectType {
  const found =
    reader.acceptOne(...objectTypes) ?? (reader.accept('suite') ? 'validation suite' : undefined);
  return (
    found ??
    reader.fail(
      `A kind of object is expected here (${objectTypes.join(', ')}), not ${reader.found()}.`,
    )
  );
}

/** The name of an object of a kind. */
export function nameOf(reader: Reader, type: ObjectType): Ref {
  return type === 'user' ? [reader.userName()] : reader.ref(`name of the ${type}`);
}

/** An object by kind and name. */
export function target(reader: Reader): Target {
  const type = objectType(reader);
  return { type, ref: nameOf(reader, type) };
}

/** `in TYPE NAME` where it comes. */
export function parent(reader: Reader): Target | undefined {
  return reader.accept('in') ? target(reader) : undefined;
}

/** Who is granted something. */
export function principal(reader: Reader): Principal {
  const type = reader.expectOne('user', 'role', 'organization');
  return { type, name: type === 'user' ? reader.userName() : reader.name(`name of the ${type}`) };
}
