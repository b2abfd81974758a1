/** Texts about a setting that several parts of the page share. */
import { runMode, runSharing } from '@tiding/client/model';
import type { InterpreterSetting } from '@tiding/client/protocol';
import { fill } from '../text/fill.ts';
import type { Option } from './draft.ts';
import { interpreterTexts as t } from './texts.ts';

/**
 * Describes how a setting runs: `The interpreter will be instantiated Per Note in scoped process`.
 */
export function runSentence(option: Option, signedIn: boolean): string {
  const mode = runMode(option, signedIn);
  const also =
    mode === 'Per User' && (option.perNote === 'scoped' || option.perNote === 'isolated')
      ? ` ${t.also} ${t.sharings[option.perNote]} ${t.end}`
      : '';
  return (
    `${t.lead} ${t.modes[mode]} ${t.in} ${t.sharings[runSharing(option, signedIn)]} ` +
    `${t.end}${also}`
  );
}

/** Short form for a row: `Globally`, `Per Note, scoped`. */
export function runShort(option: Option, signedIn: boolean): string {
  const mode = runMode(option, signedIn);
  return mode === 'Globally'
    ? t.modes[mode]
    : fill(t.short, { mode: t.modes[mode], sharing: t.sharings[runSharing(option, signedIn)] });
}

/**
 * Magic prefixes of a setting: `%spark` for its default interpreter, `%spark.sql` for another one.
 */
export function settingMagics({ name, interpreterGroup = [] }: InterpreterSetting): string[] {
  const main = Math.max(
    0,
    interpreterGroup.findIndex(({ defaultInterpreter }) => defaultInterpreter),
  );
  return interpreterGroup.length === 0
    ? [`%${name}`]
    : [
        `%${name}`,
        ...interpreterGroup.flatMap((each, at) => (at === main ? [] : [`%${name}.${each.name}`])),
      ];
}

/** Whether the name, group or a magic prefix of a setting matches a search term. */
export function matchesSetting(setting: InterpreterSetting, term: string): boolean {
  const wanted = term.trim().toLowerCase();
  return (
    wanted === '' ||
    [setting.name, setting.group ?? '', ...settingMagics(setting)].some((each) =>
      each.toLowerCase().includes(wanted),
    )
  );
}
