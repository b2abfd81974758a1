import { Download, Maximize2, Minimize2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { outputText } from 'tiding/client';
import { exportFileName } from 'tiding/model';
import { Button } from '../../ui/button.tsx';
import type { DisplayProps, DownloadFile } from '../contract.ts';
import { Notice } from '../notice.tsx';
import { ResizeHandle } from '../resize-handle.tsx';
import { resultText } from '../text.ts';
import { useFullScreen } from './table/use-full-screen.ts';

const allowed = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]*$/;

/** The source of a picture; null for what is no picture of a kind that is shown. */
export function imageSource(type: string, data: string): string | null {
  const text = data.trim();
  // An SVG inside <img> runs no scripts and loads nothing.
  if (type === 'SVG')
    return text === ''
      ? null
      : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withNamespace(text))}`;
  if (text.startsWith('data:')) return allowed.test(text) ? text : null;
  return /^[\w+/=\s]+$/.test(text) ? `data:image/png;base64,${text.replace(/\s+/g, '')}` : null;
}

/** As an image a document of its own needs the namespace that inline markup may leave out. */
function withNamespace(svg: string): string {
  return /<svg[^>]*\sxmlns\s*=/.test(svg)
    ? svg
    : svg.replace(/<svg\b/, '<svg xmlns="http://www.w3.org/2000/svg"');
}

/** A picture as a file, in the kind it came. */
export function imageFile(
  source: string,
  title: string,
  dateFinished: string | undefined,
): DownloadFile {
  const [head = '', data = ''] = [
    source.slice(0, source.indexOf(',')),
    source.slice(source.indexOf(',') + 1),
  ];
  const type = /^data:([^;]+)/.exec(head)?.[1] ?? 'image/png';
  if (type === 'image/svg+xml')
    return {
      name: exportFileName(title, dateFinished, 'svg'),
      type,
      data: decodeURIComponent(data),
    };
  const bytes = Uint8Array.from(atob(data.replace(/\s+/g, '')), (character) =>
    character.charCodeAt(0),
  );
  return {
    name: exportFileName(
      title,
      dateFinished,
      type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length),
    ),
    type,
    data: bytes,
  };
}

const words = resultText.image;

/** A picture in its natural size, capped to the width there is; in full on demand. */
export function ImageDisplay({
  output,
  title,
  running,
  bare,
  dateFinished,
  download,
  width,
}: DisplayProps) {
  const source = useMemo(() => imageSource(output.type, outputText(output)), [output]);
  const [broken, setBroken] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const [full, setFull] = useFullScreen(box);
  // While data still comes it is half a picture; judge it at the end.
  if (source === null || broken === source) return running ? null : <Notice>{words.failed}</Notice>;
  return (
    <div
      ref={box}
      className={full ? 'image-view full' : 'image-view result-pad'}
      {...(full && { tabIndex: 0, role: 'region', 'aria-label': words.alt(title) })}
    >
      <img
        className="result-image"
        src={source}
        alt={words.alt(title)}
        onError={() => setBroken(source)}
      />
      {!bare && !running && (
        <div className="image-tools" role="group" aria-label={words.tools}>
          <Button
            size="sm"
            icon={Download}
            label={words.download}
            onClick={() => download(imageFile(source, title, dateFinished))}
          />
          <Button
            size="sm"
            icon={full ? Minimize2 : Maximize2}
            label={full ? words.leaveFull : words.full}
            onClick={() => setFull(!full)}
          />
        </div>
      )}
      {width && !full && <ResizeHandle width={width} />}
    </div>
  );
}
