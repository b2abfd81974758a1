/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const validationWidgets = {
  'validation-suite': () =>
    import('./validators.tsx').then(({ validationSuite }) => validationSuite),
  validators: () => import('./validators.tsx').then(({ validators }) => validators),
  'field-selector': () =>
    import('./validators.tsx').then(({ fieldSelectorWidget: fieldSelector }) => fieldSelector),
  'table-validation': () => import('./tables.tsx').then(({ tableValidation }) => tableValidation),
  'schema-validation': () =>
    import('./tables.tsx').then(({ schemaValidation }) => schemaValidation),
  'validated-tables': () => import('./tables.tsx').then(({ validatedTables }) => validatedTables),
  'suite-run': () => import('./runs.tsx').then(({ suiteRun }) => suiteRun),
  'validator-runs': () => import('./runs.tsx').then(({ validatorRuns }) => validatorRuns),
} satisfies Partial<WidgetViews>;
