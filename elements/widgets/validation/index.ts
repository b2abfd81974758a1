/** Widgets of this family, and the tags that people place for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import type { WidgetViews } from '../contract.ts';
import { widgetElement } from '../widget-element.ts';

export const validationWidgets = {
  'validation-suite': () =>
    import('./validators.tsx').then(({ validationSuite }) => validationSuite),
  validators: () => import('./validators.tsx').then(({ validators }) => validators),
  'field-selector': () => import('./field-selector.tsx').then(({ fieldSelector }) => fieldSelector),
  'table-validation': () => import('./tables.tsx').then(({ tableValidation }) => tableValidation),
  'schema-validation': () =>
    import('./tables.tsx').then(({ schemaValidation }) => schemaValidation),
  'validated-tables': () => import('./tables.tsx').then(({ validatedTables }) => validatedTables),
  'suite-run': () => import('./runs.tsx').then(({ suiteRun }) => suiteRun),
  'validator-runs': () => import('./runs.tsx').then(({ validatorRuns }) => validatorRuns),
} satisfies Partial<WidgetViews>;

export const validationElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-validation-suite',
    'validation-suite',
    'A validation suite: its validators in words.',
  ),
  widgetElement(
    'tiding-suite-run',
    'suite-run',
    'A run of a validation suite: how many rows passed, failed and were neither.',
  ),
];
