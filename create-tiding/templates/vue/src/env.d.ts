import type {} from '@tiding/elements/types/vue';

declare global {
  interface ImportMetaEnv {
    readonly VITE_TIDING_SERVER: string;
    readonly VITE_TIDING_NOTE: string;
    readonly VITE_TIDING_PARAGRAPH: string;
  }
}
