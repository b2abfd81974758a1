/*
 * Words of the command language, by group. All groups except types have the same style; `read` and
 * `write` are keywords only after grant and revoke.
 */

/** Words of each group, separated by spaces. */
export const magpieGroups = {
  statement:
    'create describe list alter add drop delete remove with save set in exists from use ' +
    'between about help copy recursive script disable enable reset',
  flow:
    'job project task schedule jobs projects tasks schedules metrics history predecessor ' +
    'start exec execute execution cancel state none notification subscription subscriptions',
  profile: 'profile',
  inference: 'discover relationships',
  metadata:
    'temp temporary repository schema table stream sink field data source repositories ' +
    'schemas tables streams sinks fields sources cascade stop',
  runtime: 'result show blocking cache uncache print export',
  security: 'organization organizations user users password role roles grant revoke usage activity',
  platform:
    'cluster clusters validation secret secrets restart lineage accesstoken admin developer ' +
    'suite suites validator validators validate permissions run runs',
  sql:
    'sql select insert update where and or group by order limit offset having as case then ' +
    'when else end type left right join on outer desc asc union primary key if foreign not ' +
    'references default null inner cross semi anti natural database using',
  sources: 'file files path url',
  functions:
    'avg count first last max min sum ucase lcase mid len round rank now format coalesce ' +
    'ifnull isnull nvl regexp_replace convert cast',
} as const;

/** Type names. */
export const magpieTypes =
  'int numeric decimal date varchar char bigint float double bit binary text timestamp ' +
  'money real number integer';

/** Rights; keywords only where rights are granted or revoked. */
export const magpieRights = 'read write';
