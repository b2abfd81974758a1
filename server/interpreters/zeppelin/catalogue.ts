/** Finds the interpreters of Zeppelin in folders of an installation. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import { openPromise } from 'yauzl';
import { type InterpreterProperty, propertyTypes } from '../contract.ts';

const SETTING = 'interpreter-setting.json';
/** Maximum size of that file inside a jar, in bytes. */
const MAX_SETTING = 2 ** 20;
/** Maximum number of jars of a folder that are searched for it. */
const MAX_JARS = 500;
const libraryPattern = /^zeppelin-interpreter-shaded-.*\.jar$/;
/** A magic, as Zeppelin allows it. */
const namePattern = /^\w+(-\w+)*$/;

/** An interpreter of a group: `pyspark` of `spark`. */
export interface ZeppelinInterpreter {
  readonly name: string;
  readonly className: string;
  readonly editor: JsonObject;
}

/** A group of interpreters that share a process. */
export interface ZeppelinGroup {
  readonly name: string;
  /** Folder with its jars. Absolute. */
  readonly folder: string;
  /** Folder that contains the groups. Absolute. */
  readonly home: string;
  /** Its interpreters, the default one first. */
  readonly interpreters: readonly [ZeppelinInterpreter, ...ZeppelinInterpreter[]];
  readonly properties: readonly InterpreterProperty[];
}

/** A folder that can't be used, and why. */
export interface BrokenZeppelinFolder {
  readonly folder: string;
  readonly reason: string;
}

/** Returns the groups in these folders. Of several with the same name, the first counts. */
export async function findZeppelinGroups(
  folders: readonly string[],
): Promise<{ groups: ZeppelinGroup[]; broken: BrokenZeppelinFolder[] }> {
  const groups = new Map<string, ZeppelinGroup>();
  const broken: BrokenZeppelinFolder[] = [];
  for (const given of folders.map((folder) => resolve(folder))) {
    const inner = join(given, 'interpreter');
    const home = existsSync(inner) ? inner : given;
    const names = await readdir(home).catch((error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
      const reason = isMissing ? 'There is no such folder.' : error.message;
      broken.push({ folder: given, reason });
      return undefined;
    });
    if (!names) continue;
    const before = groups.size;
    for (const name of names.sort()) {
      const folder = join(home, name);
      if (!(await stat(folder).catch(() => undefined))?.isDirectory()) continue;
      try {
        const setting = await settingIn(folder);
        if (setting === undefined) continue;
        const group = readGroup(setting, folder, home);
        if (!groups.has(group.name)) groups.set(group.name, group);
      } catch (error) {
        broken.push({ folder, reason: (error as Error).message });
      }
    }
    if (groups.size === before && !broken.some(({ folder }) => folder.startsWith(home)))
      broken.push({ folder: given, reason: `None of its folders has an ${SETTING}.` });
  }
  return { groups: [...groups.values()], broken };
}

/** Returns the settings of a folder, which are beside its jars or inside one of them. */
async function settingIn(folder: string): Promise<string | undefined> {
  const beside = await readFile(join(folder, SETTING), 'utf8').catch(() => undefined);
  if (beside !== undefined) return beside;
  const jars = (await readdir(folder)).filter((name) => name.endsWith('.jar')).sort();
  // The interpreter's own jar is looked at first: others may be many, large, or contain the
  // settings of another group.
  jars.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  for (const jar of jars.slice(0, MAX_JARS)) {
    const found = await settingOfJar(join(folder, jar));
    if (found !== undefined) return found;
  }
  return undefined;
}

const isOwn = (jar: string): boolean =>
  /zeppelin|interpreter/.test(jar) && !jar.includes('-shaded-');

async function settingOfJar(path: string): Promise<string | undefined> {
  const jar = await openPromise(path, { autoClose: false }).catch(() => undefined);
  if (!jar) return undefined;
  try {
    for await (const entry of jar.eachEntry())
      if (entry.fileName === SETTING && entry.uncompressedSize <= MAX_SETTING)
        return await text(await jar.openReadStreamPromise(entry));
    return undefined;
  } finally {
    jar.close();
  }
}

/** Parses an `interpreter-setting.json`. Throws an error that says what is wrong. */
export function readGroup(setting: string, folder: string, home: string): ZeppelinGroup {
  const parsed: unknown = JSON.parse(setting);
  const entries = (Array.isArray(parsed) ? parsed : []).map(jsonObjectOf);
  const group = entries.map((entry) => entry['group']).find((name) => typeof name === 'string');
  if (group === undefined || !namePattern.test(group))
    throw new Error(`Its ${SETTING} names no group.`);
  const properties = new Map<string, InterpreterProperty>();
  for (const entry of entries)
    for (const [key, given] of Object.entries(jsonObjectOf(entry['properties'])))
      if (!properties.has(key)) properties.set(key, propertyOf(key, jsonObjectOf(given)));
  const isDefault = (entry: JsonObject) => entry['defaultInterpreter'] === true;
  const [first, ...others] = entries
    .sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
    .map(({ name, className, editor }) => {
      if (typeof name !== 'string' || typeof className !== 'string' || !namePattern.test(name))
        throw new Error(`An interpreter in its ${SETTING} has no name or no className.`);
      return { name, className, editor: jsonObjectOf(editor) };
    });
  if (!first) throw new Error(`Its ${SETTING} has no interpreters.`);
  return {
    name: group,
    folder,
    home,
    interpreters: [first, ...others],
    properties: [...properties.values()],
  };
}

function propertyOf(name: string, given: JsonObject): InterpreterProperty {
  const { defaultValue, description } = given;
  const variable = typeof given['envName'] === 'string' ? given['envName'] : '';
  const value =
    typeof defaultValue === 'object' || defaultValue === undefined ? '' : String(defaultValue);
  return {
    name,
    type: propertyTypes.find((type) => type === given['type']) ?? 'string',
    // As in Zeppelin, an environment variable of the server comes first.
    defaultValue: (variable && process.env[variable]) || value,
    description: typeof description === 'string' ? description : '',
  };
}

/**
 * Returns the class path of a group; undefined if `zeppelin-interpreter-shaded` is missing. It is
 * beside the group's own jars, in the folder of all groups, or in `lib/interpreter` of the
 * installation.
 */
export async function classPathOf({ folder, home }: ZeppelinGroup): Promise<string[] | undefined> {
  const folders = [folder, home, join(dirname(home), 'lib', 'interpreter')];
  const lists = await Promise.all(folders.map((each) => readdir(each).catch(() => [])));
  if (!lists.flat().some((name) => libraryPattern.test(name))) return undefined;
  // Class files beside the jars, and the configuration of the log.
  const more = [join(folder, 'classes'), join(dirname(home), 'conf')];
  return [
    ...folders
      .filter((_, index) => lists[index]?.some((name) => name.endsWith('.jar')))
      .map((each) => join(each, '*')),
    ...more.filter((each) => existsSync(each)),
  ];
}
