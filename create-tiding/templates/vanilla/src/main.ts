// Types only: the code of the elements comes from the script tag.
import type {} from '@tiding/elements/paragraph';

const paragraph = document.querySelector('tiding-paragraph')!;
const button = document.querySelector('button')!;
const status = document.querySelector('output')!;

paragraph.token = () => fetch('/tiding-token').then((response) => response.text());
paragraph.addEventListener('tiding-run-finished', ({ detail }) => {
  status.value = detail.status;
});
button.addEventListener('click', () => void paragraph.run());
