/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const validationWidgets = {
  'validation-suite': async () => (await import('./validators.tsx')).validationSuite,
  validators: async () => (await import('./validators.tsx')).validators,
  'field-selector': async () => (await import('./validators.tsx')).fieldSelectorWidget,
  'table-validation': async () => (await import('./tables.tsx')).tableValidation,
  'schema-validation': async () => (await import('./tables.tsx')).schemaValidation,
  'validated-tables': async () => (await import('./tables.tsx')).validatedTables,
  'suite-run': async () => (await import('./runs.tsx')).suiteRun,
  'validator-runs': async () => (await import('./runs.tsx')).validatorRuns,
} satisfies Partial<WidgetViews>;
