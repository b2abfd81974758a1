/** Colours of states (specification): a word that is not known has the default one; upper and lower case say the same. */

/** Colour of a badge. */
export type Badge = 'success' | 'danger' | 'warning' | 'info' | 'default';

const of = (table: Readonly<Record<string, Badge>>): ((word: string | undefined) => Badge) => {
  const known = new Map(Object.entries(table).map(([word, badge]) => [word.toLowerCase(), badge]));
  return (word) => known.get(word?.toLowerCase() ?? '') ?? 'default';
};

/** Of an action, a run, a cluster or a stage. */
export const stateBadge = of({
  Succeeded: 'success',
  Running: 'success',
  Finished: 'success',
  Failed: 'danger',
  Preparing: 'info',
  InProgress: 'info',
  Provisioning: 'info',
  Bootstrapping: 'info',
  Stopping: 'info',
});
/** Of a cluster's driver and workers. */
export const healthBadge = of({ Healthy: 'success', Degraded: 'warning', Unhealthy: 'danger' });

const jobEvents = of({
  JobFinish: 'success',
  TaskFinish: 'success',
  JobFailed: 'danger',
  TaskFailed: 'danger',
  MetadataError: 'danger',
  ExecutionError: 'danger',
  JobStart: 'info',
  TaskStart: 'info',
});
const quiet = new Set(['stagestarted', 'instancebootstrappingstarted']);
/** Of an entry of a log: of a job, or of a cluster, where endings tell. */
export function logBadge(eventType: string | undefined): Badge {
  const job = jobEvents(eventType);
  if (job !== 'default') return job;
  const type = eventType?.toLowerCase() ?? '';
  if (type.endsWith('failed')) return 'danger';
  if (quiet.has(type)) return 'default';
  return /(finished|started|stopped)$/.test(type) ? 'success' : 'default';
}

/** Of a relationship's score, 0 to 1: above 0.8 is good, above 0.65 doubtful. */
export const scoreBadge = (score: number | undefined): Badge =>
  (score ?? 0) > 0.8 ? 'success' : (score ?? 0) > 0.65 ? 'warning' : 'danger';
