import { JobGraph } from '@tiding/elements/react';
import { SalesReport } from './sales-report';

const job = {
  rootNodeId: 'flights.daily',
  nodes: [
    { id: 'flights.daily.fetch', task: { name: 'fetch' } },
    { id: 'flights.daily.build', task: { name: 'build', predecessor: 'fetch' } },
  ],
};

export default function Page() {
  return (
    <main>
      <h1>Weekly figures</h1>
      <SalesReport />
      <JobGraph data={job} />
    </main>
  );
}
