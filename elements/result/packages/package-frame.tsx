import type { Client } from '@tiding/client';
import type { RefObject } from 'react';
import { isolated } from '../frames/frame-address.ts';
import { resultText } from '../texts.ts';
import { packageFrameUrl } from './package-connection.ts';

interface PackageFrameProps {
  frame: RefObject<HTMLIFrameElement | null>;
  client: Client;
  name: string;
  title: string;
  height: number;
}

/** The sandboxed frame in which a package draws. */
export const PackageFrame = ({ frame, client, name, title, height }: PackageFrameProps) => (
  <iframe
    ref={frame}
    className="package-frame"
    title={resultText.packages.frame(name, title)}
    {...isolated}
    src={packageFrameUrl(client)}
    style={{ height }}
  />
);
