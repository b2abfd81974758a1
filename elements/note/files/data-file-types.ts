/** Endings of files that a paragraph can read, for a file field. */
export const DATA_FILE_TYPES =
  '.csv,.tsv,.json,.ndjson,.jsonl,.gz,.parquet,.arrow,.xlsx,.xlsm,.sqlite,.sqlite3,.db,' +
  '.png,.jpg,.jpeg,.gif,.webp,.svg';
