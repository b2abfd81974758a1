import type { WidgetId } from '@tiding/client/widgets';
import fc from 'fast-check';
import { same } from '../../result/test-support.tsx';
import { pageErrors } from '../../runtime/test-page-errors.ts';
import { fuzz } from '../fuzz.ts';
import { jobsWidgets } from './views.ts';

describe('job widgets', () => {
  const heard = pageErrors();
  it('accept any payload [O2]', () => fuzz(fc, Object.keys(jobsWidgets) as WidgetId[])).timeout(
    900_000,
  );
  it('logged no errors', () => same(heard, []));
});
