import { ExternalLink } from 'lucide-react';
import { httpAddress } from '../clusters/cluster-text.ts';
import { Icon } from '../ui/button.tsx';
import { NewTabLink } from '../ui/new-tab.tsx';

/** Link to an http(s) address, opened in a new tab. Any other address is displayed as text. */
export function WebLink({ address, children }: { address: string; children?: string }) {
  const followed = httpAddress(address);
  return followed ? (
    <NewTabLink className="link web-link" href={followed}>
      {children ?? address}
      <Icon of={ExternalLink} size="xs" />
    </NewTabLink>
  ) : (
    address
  );
}
