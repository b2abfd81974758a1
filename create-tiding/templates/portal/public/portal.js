const { server, note, charts } = await (await fetch('api/settings')).json();

const workbench = document.querySelector('tiding-workbench');
workbench.server = server;
workbench.token = () => fetch('api/token', { method: 'POST' }).then((response) => response.text());

for (const id of charts) {
  const paragraph = document.createElement('tiding-paragraph');
  Object.assign(paragraph, { note, paragraph: id, look: 'embed' });
  document.querySelector('.charts').append(paragraph);
}
document.querySelector('tiding-notebook').note = note;

document.querySelector('button').addEventListener('click', () => {
  for (const paragraph of document.querySelectorAll('.charts tiding-paragraph')) paragraph.run();
});
document.addEventListener('tiding-run-finished', ({ detail }) => {
  document.querySelector('output').value = detail.status;
});

// The elements of the Tiding server, always in its version.
await import(`${server}/tiding.js`);
