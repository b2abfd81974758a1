/** Makes a Python wheel, a ZIP archive, of a package without compiled parts. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** A ZIP archive of uncompressed files, as of 1 January 1980. */
function zip(files: readonly (readonly [path: string, data: Buffer])[]): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [path, data] of files) {
    const name = Buffer.from(path);
    // Version, flags and method; time and date; checksum; sizes; length of the name.
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    bodies.push(Buffer.from('PK\x03\x04'), fields, name, data);
    entries.push(Buffer.from('PK\x01\x02\x14\0'), fields, place, name);
    at += 30 + name.length + data.length;
  }
  const index = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, index, end]);
}

/** Reads `key = value` of a TOML file whose value is JSON too. */
function tomlValue(toml: string, key: string): unknown {
  const [, value] = new RegExp(`^${key} = (.*)$`, 'm').exec(toml) ?? [];
  return value === undefined ? undefined : JSON.parse(value);
}

/** Makes the wheel of the package whose `pyproject.toml` is in `folder`. */
export async function wheelOf(folder: string): Promise<{ name: string; data: Buffer }> {
  const toml = await readFile(join(folder, 'pyproject.toml'), 'utf8');
  const of = (key: string) => tomlValue(toml, key) as string;
  const version = of('version');
  const distribution = of('name').replaceAll('-', '_');
  const extras = Object.entries({ pandas: tomlValue(toml, 'pandas') as string[] });
  const metadata = [
    'Metadata-Version: 2.4',
    `Name: ${of('name')}`,
    `Version: ${version}`,
    `Summary: ${of('description')}`,
    `License-Expression: ${of('license')}`,
    `Requires-Python: ${of('requires-python')}`,
    ...(tomlValue(toml, 'dependencies') as string[]).map((each) => `Requires-Dist: ${each}`),
    ...extras.flatMap(([extra, needs]) => [
      `Provides-Extra: ${extra}`,
      ...needs.map((each) => `Requires-Dist: ${each}; extra == "${extra}"`),
    ]),
    'Description-Content-Type: text/markdown',
    '',
    await readFile(join(folder, 'README.md'), 'utf8'),
  ].join('\n');
  const info = `${distribution}-${version}.dist-info`;
  const sources = (await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.py$|^py\.typed$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const files: [string, Buffer][] = await Promise.all(
    sources.map(
      async (path): Promise<[string, Buffer]> => [
        path.slice(join(folder, 'src').length + 1).replaceAll('\\', '/'),
        await readFile(path),
      ],
    ),
  );
  files.push([`${info}/METADATA`, Buffer.from(metadata)]);
  files.push([
    `${info}/WHEEL`,
    Buffer.from(
      'Wheel-Version: 1.0\nGenerator: tiding\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
  ]);
  const record = files.map(
    ([path, data]) =>
      `${path},sha256=${createHash('sha256').update(data).digest('base64url')},${data.length}\n`,
  );
  files.push([`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`)]);
  return { name: `${distribution}-${version}-py3-none-any.whl`, data: zip(files) };
}
