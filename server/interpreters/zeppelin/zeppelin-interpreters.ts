/** `%kotlin`, `%jdbc`, `%zeppelin.md`, …: the interpreters of a Zeppelin installation. */
import type { EditorSetting, JsonObject } from '@tiding/client/protocol';
import type { InterpreterSpec, InterpreterVariant } from '../contract.ts';
import { injectProperty } from '../credential-text.ts';
import type { ZeppelinGroup } from './catalogue.ts';
import { processProperties } from './launch.ts';
import { ZeppelinSession } from './zeppelin-session.ts';

/** Groups that run any program, as `%sh` does. */
const shells: readonly string[] = ['sh', 'terminal'];

/**
 * Returns an interpreter for each group. A group whose name is taken gets the prefix `zeppelin.`:
 * the group `md` is `%zeppelin.md`, because `%md` is this server's own.
 */
export function zeppelinInterpreters(
  groups: readonly ZeppelinGroup[],
  others: readonly InterpreterSpec[],
): InterpreterSpec[] {
  // A template has no setting of its own; one that is made comes before a magic of that name.
  const taken = new Set(
    others.flatMap(({ name, aliases = [], isTemplate, variants = {} }) =>
      isTemplate ? [] : [name, ...aliases, ...Object.keys(variants)],
    ),
  );
  const names = new Set(others.map(({ name }) => name));
  const named = groups.map((group) => {
    const isTaken = taken.has(group.name) || names.has(group.name);
    return { group, name: isTaken ? `zeppelin.${group.name}` : group.name };
  });
  for (const { name } of named) taken.add(name);
  return named.map(({ group, name }) => interpreterOf(group, name, taken));
}

function interpreterOf(group: ZeppelinGroup, name: string, taken: Set<string>): InterpreterSpec {
  const [first, ...others] = group.interpreters;
  const variantOf = (editor: JsonObject, isMagic: boolean): InterpreterVariant => ({
    editor: editorOf(editor),
    isMagic,
  });
  const variants = others.map((each) => {
    const isFree = !taken.has(each.name);
    taken.add(each.name);
    return [each.name, variantOf(each.editor, isFree)] as const;
  });
  // As in Zeppelin, the default interpreter also has its own name: %jdbc is %jdbc.sql.
  const own = first.name === name ? [] : [[first.name, variantOf(first.editor, false)]];
  const known = new Set([...processProperties, injectProperty].map((each) => each.name));
  return {
    name,
    description: `Interpreter of Zeppelin in ${group.folder}`,
    variants: Object.fromEntries([...own, ...variants]),
    ...(shells.includes(group.name) ? { shell: true } : {}),
    sessions: true,
    sharesProcess: true,
    properties: [
      ...group.properties.filter((each) => !known.has(each.name)),
      ...processProperties,
      injectProperty,
    ],
    editor: editorOf(first.editor),
    create: (host) => new ZeppelinSession(host, group, name),
  };
}

function editorOf(given: JsonObject): EditorSetting {
  const { language, editOnDblClick, completionKey, completionSupport } = given;
  return {
    language: typeof language === 'string' ? language : 'text',
    editOnDblClick: editOnDblClick === true,
    completionKey: typeof completionKey === 'string' ? completionKey : 'TAB',
    completionSupport: completionSupport !== false,
  };
}
