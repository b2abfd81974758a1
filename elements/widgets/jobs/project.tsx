/** A project with its jobs by name and its run history. */

import type { WidgetData } from '@tiding/client/widgets';
import { useMemo } from 'react';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { jobsTexts } from '../../text/widgets/jobs.ts';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, ObjectLink, RecordTable, WidgetHead, WidgetPart } from '../parts.tsx';
import { historySummary } from './histories.tsx';
import jobsSheet from './jobs.css';
import { JobRuns } from './runs.tsx';

const t = jobsTexts;
type Data = WidgetData<'project'>;

export const project: WidgetModule<Data> = {
  View: ProjectView,
  sheets: [jobsSheet],
  describe: ({ project: of, jobs, history }) =>
    `${fill(t.projectSummary, { name: of?.name ?? '', n: jobs.length })} ` +
    `${historySummary(of?.name ?? '', history)}`,
};

function ProjectView({ data: { project: of, lineage, jobs, history } }: WidgetProps<Data>) {
  const sorted = useMemo(
    () => [...jobs].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? '')),
    [jobs],
  );
  return (
    <>
      <WidgetHead title={of?.name ?? widgetTexts.names['project']} about={of?.description} />
      <Facts
        of={[
          [
            t.repository,
            of?.repositoryName && <ObjectLink widget="repository" name={of.repositoryName} />,
          ],
          [t.id, of?.projectId],
        ]}
      />
      <WidgetPart title={t.jobs} count={jobs.length}>
        <RecordTable
          label={t.jobs}
          rows={sorted}
          columns={[
            {
              label: t.name,
              value: ({ name }) => name,
              cell: ({ name }) => (
                <ObjectLink widget="job" name={name && [of?.name, name].filter(Boolean).join('.')}>
                  {name}
                </ObjectLink>
              ),
            },
            { label: t.description, value: ({ description }) => description },
            { label: t.state, state: ({ state }) => state },
          ]}
        />
      </WidgetPart>
      <WidgetPart title={t.history} count={history.length}>
        <JobRuns runs={history} />
      </WidgetPart>
      <LineagePanel lineage={lineage} />
    </>
  );
}
