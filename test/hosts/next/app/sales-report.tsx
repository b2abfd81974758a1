'use client';
import { Paragraph, TidingProvider } from '@tiding/elements/react';
import { useRef, useState } from 'react';

export function SalesReport() {
  const paragraph = useRef<HTMLElementTagNameMap['tiding-paragraph']>(null);
  const [status, setStatus] = useState('not run yet');
  return (
    <TidingProvider
      server="https://notes.example.org"
      fetchToken={() => fetch('/api/tiding-token').then((response) => response.text())}
    >
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
    </TidingProvider>
  );
}
