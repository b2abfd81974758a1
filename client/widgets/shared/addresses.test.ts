import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './addresses.ts';

describe('withoutSecrets', () => {
  it.each([
    [
      'jdbc:postgresql://db:5432/core?user=ana&password=hunter2&ssl=true',
      'jdbc:postgresql://db:5432/core?user=ana&password=…&ssl=true',
    ],
    [
      'jdbc:sqlserver://db:1433;databaseName=core;user=ana;password=hunter2;encrypt=true',
      'jdbc:sqlserver://db:1433;databaseName=core;user=ana;password=…;encrypt=true',
    ],
    ['jdbc:oracle:thin:ana/hunter2@//db:1521/core', 'jdbc:oracle:thin:ana/…@//db:1521/core'],
    ['https://ana:hunter2@files.example/a:b@c', 'https://ana:…@files.example/a:b@c'],
    ['https://ana:hun@ter2@files.example/', 'https://ana:…@files.example/'],
    ['s3a://bucket/x?accessKey=AKIA&secretKey=abc', 's3a://bucket/x?accessKey=…&secretKey=…'],
    ['https://store.example/x?sv=1&sig=abc', 'https://store.example/x?sv=1&sig=…'],
    ['https://x.example/?pass%77ord=hunter2', 'https://x.example/?pass%77ord=…'],
    ['https://x.example/?%E0%A4%A=1&token=', 'https://x.example/?%E0%A4%A=1&token='],
    ['jdbc:duckdb:/data/core.db', 'jdbc:duckdb:/data/core.db'],
    ['not an address', 'not an address'],
  ])('%s', (address, shown) => expect(withoutSecrets(address)).toBe(shown));
});
