/** Widgets of an exported result and of an exported data source file, with downloads. */

import type { Client } from '@tiding/client';
import type { WidgetData } from '@tiding/client/widgets';
import { CircleAlert, Download, Map as MapIcon } from 'lucide-react';
import { useEffect, useId } from 'react';
import { formatBytes } from '../../result/parts/numbers.ts';
import { useSelect } from '../../runtime/hooks.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { NewTabLink } from '../../ui/new-tab.tsx';
import type { WidgetModule } from '../contract.ts';
import { Facts, moment, WidgetHead } from '../parts.tsx';
import { count, pluralize } from './format.ts';
import profileSheet from './profile.css';
import { profilesTexts as t } from './texts.ts';
import { type DownloadState, useDownload } from './use-download.ts';

type Result = WidgetData<'exported-result'>;
type File = WidgetData<'exported-file'>;

const DownloadButton = ({
  of: { busy, start },
  disabled,
}: {
  of: ReturnType<typeof useDownload>;
  disabled: boolean;
}) => (
  <Button kind="secondary" icon={Download} busy={busy} disabled={disabled} onClick={start}>
    {busy ? t.downloading : t.download}
  </Button>
);

/** Message about a download. */
function Outcome({ of: { error, saved } }: { of: DownloadState }) {
  return (
    <>
      {error === undefined ? null : (
        <p className="alert" role="alert">
          <Icon of={CircleAlert} size="sm" />
          <span>{error}</span>
        </p>
      )}
      <p className="download-outcome dim" role="status">
        {saved === undefined ? '' : fill(t.saved, { name: saved })}
      </p>
    </>
  );
}

const isCsv = (format: string | undefined): boolean => format?.toLowerCase() === 'delimitedtext';
const formatText = (format: string | undefined): string | undefined =>
  isCsv(format) ? t.csv : format;
/** What a summary says after the name. */
const detailsOf = (format: string | undefined, more: string | undefined): string =>
  [formatText(format), more].map((part) => (part ? `, ${part}` : '')).join('');

/**
 * URL of the map page with the result's address in its fragment; `undefined` if no map page is set
 * or it is not an http(s) address.
 */
export function mapLink(
  mapUrl: string | undefined,
  download: string,
  base: string,
): string | undefined {
  if (!mapUrl || !URL.canParse(mapUrl, base)) return undefined;
  const link = new URL(mapUrl, base);
  if (link.protocol !== 'http:' && link.protocol !== 'https:') return undefined;
  // Append the fragment as text: `URL` would leave some characters unescaped.
  link.hash = '';
  return `${link.href.replace(/#$/, '')}#${encodeURIComponent(download)}`;
}

/** Why nothing can be downloaded. */
const unreachable = (server: string | undefined): string =>
  server === undefined ? t.noServer : commonTexts.noToken;

/** Address of the map page: that of the element, or else of the server. */
function useMapUrl(host: HTMLElement, client: Client | undefined): string | undefined {
  const own =
    (host as HTMLElement & { mapUrl?: string }).mapUrl ?? host.getAttribute('map-url') ?? undefined;
  const config = useSelect(client, (state) => state.config, undefined);
  const isWanted = own === undefined && config === undefined;
  useEffect(() => {
    if (isWanted) client?.administration.magpieConfig().catch(() => {});
  }, [client, isWanted]);
  return own ?? (typeof config?.['mapUrl'] === 'string' ? config['mapUrl'] : undefined);
}

export const exportedResult: WidgetModule<Result> = {
  sheets: [profileSheet],
  describe: ({ resultId, rowCount, format }) => {
    const rows = rowCount === undefined ? '' : pluralize(rowCount, t.row, t.rows);
    return fill(t.resultSummary, { id: resultId ?? '', what: detailsOf(format, rows) });
  },
  View: ({ data, host, client, server }) => {
    const { resultId, format, createTimestamp, rowCount, sizeBytes, query } = data;
    const download = useDownload(async (signal) => {
      // Checks that the result exists; if not, the answer contains the server's message.
      await client!.results.check(resultId!, { signal });
      return client!.results.get(resultId!, {
        signal,
        ...(createTimestamp === undefined ? {} : { createTimestamp }),
      });
    }, t.downloadFailed);
    const hint = useId();
    const mapUrl = useMapUrl(host, client);
    const base = server ?? client?.server;
    const address =
      resultId === undefined || base === undefined
        ? undefined
        : `${new URL(base, document.baseURI).href.replace(/\/+$/, '')}` +
          `/api/magpie/result/${encodeURIComponent(resultId)}`;
    const link =
      isCsv(format) && address !== undefined
        ? mapLink(mapUrl, address, document.baseURI)
        : undefined;
    const why = !isCsv(format) ? t.onlyCsv : link === undefined ? t.noMap : undefined;
    return (
      <>
        <WidgetHead
          widget="exported-result"
          about={client ? undefined : unreachable(server)}
          actions={
            <>
              <DownloadButton of={download} disabled={!client || resultId === undefined} />
              {why === undefined ? (
                <NewTabLink className="button secondary" href={link}>
                  <Icon of={MapIcon} />
                  {t.sendToMap}
                </NewTabLink>
              ) : (
                <span title={why}>
                  <Button
                    kind="secondary"
                    icon={MapIcon}
                    aria-disabled="true"
                    aria-describedby={hint}
                  >
                    {t.sendToMap}
                  </Button>
                  <span id={hint} className="visually-hidden">
                    {why}
                  </span>
                </span>
              )}
            </>
          }
        />
        <Outcome of={download} />
        <Facts
          of={[
            [t.resultId, resultId],
            [t.format, formatText(format)],
            [t.created, moment(createTimestamp)],
            [t.rowCount, rowCount === undefined ? undefined : count(rowCount)],
            [t.size, sizeBytes === undefined || sizeBytes < 0 ? undefined : formatBytes(sizeBytes)],
            [t.query, query],
          ]}
        />
      </>
    );
  },
};

/** Path and details of a file. */
function fileOf({ file }: File): {
  path?: string | undefined;
  fileName?: string | undefined;
  format?: string | undefined;
  compression?: string | undefined;
} {
  return typeof file === 'string' ? { path: file } : (file ?? {});
}

export const exportedFile: WidgetModule<File> = {
  sheets: [profileSheet],
  describe: (data) => {
    const { path, fileName, format } = fileOf(data);
    return fill(t.fileSummary, {
      path: path ?? fileName ?? '',
      what: detailsOf(format, data.dataSourceName),
    });
  },
  View: ({ data, client, server }) => {
    const { path, fileName, format, compression } = fileOf(data);
    // The request contains the whole object, including unknown keys.
    const download = useDownload(
      (signal) =>
        client!.results.file({ ...data, file: { ...fileOf(data), path: path! } }, { signal }),
      t.fileFailed,
    );
    const name = path?.split('/').at(-1) || fileName;
    return (
      <>
        <WidgetHead
          widget="exported-file"
          title={name}
          about={client ? undefined : unreachable(server)}
          actions={<DownloadButton of={download} disabled={!client || !path} />}
        />
        <Outcome of={download} />
        <Facts
          of={[
            [t.dataSource, data.dataSourceName],
            [t.path, path],
            [t.format, formatText(format)],
            [t.compression, compression],
          ]}
        />
      </>
    );
  },
};
