import { defineConfig, loadEnv } from 'vite';
import { tidingToken } from './tiding-token.ts';

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, '');
  const { hostname, port } = new URL(env['PAGE_ORIGIN'] ?? 'http://localhost:3000');
  const address = { host: hostname, port: Number(port), strictPort: true };
  return { plugins: [tidingToken(env)], server: address, preview: address };
});
