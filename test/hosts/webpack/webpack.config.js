import { join } from 'node:path';

export default {
  entry: './src/main.ts',
  module: { rules: [{ test: /\.ts$/, use: 'ts-loader', exclude: /node_modules/ }] },
  output: { path: join(import.meta.dirname, 'public') },
  performance: { hints: false },
};
