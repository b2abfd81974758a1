/* Outputs and their views for browser tests. Not part of the product. */
import type { Output } from '@tiding/client';
import type { ComponentProps } from 'react';
import { ResultView, resultSheets } from './index.ts';
import { mount } from './test-support.tsx';

export const output = (type: string, data: string): Output => ({ type, chunks: [data], count: 1 });
export const tableOf = (data: string): Output => output('TABLE', data);
export const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });

export const people =
  'age\tjob\tbal\n30\tdev\t10\n30\tops\t20\n31\tdev\t5\n31\tdev\tx\n32\tops\t7\n';
export const peopleByAgeAndJob = {
  keys: [column('age', 0)],
  groups: [column('job', 1)],
  values: [column('bal', 2)],
};

type Props = Partial<ComponentProps<typeof ResultView>> & { graph?: object };

/** The outputs of a finished run; `graph` has the settings of the first one. */
export const Result = ({ graph, outputs = [], ...props }: Props) => (
  <ResultView
    outputs={outputs}
    status="FINISHED"
    frameUrl=""
    {...(graph && { config: { results: { 0: { graph } } } })}
    {...props}
  />
);

/** Mounts the outputs of a finished run. */
export const showResult = (outputs: readonly Output[], props: Props = {}, width?: number) =>
  mount(<Result outputs={outputs} {...props} />, resultSheets, width);
