import '@tiding/elements/job-graph';
import '@tiding/elements/paragraph';
import type {} from '@tiding/elements/types/solid';
import { createSignal } from 'solid-js';

const job = {
  rootNodeId: 'flights.daily',
  nodes: [
    { id: 'flights.daily.fetch', task: { name: 'fetch' } },
    { id: 'flights.daily.build', task: { name: 'build', predecessor: 'fetch' } },
  ],
};
const token = () => fetch('/my-backend/token').then((response) => response.text());

export function App() {
  let paragraph!: HTMLElementTagNameMap['tiding-paragraph'];
  const [status, setStatus] = createSignal('not run yet');
  return (
    <>
      <h1>Weekly figures</h1>
      <button type="button" onClick={() => void paragraph.run()}>
        Run
      </button>
      <tiding-paragraph
        ref={paragraph}
        server="https://notes.example.org"
        note="2XAB9NJRE"
        paragraph="20261121-070135_35893072"
        look="embed"
        token={token}
        on:tiding-run-finished={(event) => setStatus(event.detail.status)}
      />
      <p>Last run: {status()}</p>
      <tiding-job-graph data={job} />
    </>
  );
}
