import '@tiding/elements/job-graph';
import '@tiding/elements/paragraph';

const paragraph = document.querySelector('tiding-paragraph')!;
paragraph.look = 'embed';
paragraph.token = () => fetch('/my-backend/token').then((response) => response.text());
paragraph.addEventListener('tiding-run-finished', ({ detail }) => {
  document.querySelector('output')!.value = detail.status;
});
document.querySelector('#run')!.addEventListener('click', () => paragraph.run());
