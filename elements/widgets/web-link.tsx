import { ExternalLink } from 'lucide-react';
import { httpAddress } from '../clusters/cluster-text.ts';
import { Icon } from '../ui/button.tsx';

/** Link to an http(s) address, opened in a new tab. Any other address is displayed as text. */
export function WebLink({ address, children }: { address: string; children?: string }) {
  const followed = httpAddress(address);
  return followed ? (
    <a className="link web-link" href={followed} target="_blank" rel="noopener noreferrer">
      {children ?? address}
      <Icon of={ExternalLink} size="xs" />
    </a>
  ) : (
    address
  );
}
