/** What is said of an event of use (specification). */
import type { WidgetData } from './schemas.ts';

/** Somebody used a right, or tried to. */
export type UsageEvent = WidgetData<'usage-events'>['events'][number];

const is = (event: UsageEvent, type: string): boolean => event.eventType?.toLowerCase() === type;

/** `Succeeded` where nothing says that it was refused, else `Failed`. */
export function usageState({ isSuccess }: Pick<UsageEvent, 'isSuccess'>): 'Succeeded' | 'Failed' {
  return isSuccess === undefined || isSuccess ? 'Succeeded' : 'Failed';
}

/** Which right was used: the role of an event of type GlobalRole, Read for Result. */
export function usagePermission(event: UsageEvent): string | undefined {
  if (is(event, 'globalrole')) return event.role;
  return is(event, 'result') ? 'Read' : event.permissionType;
}

/** What it was used on, dotted; several things are beside each other: `core.trips`, `flights.daily_load`, `lake`. */
export function usageObject({
  dataSourceName,
  schemaName,
  structureName,
  projectName,
  jobName,
}: UsageEvent): string {
  return [[dataSourceName], [schemaName, structureName], [projectName, jobName]]
    .map((parts) => parts.filter(Boolean).join('.'))
    .filter(Boolean)
    .join(', ');
}
