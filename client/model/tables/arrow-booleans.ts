import type { Data } from 'apache-arrow';

/** What writes the buffers of Arrow columns, as the Arrow library has it. */
export interface ArrowAssembler {
  /** The methods of all writers. */
  readonly prototype: {
    visitBool?(data: Data): unknown;
  };
}

/**
 * Makes the Arrow library write columns of booleans that are all missing with the bytes that the
 * format demands. It writes none, and other programs refuse such a file.
 *
 * @param assembler `VectorAssembler` of `apache-arrow/visitor/vectorassembler`
 */
export function writeMissingBooleans({ prototype }: ArrowAssembler): void {
  const write = prototype.visitBool!;
  prototype.visitBool = function visitBool(data: Data) {
    const { length, nullCount } = data;
    const isMissing = length > 0 && nullCount >= length;
    const zeros = { length, nullCount: 0, offset: 0, values: new Uint8Array((length + 7) >> 3) };
    return write.call(this, isMissing ? (zeros as Data) : data);
  };
}
