const paragraph = document.querySelector('tiding-paragraph');
paragraph.token = () => fetch('/my-backend/token').then((response) => response.text());
paragraph.addEventListener('tiding-run-finished', ({ detail }) => {
  document.querySelector('#status').value = detail.status;
});
document.querySelector('#run').addEventListener('click', () => paragraph.run());
