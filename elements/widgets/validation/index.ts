/** Widgets of validation, and the tags for them. */
import { widgetElements } from '../widget-element.ts';

export const validationElements = widgetElements({
  'tiding-validation-suite': 'A validation suite: its validators described as text.',
  'tiding-suite-run': 'A run of a validation suite: how many rows passed, failed and were null.',
});
