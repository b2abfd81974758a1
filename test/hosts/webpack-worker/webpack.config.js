import { join } from 'node:path';

export default {
  entry: './src/main.ts',
  // The page and the worker have different types: `npm run check` checks each with its own.
  module: {
    rules: [
      {
        test: /\.ts$/,
        use: { loader: 'ts-loader', options: { transpileOnly: true } },
        exclude: /node_modules/,
      },
    ],
  },
  output: { path: join(import.meta.dirname, 'public') },
  performance: { hints: false },
};
