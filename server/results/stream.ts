/** Response bodies that are generated while the client reads them. */

/** Yields to other work, so that a long table does not block the server. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => setImmediate(resolve));

/**
 * Converts pieces to a body. A piece is generated when the client has read the one before, and none
 * after the client disconnects. Rejects if the first piece fails, because the response can still
 * report that error.
 */
export async function streamed(
  pieces: AsyncGenerator<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<Uint8Array> | undefined = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = next ?? (await pieces.next());
        next = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
