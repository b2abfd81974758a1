import { ExternalLink } from 'lucide-react';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Icon } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu/menu-button.tsx';
import { NewTabLink } from '../../ui/new-tab.tsx';

/** Links to the pages that monitor a run's jobs. */
interface RunJobs {
  label: string;
  tooltip: string;
  /** Only http and https URLs. */
  urls: readonly string[];
}

const isWeb = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/**
 * Parses the three notations of `runtimeInfos.jobUrl`: a list of addresses, `{label, tooltip,
 * values: [address]}`, and values `{jobUrl: address}`.
 */
export function readJobs(infos: unknown): RunJobs | undefined {
  const info = (infos as { jobUrl?: unknown } | null | undefined)?.jobUrl;
  if (typeof info !== 'object' || info === null) return undefined;
  const { label, tooltip, values } = (Array.isArray(info) ? { values: info } : info) as {
    label?: unknown;
    tooltip?: unknown;
    values?: unknown;
  };
  const given: unknown[] = Array.isArray(values) ? values : [];
  const urls = given
    .map((value) =>
      typeof value === 'object' && value !== null ? (value as { jobUrl?: unknown }).jobUrl : value,
    )
    .filter(isWeb);
  if (urls.length === 0) return undefined;
  const name = typeof label === 'string' && label !== '' ? label : commonTexts.jobs;
  return {
    label: name,
    tooltip: typeof tooltip === 'string' && tooltip !== '' ? tooltip : name,
    urls,
  };
}

/** Links to the jobs of a run: one link, or a menu for several jobs. */
export function JobLinks({ infos }: { infos: unknown }) {
  const jobs = readJobs(infos);
  if (!jobs) return null;
  const { label, tooltip, urls } = jobs;
  if (urls.length === 1) {
    return (
      <NewTabLink className="job-link truncate" href={urls[0]} title={tooltip}>
        {label}
        <Icon of={ExternalLink} size="xs" />
      </NewTabLink>
    );
  }
  const entries = () =>
    urls.map((url, n) => ({
      label: fill(commonTexts.job, { n }),
      onSelect: () => void window.open(url, '_blank', 'noopener,noreferrer'),
    }));
  return (
    <MenuButton size="sm" label={tooltip} entries={entries}>
      {label}
    </MenuButton>
  );
}
