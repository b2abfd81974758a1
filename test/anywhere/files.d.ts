/** Made by `run.mjs`: the bundled test files by their paths. */
declare module 'anywhere:files' {
  export const files: Record<string, () => Promise<unknown>>;
}
