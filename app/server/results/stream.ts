/** Bodies of answers that are made while they are read. */

/**
 * The pieces as a body: one is made when the reader has taken the one before, and none after he has left. Rejects with
 * what the first piece fails with: that can still be told as the answer.
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
