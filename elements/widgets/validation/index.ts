/** Widgets of validation, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const validationElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-validation-suite',
    'validation-suite',
    'A validation suite: its validators described as text.',
  ),
  widgetElement(
    'tiding-suite-run',
    'suite-run',
    'A run of a validation suite: how many rows passed, failed and were null.',
  ),
];
