import type Git from 'isomorphic-git';

/**
 * isomorphic-git, loaded at its first call: it takes 10 MB of memory, and many servers keep no
 * revisions. All of its functions return promises.
 */
export const git = new Proxy({} as typeof Git, {
  get:
    (_, name: keyof typeof Git) =>
    async (...given: never[]): Promise<unknown> => {
      const { default: loaded } = await import('isomorphic-git');
      return (loaded[name] as (...all: never[]) => unknown)(...given);
    },
});
