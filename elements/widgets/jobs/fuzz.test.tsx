import fc from 'fast-check';
import type { WidgetId } from 'tiding/widgets';
import { same } from '../../result/test-kit.tsx';
import { complaints } from '../../runtime/test-complaints.ts';
import { fuzz } from '../fuzz.ts';
import { jobsWidgets } from './index.ts';

describe('widgets of jobs', () => {
  const heard = complaints();
  it('take any payload', () => fuzz(fc, Object.keys(jobsWidgets) as WidgetId[])).timeout(900_000);
  it('left nothing to complain of', () => same(heard, []));
});
