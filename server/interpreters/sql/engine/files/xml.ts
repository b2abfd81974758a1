/** Reads XML as a stream. */
import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { FileProblem } from './problem.ts';

/** Handlers of an XML document. Names have no prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Called after each piece. The next one is read when it resolves. */
  pause?(): Promise<void> | undefined;
}

/** Describes an error of the reader of ZIP archives, or of its decompression. */
export const damagedZip = (error: unknown) =>
  new FileProblem(`is damaged: ${(error as Error).message.replace(/\.$/, '')}.`);

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads a document to its end. Throws a {@link FileProblem} if it is no XML. */
export async function readXml(stream: Readable, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw new FileProblem(`is damaged: ${error.message}.`);
  });
  parser.on('opentag', ({ name, attributes }) => handlers.open?.(localName(name), attributes));
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('closetag', ({ name }) => handlers.close?.(localName(name)));
  stream.setEncoding('utf8');
  try {
    for await (const piece of stream) {
      parser.write(piece as string);
      await handlers.pause?.();
    }
  } catch (error) {
    throw error === stream.errored ? damagedZip(error) : error;
  }
  parser.close();
}
