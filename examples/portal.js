// A real portal gets a token for the signed-in user from its backend; see 'tiding token create'.
const paragraph = document.querySelector('tiding-paragraph');
paragraph.token = () => fetch('token').then((response) => response.text());
paragraph.addEventListener('tiding-run-finished', (event) =>
  console.log('finished', event.detail.status),
);
