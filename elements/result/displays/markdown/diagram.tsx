import { scriptJson } from '@tiding/client/model';
import { useMemo } from 'react';
import { resultText } from '../../texts.ts';
import { FrameView } from '../frame-view.tsx';

/** Type of the description that the frame's page draws. */
const MERMAID = 'application/vnd.mermaid';

/** A diagram of Mermaid, drawn in a frame of the server. With an error, its source is shown. */
export function Diagram({ source, frameUrl }: { source: string; frameUrl: string }) {
  const output = useMemo(() => {
    const json = scriptJson({ source });
    const text = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const html =
      `<tiding-chart><script type="${MERMAID}">${json}</script>` +
      `<pre>${text}</pre></tiding-chart>`;
    return { type: 'HTML', chunks: [html], count: 1 };
  }, [source]);
  return (
    <FrameView
      html={output.chunks[0]!}
      // No script of the note runs there, so the page needs no trust in the note.
      url={`${frameUrl.replace(/\/still$/, '')}/mermaid`}
      title={resultText.html.diagram}
      output={output}
      errorText={resultText.html.diagramError}
    />
  );
}
