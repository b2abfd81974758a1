/** Files in answers of the server. */

/** A file being downloaded. */
export interface Download {
  /** Suggested file name, for example `magpie_export_20260131_100000.csv`. */
  readonly name: string;
  /** Content type with its parameters, as the server sent it: `text/csv; charset=utf-8`. */
  readonly contentType: string;
  /** Size in bytes, if the server sent it. */
  readonly size: number | undefined;
  /**
   * The response of `fetch`. Read it as a stream, a blob or text; the call's time limit
   * applies until then.
   */
  readonly response: Response;
}

/** @internal Returns type and size of the file in an answer. */
export function about({ headers }: Response): { contentType: string; size: number | undefined } {
  const size = Number(headers.get('Content-Length') ?? NaN);
  return {
    contentType: headers.get('Content-Type') ?? '',
    size: Number.isFinite(size) ? size : undefined,
  };
}

/** @internal Returns the table in an answer as a file, with the time in its name. */
export async function exportedResult(
  response: Response,
  createTimestamp?: number | string,
): Promise<Download> {
  const { exportedResultName } = await import('../model/tables/exported-result-name.ts');
  return {
    name: exportedResultName(response.headers.get('Content-Type') ?? '', createTimestamp),
    ...about(response),
    response,
  };
}
