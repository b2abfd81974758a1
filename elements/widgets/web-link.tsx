import { ExternalLink } from 'lucide-react';
import { webAddress } from '../clusters/words.ts';
import { Icon } from '../ui/button.tsx';

/** An address of the web to follow in a page of its own; any other stands as it is and leads nowhere. */
export function WebLink({ address, children }: { address: string; children?: string }) {
  const followed = webAddress(address);
  return followed ? (
    <a className="link web-link" href={followed} target="_blank" rel="noopener noreferrer">
      {children ?? address}
      <Icon of={ExternalLink} size="xs" />
    </a>
  ) : (
    <>{address}</>
  );
}
