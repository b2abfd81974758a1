/** Schemas of all widget payloads. */
import type * as z from 'zod/mini';
import { catalogueSchemas } from './catalogue.ts';
import { clusterSchemas } from './clusters.ts';
import { jobSchemas } from './jobs.ts';
import { profileSchemas } from './profiles.ts';
import { securitySchemas } from './security.ts';
import { validationSchemas } from './validation.ts';

/** Schema of each widget's payload, by widget id. */
export const widgetSchemas = {
  ...jobSchemas,
  ...securitySchemas,
  ...profileSchemas,
  ...clusterSchemas,
  ...validationSchemas,
  ...catalogueSchemas,
};
/** Id of a widget: `job-graph`, `data-set-profile`, … */
export type WidgetId = keyof typeof widgetSchemas;
/** Payload of a widget, after reading. */
export type WidgetData<Id extends WidgetId = WidgetId> = z.infer<(typeof widgetSchemas)[Id]>;
/** Ids of all widgets. */
export const widgetIds = Object.keys(widgetSchemas) as readonly WidgetId[];
