import { outputText } from '@tiding/client';
import { exportFileName } from '@tiding/client/model';
import { Download, Maximize2, Minimize2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { DisplayProps, DownloadFile } from '../contract.ts';
import { Notice } from '../parts/notice.tsx';
import { ResizeHandle } from '../parts/resize-handle.tsx';
import { resultText } from '../texts.ts';
import { useFullScreen } from './table-result/use-full-screen.ts';

const allowed = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]*$/;

/** Returns the `src` of an image output; null if the data isn't a supported image. */
export function imageSource(type: string, data: string): string | null {
  const text = data.trim();
  // An SVG inside <img> runs no scripts and loads no resources.
  if (type === 'SVG')
    return text === ''
      ? null
      : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withNamespace(text))}`;
  if (text.startsWith('data:')) return allowed.test(text) ? text : null;
  return /^[\w+/=\s]+$/.test(text) ? `data:image/png;base64,${text.replace(/\s+/g, '')}` : null;
}

/** Adds the SVG namespace, which inline markup may omit but a standalone document needs. */
function withNamespace(svg: string): string {
  return /<svg[^>]*\sxmlns\s*=/.test(svg)
    ? svg
    : svg.replace(/<svg\b/, '<svg xmlns="http://www.w3.org/2000/svg"');
}

/** Converts an image source to a downloadable file of the same format. */
export function imageFile(
  source: string,
  title: string,
  dateFinished: string | undefined,
): DownloadFile {
  const comma = source.indexOf(',');
  const type = /^data:([^;]+)/.exec(source.slice(0, comma))?.[1] ?? 'image/png';
  const text = source.slice(comma + 1);
  const isSvg = type === 'image/svg+xml';
  const ending = isSvg ? 'svg' : type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
  return {
    name: exportFileName(title, dateFinished, ending),
    type,
    data: isSvg
      ? decodeURIComponent(text)
      : Uint8Array.from(atob(text.replace(/\s+/g, '')), (each) => each.charCodeAt(0)),
  };
}

const uiText = resultText.image;

/** Shows an image at its natural size, limited to the available width; the user can enlarge it. */
export default function ImageDisplay({
  output,
  title,
  running,
  bare,
  dateFinished,
  download,
  width,
}: Pick<DisplayProps, 'output' | 'title' | 'running' | 'bare'> &
  Partial<Pick<DisplayProps, 'dateFinished' | 'download' | 'width'>>) {
  const source = useMemo(() => imageSource(output.type, outputText(output)), [output]);
  const [broken, setBroken] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const [full, setFull] = useFullScreen(box);
  // While the output is incomplete, the image data is too; report an error only at the end.
  if (source === null || broken === source)
    return running ? null : <Notice>{uiText.failed}</Notice>;
  return (
    <div
      ref={box}
      className={full ? 'image-view full' : 'image-view result-pad'}
      {...(full && { tabIndex: 0, role: 'region', 'aria-label': uiText.alt(title) })}
    >
      <img
        className="result-image"
        src={source}
        alt={uiText.alt(title)}
        onError={() => setBroken(source)}
      />
      {!bare && !running && (
        <div className="image-tools" role="group" aria-label={uiText.tools}>
          <Button
            size="sm"
            icon={Download}
            label={uiText.download}
            onClick={() => download?.(imageFile(source, title, dateFinished))}
          />
          <Button
            size="sm"
            icon={full ? Minimize2 : Maximize2}
            label={full ? uiText.leaveFull : uiText.full}
            onClick={() => setFull(!full)}
          />
        </div>
      )}
      {width && !full && <ResizeHandle width={width} />}
    </div>
  );
}
