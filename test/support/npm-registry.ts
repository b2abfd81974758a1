/** A registry of npm packages for tests: documents, archives and a search, created by the test. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

/** An entry of an archive: a file's text, or another kind of entry. */
export type Entry =
  | string
  | Uint8Array
  | {
      readonly type: 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO';
      readonly linkpath?: string;
    };

/** Makes an archive like npm's; paths are not normalised. */
export function archive(entries: Readonly<Record<string, Entry>>): Buffer {
  const blocks: Buffer[] = [];
  for (const [path, entry] of Object.entries(entries)) {
    const isFile = typeof entry === 'string' || entry instanceof Uint8Array;
    const content = isFile ? Buffer.from(entry as string) : Buffer.alloc(0);
    const block = Buffer.alloc(512);
    new Header({
      path,
      mode: 0o644,
      size: content.length,
      type: isFile ? 'File' : entry.type,
      ...(isFile || entry.linkpath === undefined ? {} : { linkpath: entry.linkpath }),
      mtime: new Date(0),
    }).encode(block, 0);
    blocks.push(block, content, Buffer.alloc((512 - (content.length % 512)) % 512));
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]));
}

/** The contents of a published version. */
interface Published {
  readonly files?: Readonly<Record<string, Entry>>;
  /** Fields of `package.json`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Replaces the computed `dist`. */
  readonly dist?: { readonly tarball?: string; readonly integrity?: string | undefined };
  /** Replaces the archive. */
  readonly content?: Buffer;
}

export interface TestRegistry {
  readonly url: string;
  /** Requested paths. */
  readonly asked: string[];
  publish(name: string, version: string, given?: Published): void;
  /** Called before each request. If it returns true, it has sent the response. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  stop(): Promise<void>;
}

export async function startRegistry(): Promise<TestRegistry> {
  const documents = new Map<
    string,
    {
      name: string;
      'dist-tags': Record<string, string>;
      versions: Record<string, Record<string, unknown>>;
      time: Record<string, string>;
    }
  >();
  const archives = new Map<string, Buffer>();
  const asked: string[] = [];
  const state: { intercept: TestRegistry['intercept'] } = { intercept: undefined };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry');
    asked.push(decodeURIComponent(pathname));
    if (state.intercept?.(request, response)) return;
    const path = decodeURIComponent(pathname.slice(1));
    const json = (value: unknown) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (path === '-/v1/search') {
      const keyword = /^keywords:(.*)$/.exec(searchParams.get('text') ?? '')?.[1] ?? '';
      const has = (versions: Record<string, Record<string, unknown>>) =>
        Object.values(versions).some(
          ({ keywords }) => Array.isArray(keywords) && keywords.includes(keyword),
        );
      json({
        objects: [...documents.values()]
          .filter(({ versions }) => has(versions))
          .map(({ name }) => ({ package: { name } })),
      });
    } else if (documents.has(path)) json(documents.get(path));
    else if (archives.has(path))
      response
        .writeHead(200, { 'Content-Type': 'application/octet-stream' })
        .end(archives.get(path));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    publish(
      name,
      version,
      { files = { 'package/index.js': 'module.exports = 1;\n' }, more = {}, dist, content } = {},
    ) {
      const manifest = { name, version, ...more };
      const made =
        content ?? archive({ 'package/package.json': JSON.stringify(manifest), ...files });
      const path = `${name}/-/${name.split('/').at(-1)!}-${version}.tgz`;
      archives.set(path, made);
      const document = documents.get(name) ?? { name, 'dist-tags': {}, versions: {}, time: {} };
      document['dist-tags']['latest'] = version;
      document.versions[version] = {
        ...manifest,
        dist: {
          tarball: `${url}/${path}`,
          integrity: `sha512-${createHash('sha512').update(made).digest('base64')}`,
          ...dist,
        },
      };
      document.time[version] = `2026-01-0${Object.keys(document.versions).length}T00:00:00.000Z`;
      documents.set(name, document);
    },
    get intercept() {
      return state.intercept;
    },
    set intercept(value) {
      state.intercept = value;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
