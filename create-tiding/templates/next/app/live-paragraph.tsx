'use client';
import type { TidingEvent } from '@tiding/elements';
import { useEffect, useRef, useState } from 'react';

/** Registers the element. Only browsers can do that, so it is not imported above. */
const load = () => import('@tiding/elements/paragraph');

/** Shows the result that the server rendered. It becomes live when the script is loaded. */
export function LiveParagraph({ snapshot }: { snapshot: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState('not run yet');

  useEffect(() => {
    const paragraph = place.current?.querySelector('tiding-paragraph');
    if (!paragraph) return undefined;
    const finished = ({ detail }: TidingEvent<'tiding-run-finished'>) => setStatus(detail.status);
    paragraph.token = () => fetch('/tiding-token').then((response) => response.text());
    paragraph.addEventListener('tiding-run-finished', finished);
    void load();
    return () => paragraph.removeEventListener('tiding-run-finished', finished);
  }, []);

  const run = async () => {
    await load();
    await place.current?.querySelector('tiding-paragraph')?.run();
  };
  return (
    <>
      <button type="button" onClick={() => void run()}>
        Run
      </button>
      <div ref={place} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: snapshot }} />
      <p>Last run: {status}</p>
    </>
  );
}
