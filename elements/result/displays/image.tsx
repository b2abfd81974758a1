import { useState } from 'react';
import { outputText } from 'tiding/client';
import type { DisplayProps } from '../contract.ts';
import { Notice } from '../notice.tsx';
import { resultText } from '../text.ts';

const allowed = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]*$/;

/** The source of a picture; null for what is no picture of a kind that is shown. */
export function imageSource(type: string, data: string): string | null {
  const text = data.trim();
  // An SVG inside <img> runs no scripts and loads nothing.
  if (type === 'SVG') return text === '' ? null : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withNamespace(text))}`;
  if (text.startsWith('data:')) return allowed.test(text) ? text : null;
  return /^[\w+/=\s]+$/.test(text) ? `data:image/png;base64,${text.replace(/\s+/g, '')}` : null;
}

/** As an image a document of its own needs the namespace that inline markup may leave out. */
function withNamespace(svg: string): string {
  return /<svg[^>]*\sxmlns\s*=/.test(svg) ? svg : svg.replace(/<svg\b/, '<svg xmlns="http://www.w3.org/2000/svg"');
}

/** A picture in its natural size, capped to the width there is. */
export function ImageDisplay({ output, title, running }: DisplayProps) {
  const source = imageSource(output.type, outputText(output));
  const [broken, setBroken] = useState<string | null>(null);
  // While data still comes it is half a picture; judge it at the end.
  if (source === null || broken === source) return running ? null : <Notice>{resultText.image.failed}</Notice>;
  return (
    <div className="result-pad">
      <img className="result-image" src={source} alt={resultText.image.alt(title)} onError={() => setBroken(source)} />
    </div>
  );
}
