import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import { interpreters } from '../index.ts';
import { kernelInterpreters } from './kernel-interpreter.ts';
import { findKernelspecs, jupyterFolders } from './kernelspecs.ts';

describe('kernelspecs', () => {
  let root: string;
  const write = (parent: string, name: string, spec: unknown): void => {
    const folder = join(root, parent, 'kernels', name);
    mkdirSync(folder, { recursive: true });
    const text = typeof spec === 'string' ? spec : JSON.stringify(spec);
    writeFileSync(join(folder, 'kernel.json'), text);
  };
  const kernel = (language: string, more: object = {}) => ({
    argv: ['run', '-f', '{connection_file}'],
    display_name: language,
    language,
    ...more,
  });
  const find = (...parents: string[]) =>
    findKernelspecs(parents.map((parent) => join(root, parent)));

  beforeEach(() => {
    root = temporaryFolder();
  });

  it("are searched in Jupyter's data folders, configured ones first", () => {
    expect(
      jupyterFolders(['/opt/mine'], { HOME: '/home/ada', JUPYTER_PATH: '/a:/b::relative' }),
    ).toEqual([
      '/opt/mine',
      '/a',
      '/b',
      process.platform === 'darwin'
        ? '/home/ada/Library/Jupyter'
        : '/home/ada/.local/share/jupyter',
      '/usr/local/share/jupyter',
      '/usr/share/jupyter',
    ]);
    expect(jupyterFolders([], { HOME: '/home/ada', JUPYTER_DATA_DIR: '/data' })[0]).toBe('/data');
  });

  it('are sorted by name; the first folder with a name counts', async () => {
    write('one', 'julia-1.11', kernel('julia', { interrupt_mode: 'message', env: { A: '1' } }));
    write('one', 'ir', kernel('R'));
    write('two', 'IR', kernel('R', { display_name: 'second' }));
    const { kernels, broken } = await find('absent', 'one', 'two');
    expect(broken).toEqual([]);
    expect(kernels).toEqual([
      {
        name: 'ir',
        folder: join(root, 'one/kernels/ir'),
        argv: ['run', '-f', '{connection_file}'],
        displayName: 'R',
        language: 'R',
        env: {},
        interruptMode: 'signal',
      },
      expect.objectContaining({ name: 'julia-1.11', env: { A: '1' }, interruptMode: 'message' }),
    ]);
  });

  it('that are damaged are reported and hide no other one', async () => {
    write('one', 'ir', '{');
    write('one', 'noargs', { argv: [], language: 'x' });
    write('one', 'nofile', { argv: ['x'], language: 'x' });
    write('one', 'a b', kernel('x'));
    write('two', 'ir', kernel('R'));
    mkdirSync(join(root, 'two/kernels/empty'));
    const { kernels, broken } = await find('one', 'two');
    expect(kernels.map(({ folder }) => folder)).toEqual([join(root, 'two/kernels/ir')]);
    const reasons = Object.fromEntries(
      broken.map(({ folder, reason }) => [folder.split('/').at(-1), reason]),
    );
    expect(Object.keys(reasons).sort()).toEqual(['ir', 'noargs', 'nofile']);
    expect(reasons['ir']).toMatch(/JSON/);
    expect(reasons['nofile']).toBe('argv must contain {connection_file}.');
  });

  it('become interpreters with the name of the kernel and of its language', async () => {
    write('one', 'ir', kernel('R'));
    write('one', 'ir42', kernel('R'));
    write('one', 'bash', kernel('bash'));
    write('one', 'python3', kernel('python'));
    write('one', 'julia-1.11', kernel('julia'));
    const { kernels } = await find('one');
    const specs = kernelInterpreters(kernels, interpreters);
    expect(
      specs.map(({ name, aliases, shell, editor }) => [name, aliases, shell, editor.language]),
    ).toEqual([
      ['bash_kernel', [], true, 'bash'],
      ['ir', ['r'], undefined, 'r'],
      ['ir42', [], undefined, 'r'],
      ['julia-1.11', ['julia'], undefined, 'julia'],
      ['python3', [], undefined, 'python'],
    ]);
    expect(specs[1]!.description).toBe(`Jupyter kernel R in ${join(root, 'one/kernels/ir')}`);
    expect(specs[1]!.sharing).toEqual({ perNote: 'isolated', perUser: '' });
  });
});
