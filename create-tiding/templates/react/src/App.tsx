import { Paragraph, TidingProvider } from '@tiding/elements/react';
import { useRef, useState } from 'react';

const { VITE_TIDING_SERVER, VITE_TIDING_NOTE, VITE_TIDING_PARAGRAPH } = import.meta.env;
const fetchToken = () => fetch('/tiding-token').then((response) => response.text());

export function App() {
  const paragraph = useRef<HTMLElementTagNameMap['tiding-paragraph']>(null);
  const [status, setStatus] = useState('not run yet');
  return (
    <TidingProvider server={VITE_TIDING_SERVER} fetchToken={fetchToken}>
      <h1>Live paragraph</h1>
      <button type="button" onClick={() => void paragraph.current?.run()}>
        Run
      </button>
      <Paragraph
        ref={paragraph}
        note={VITE_TIDING_NOTE}
        paragraph={VITE_TIDING_PARAGRAPH}
        look="embed"
        onTidingRunFinished={(event) => setStatus(event.detail.status)}
      />
      <p>Last run: {status}</p>
    </TidingProvider>
  );
}
