import { Fragment, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Diagram } from './diagram.tsx';

/** A diagram and the element that shows it. */
interface PlacedDiagram {
  readonly source: string;
  readonly place: HTMLElement;
}

/** Replaces blocks of Mermaid by places for their diagrams. */
function diagramsIn(content: HTMLElement): PlacedDiagram[] {
  return [...content.querySelectorAll('pre > code.language-mermaid')].map((code) => {
    const place = document.createElement('div');
    place.className = 'diagram';
    code.parentElement!.replaceWith(place);
    return { source: code.textContent ?? '', place };
  });
}

/** The diagrams in Markdown, which `box` shows. */
export default function Diagrams({ box, frameUrl }: { box: HTMLElement; frameUrl: string }) {
  const [diagrams, setDiagrams] = useState<readonly PlacedDiagram[]>([]);
  useLayoutEffect(() => {
    setDiagrams(diagramsIn(box));
  }, [box]);
  return diagrams.map(({ source, place }, index) => (
    <Fragment key={index}>
      {createPortal(<Diagram source={source} frameUrl={frameUrl} />, place)}
    </Fragment>
  ));
}
