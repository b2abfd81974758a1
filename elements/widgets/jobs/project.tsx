/** A project with its jobs by name and its run history. */

import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { NamesPart } from '../names.tsx';
import { Facts, WidgetHead, WidgetPart } from '../parts.tsx';
import { dottedName } from '../sentences.ts';
import { historySummary } from './histories.tsx';
import jobsSheet from './jobs.css';
import { JobRuns } from './runs.tsx';
import { jobsTexts as t } from './texts.ts';

export const project: WidgetModule<WidgetData<'project'>> = {
  sheets: [jobsSheet],
  describe: ({ project: of, jobs, history }) =>
    `${fill(t.projectSummary, { name: of?.name ?? '', n: jobs.length })} ` +
    `${historySummary(of?.name ?? '', history)}`,
  View: ({ data: { project: of, lineage, jobs, history } }) => (
    <>
      <WidgetHead widget="project" of={of} />
      <Facts
        of={[
          [t.repository, of?.repositoryName, 'repository'],
          [t.id, of?.projectId],
        ]}
      />
      <NamesPart
        title={t.jobs}
        widget="job"
        of={jobs}
        texts={t}
        to={({ name }) => dottedName(of?.name, name)}
        more={[{ label: t.state, state: ({ state }) => state }]}
      />
      <WidgetPart title={t.history} count={history.length}>
        <JobRuns runs={history} />
      </WidgetPart>
      <LineagePanel lineage={lineage} />
    </>
  ),
};
