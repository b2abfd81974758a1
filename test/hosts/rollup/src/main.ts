import '@tiding/elements/job-graph';
import '@tiding/elements/paragraph';

const paragraph = document.querySelector('tiding-paragraph')!;
paragraph.look = 'embed';
paragraph.token = () => fetch('/my-backend/token').then((response) => response.text());
paragraph.addEventListener('tiding-run-finished', ({ detail }) => {
  document.querySelector('output')!.value = detail.status;
});
document.querySelector('button')!.addEventListener('click', () => void paragraph.run());

document.querySelector('tiding-job-graph')!.data = {
  rootNodeId: 'flights.daily',
  nodes: [
    { id: 'flights.daily.fetch', task: { name: 'fetch' } },
    { id: 'flights.daily.build', task: { name: 'build', predecessor: 'fetch' } },
  ],
};
