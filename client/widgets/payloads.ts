/** Types of payloads for programs that send them, derived from the schemas. */
import type { WidgetData, WidgetId } from './schemas.ts';

/**
 * A part of a payload before it is sent. Compared with the type that reading returns, lists may be
 * missing and count as empty, and `Null` counts as a missing value.
 */
export type PayloadOf<Data, Null = null> = Data extends readonly (infer Item)[]
  ? readonly PayloadOf<Item, Null>[]
  : Data extends object
    ? string extends keyof Data
      ? Data
      : {
          readonly [Key in keyof Data as IsOptional<Data[Key]> extends true ? Key : never]?:
            | PayloadOf<Data[Key], Null>
            | Null
            | undefined;
        } & {
          readonly [Key in keyof Data as IsOptional<Data[Key]> extends true
            ? never
            : Key]: PayloadOf<Data[Key], Null>;
        }
    : Data;

type IsOptional<Value> = undefined extends Value
  ? true
  : Value extends readonly unknown[]
    ? true
    : false;

/** The payload of a widget before it is sent. */
export type WidgetPayload<Id extends WidgetId> = PayloadOf<WidgetData<Id>>;

/**
 * Keys of `Given`, at any depth, that a payload of type `Shape` does not have; `never` if there are
 * none. TypeScript itself reports unknown keys only in object literals.
 */
export type UnknownKeys<Shape, Given> = unknown extends Shape
  ? never
  : Given extends readonly (infer Item)[]
    ? UnknownKeys<Shape extends readonly (infer Element)[] ? Element : never, Item>
    : Given extends object
      ? string extends KeyOf<Shape>
        ? never
        : [keyof Given] extends [never]
          ? 'untyped object'
          : {
              [Key in keyof Given & string]-?: Key extends KeyOf<Shape>
                ? UnknownKeys<ValueOf<Shape, Key>, Given[Key]>
                : Key;
            }[keyof Given & string]
      : never;

type KeyOf<Shape> = Shape extends readonly unknown[]
  ? never
  : Shape extends object
    ? keyof Shape
    : never;
type ValueOf<Shape, Key> = Shape extends object
  ? Key extends keyof Shape
    ? Shape[Key]
    : never
  : never;

/**
 * Refuses unknown keys in a payload: intersect the type of the payload with it.
 *
 * @example
 * declare function send<Id extends WidgetId, Data extends WidgetPayload<Id>>(
 *   id: Id,
 *   data: Data & StrictPayload<Id, Data>,
 * ): void;
 */
export type StrictPayload<Id extends WidgetId, Data> = [UnknownKeys<WidgetData<Id>, Data>] extends [
  never,
]
  ? unknown
  : { readonly unknownKeys: UnknownKeys<WidgetData<Id>, Data> };

/**
 * A payload type with some members narrowed, for example to required ones. Members that the payload
 * does not have, or with an incompatible type, do not compile.
 */
export type NarrowPayload<
  Payload,
  Members extends { readonly [Key in keyof Members]: ValueOf<Payload, Key> },
> = Readonly<Omit<Payload, keyof Members> & Members>;
