import { JobGraph, Paragraph, TidingProvider } from '@tiding/elements/react';
import { useRef, useState } from 'react';

const job = {
  rootNodeId: 'flights.daily',
  nodes: [
    { id: 'flights.daily.fetch', task: { name: 'fetch' } },
    { id: 'flights.daily.build', task: { name: 'build', predecessor: 'fetch' } },
  ],
};

export function App() {
  const paragraph = useRef<HTMLElementTagNameMap['tiding-paragraph']>(null);
  const [status, setStatus] = useState('not run yet');
  return (
    <TidingProvider
      server="https://notes.example.org"
      fetchToken={() => fetch('/my-backend/token').then((response) => response.text())}
    >
      <h1>Weekly figures</h1>
      <button type="button" onClick={() => void paragraph.current?.run()}>
        Run
      </button>
      <Paragraph
        ref={paragraph}
        note="2XAB9NJRE"
        paragraph="20261121-070135_35893072"
        look="embed"
        onTidingRunFinished={(event) => setStatus(event.detail.status)}
      />
      <p>Last run: {status}</p>
      <JobGraph data={job} />
    </TidingProvider>
  );
}
