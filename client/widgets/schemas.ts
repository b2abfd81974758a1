/** All payloads by the name of their widget. */
import type * as z from 'zod/mini';
import { catalogueSchemas } from './catalogue.ts';
import { clusterSchemas } from './clusters.ts';
import { jobSchemas } from './jobs.ts';
import { profileSchemas } from './profiles.ts';
import { securitySchemas } from './security.ts';
import { validationSchemas } from './validation.ts';

/** The schema of each widget's payload; a new widget is one line in one of these tables. */
export const widgetSchemas = {
  ...jobSchemas,
  ...securitySchemas,
  ...profileSchemas,
  ...clusterSchemas,
  ...validationSchemas,
  ...catalogueSchemas,
};
/** What names a widget: `job-graph`, `data-set-profile`, … */
export type WidgetId = keyof typeof widgetSchemas;
/** What a widget shows. */
export type WidgetData<Id extends WidgetId = WidgetId> = z.infer<(typeof widgetSchemas)[Id]>;
/** All of them, by name. */
export const widgetIds = Object.keys(widgetSchemas) as readonly WidgetId[];
