/** Types of Thrift values as data, from which the types of TypeScript follow. */

/** A type of a value. Maps have text as keys. */
export type ThriftType =
  | 'i32'
  | 'string'
  | 'binary'
  | { readonly list: ThriftType }
  | { readonly map: ThriftType }
  | { readonly struct: ThriftFields };

/** Fields by name, each with its number and type. All are optional. */
export interface ThriftFields {
  readonly [name: string]: readonly [id: number, type: ThriftType];
}

/** A method of a service. */
export interface ThriftMethod {
  readonly args: ThriftFields;
  /** Type of the result. Absent: it returns nothing. */
  readonly result?: ThriftType;
  /** Whether the method declares an exception, which has a text. Default: true. */
  readonly throws?: boolean;
}

/** Methods by name. */
export interface ThriftService {
  readonly [name: string]: ThriftMethod;
}

export type ThriftValue<T> = T extends 'i32'
  ? number
  : T extends 'string'
    ? string
    : T extends 'binary'
      ? Uint8Array
      : T extends { readonly list: infer E }
        ? ThriftValue<E>[]
        : T extends { readonly map: infer E }
          ? Record<string, ThriftValue<E>>
          : T extends { readonly struct: infer F }
            ? ThriftStruct<F>
            : never;

/** The value of a struct. A field that the other side did not set is absent. */
export type ThriftStruct<F> = {
  -readonly [K in keyof F]?: F[K] extends readonly [number, infer T]
    ? ThriftValue<T> | undefined
    : never;
};

/** Arguments of a method. */
export type ThriftArgs<M extends ThriftMethod> = ThriftStruct<M['args']>;
export type ThriftResult<M extends ThriftMethod> = M extends { readonly result: infer T }
  ? ThriftValue<T>
  : void;
