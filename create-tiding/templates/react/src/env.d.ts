interface ImportMetaEnv {
  readonly VITE_TIDING_SERVER: string;
  readonly VITE_TIDING_NOTE: string;
  readonly VITE_TIDING_PARAGRAPH: string;
}
