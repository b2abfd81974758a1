const words = (text: string): readonly string[] => text.split(' ');

/**
 * Keywords of the `%magpie` command language by group, for syntax highlighting. A word may be in
 * several groups; case is ignored.
 */
export const magpieKeywords = {
  statement: words(
    'create describe list alter add drop delete remove with save set in exists from use ' +
      'between about help copy recursive script disable enable reset',
  ),
  flow: words(
    'job project task schedule jobs projects tasks schedules metrics history predecessor ' +
      'start exec execute execution cancel state none notification subscription subscriptions',
  ),
  profile: words('profile'),
  inference: words('discover relationships'),
  metadata: words(
    'temp temporary repository schema table stream sink field data source repositories ' +
      'schemas tables streams sinks fields sources cascade start stop',
  ),
  runtime: words('result show blocking cache uncache print export'),
  security: words(
    'organization organizations user users password role roles grant revoke usage activity',
  ),
  added: words(
    'cluster clusters validation secret secrets restart lineage accesstoken admin developer ' +
      'read write suite suites validator validators validate permissions run runs',
  ),
  sql: words(
    'sql select insert update delete from where and or group by order limit offset having as ' +
      'case then when else end type left right join on outer desc asc union table primary key ' +
      'if foreign not references default null inner cross semi anti natural database using',
  ),
  sources: words('file files path url'),
  functions: words(
    'avg count first last max min sum ucase lcase mid len round rank now format coalesce ' +
      'ifnull isnull nvl regexp_replace convert cast',
  ),
  types: words(
    'int numeric decimal date varchar char bigint float double bit binary text set timestamp ' +
      'money real number integer',
  ),
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a group of {@link magpieKeywords}. */
export type MagpieKeywordGroup = keyof typeof magpieKeywords;

/** Words that are keywords only after `grant` and `revoke`. */
export const magpieGrantKeywords: ReadonlySet<string> = new Set(
  words('read write admin developer accesstoken'),
);

const types: ReadonlySet<string> = new Set(magpieKeywords.types);
const functions: ReadonlySet<string> = new Set(magpieKeywords.functions);
const statements: ReadonlySet<string> = new Set(
  Object.entries(magpieKeywords).flatMap(([group, all]) =>
    group === 'types' || group === 'functions' ? [] : all,
  ),
);

/**
 * Classifies a word of a script: `keyword` (all keyword groups have the same style), `function`,
 * `type`, or `undefined` for a name. `set`, which is both a keyword and a type, counts as a
 * keyword.
 */
export function magpieWordKind(word: string): 'keyword' | 'function' | 'type' | undefined {
  const known = word.toLowerCase();
  if (statements.has(known)) return 'keyword';
  if (types.has(known)) return 'type';
  return functions.has(known) ? 'function' : undefined;
}
