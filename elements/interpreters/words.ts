/** Words about a setting that several parts of the page have. */
import { runMode, runSharing } from 'tiding/model';
import type { InterpreterSetting } from 'tiding/protocol';
import { fill, text } from '../text/en.ts';
import type { Option } from './draft.ts';

const t = text.interpreters;

/** How a setting runs, in one sentence: `The interpreter will be instantiated Per Note in scoped process` */
export function runSentence(option: Option, signedIn: boolean): string {
  const mode = runMode(option, signedIn);
  const also =
    mode === 'Per User' && (option.perNote === 'scoped' || option.perNote === 'isolated')
      ? ` ${t.also} ${t.sharings[option.perNote]} ${t.end}`
      : '';
  return `${t.lead} ${t.modes[mode]} ${t.in} ${t.sharings[runSharing(option, signedIn)]} ${t.end}${also}`;
}

/** The same for a row: `Globally`, `Per Note, scoped`. */
export function runShort(option: Option, signedIn: boolean): string {
  const mode = runMode(option, signedIn);
  return mode === 'Globally'
    ? t.modes[mode]
    : fill(t.short, { mode: t.modes[mode], sharing: t.sharings[runSharing(option, signedIn)] });
}

/** What is written before a script: `%spark` for the default interpreter of a setting, `%spark.sql` for another. */
export function magicsOf({ name, interpreterGroup = [] }: InterpreterSetting): string[] {
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

/** Whether a setting has what a person looks for: its name, group or one of its magics. */
export function matches(setting: InterpreterSetting, term: string): boolean {
  const wanted = term.trim().toLowerCase();
  return (
    wanted === '' ||
    [setting.name, setting.group ?? '', ...magicsOf(setting)].some((each) =>
      each.toLowerCase().includes(wanted),
    )
  );
}
