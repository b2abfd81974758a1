// A real portal asks its own backend for a token of the signed-in person; see 'tiding token create'.
const paragraph = document.querySelector('tiding-paragraph');
paragraph.token = () => fetch('token').then((response) => response.text());
paragraph.addEventListener('tiding-run-finished', (event) =>
  console.log('finished', event.detail.status),
);
