/** What was exported: a result, or a file of a data source, to be had as a file. */
import { CircleAlert, Download, Map as MapIcon } from 'lucide-react';
import { useId } from 'react';
import type { WidgetData } from 'tiding/widgets';
import { fill, text } from '../../text/en.ts';
import { Button, Icon } from '../../ui/button.tsx';
import type { WidgetModule } from '../contract.ts';
import { Facts, When, WidgetHead } from '../parts.tsx';
import { bytes, count, many } from './format.ts';
import profileSheet from './profile.css';
import { useDownload, type DownloadState } from './use-download.ts';

const t = text.widgets.profiles;
type Result = WidgetData<'exported-result'>;
type File = WidgetData<'exported-file'>;

/** What came of a download, in words. */
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

/** The map page with the result's address in its fragment; undefined where no page is known, or no address of the web. */
export function mapLink(
  mapUrl: string | undefined,
  download: string,
  base: string,
): string | undefined {
  if (!mapUrl || !URL.canParse(mapUrl, base)) return undefined;
  const link = new URL(mapUrl, base);
  if (link.protocol !== 'http:' && link.protocol !== 'https:') return undefined;
  // The fragment as it stands: URL would leave some characters of it as they are.
  link.hash = '';
  return `${link.href.replace(/#$/, '')}#${encodeURIComponent(download)}`;
}

const mapUrlOf = (host: HTMLElement): string | undefined =>
  (host as HTMLElement & { mapUrl?: string }).mapUrl ?? host.getAttribute('map-url') ?? undefined;

/** A result as a file, and on a map. */
export const exportedResult: WidgetModule<Result> = {
  sheets: [profileSheet],
  describe: ({ resultId, rowCount, format }) => {
    const what = [
      formatText(format),
      rowCount === undefined ? undefined : many(rowCount, t.row, t.rows),
    ]
      .filter((part) => part)
      .map((part) => `, ${part}`)
      .join('');
    return fill(t.resultSummary, { id: resultId ?? '', what });
  },
  View: ({ data, host, client, server }) => {
    const { resultId, format, createTimestamp, rowCount, sizeBytes, query } = data;
    const download = useDownload(async (signal) => {
      // Whether it is there: the answer has the server's words where it is not.
      await client!.results.check(resultId!, { signal });
      return client!.results.get(resultId!, {
        signal,
        ...(createTimestamp === undefined ? {} : { createTimestamp }),
      });
    }, t.downloadFailed);
    const hint = useId();
    const base = server ?? client?.server;
    const address =
      resultId === undefined || base === undefined
        ? undefined
        : `${new URL(base, document.baseURI).href.replace(/\/+$/, '')}/api/magpie/result/${encodeURIComponent(resultId)}`;
    const link =
      isCsv(format) && address !== undefined
        ? mapLink(mapUrlOf(host), address, document.baseURI)
        : undefined;
    const why = !isCsv(format) ? t.onlyCsv : link === undefined ? t.noMap : undefined;
    return (
      <>
        <WidgetHead
          title={text.widgets.names['exported-result']}
          about={client ? undefined : t.noServer}
          actions={
            <>
              <Button
                kind="secondary"
                icon={Download}
                busy={download.busy}
                disabled={!client || resultId === undefined}
                onClick={download.start}
              >
                {download.busy ? t.downloading : t.download}
              </Button>
              {why === undefined ? (
                <a
                  className="button secondary"
                  href={link}
                  target="_blank"
                  rel="noopener noreferrer"
                >
                  <Icon of={MapIcon} />
                  {t.sendToMap}
                </a>
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
            [t.created, createTimestamp === undefined ? undefined : <When at={createTimestamp} />],
            [t.rowCount, rowCount === undefined ? undefined : count(rowCount)],
            [t.size, sizeBytes === undefined || sizeBytes < 0 ? undefined : bytes(sizeBytes)],
            [t.query, query],
          ]}
        />
      </>
    );
  },
};

/** Where a file is, and what is known of it. */
function fileOf({ file }: File): {
  path?: string | undefined;
  fileName?: string | undefined;
  format?: string | undefined;
  compression?: string | undefined;
} {
  return typeof file === 'string' ? { path: file } : (file ?? {});
}

/** A file of a data source. */
export const exportedFile: WidgetModule<File> = {
  sheets: [profileSheet],
  describe: (data) => {
    const { path, fileName, format } = fileOf(data);
    return fill(t.fileSummary, {
      path: path ?? fileName ?? '',
      what: [formatText(format), data.dataSourceName]
        .filter((part) => part)
        .map((part) => `, ${part}`)
        .join(''),
    });
  },
  View: ({ data, client }) => {
    const { path, fileName, format, compression } = fileOf(data);
    // The whole object goes back, with what is not known of it here.
    const download = useDownload(
      (signal) =>
        client!.results.file({ ...data, file: { ...fileOf(data), path: path! } }, { signal }),
      t.fileFailed,
    );
    const name = path?.split('/').at(-1) || fileName;
    return (
      <>
        <WidgetHead
          title={name || text.widgets.names['exported-file']}
          about={client ? undefined : t.noServer}
          actions={
            <Button
              kind="secondary"
              icon={Download}
              busy={download.busy}
              disabled={!client || !path}
              onClick={download.start}
            >
              {download.busy ? t.downloading : t.download}
            </Button>
          }
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
