const worker = new Worker(new URL('./worker/report.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }: MessageEvent<string>) => {
  document.querySelector('pre')!.append(`${data}\n`);
};
worker.postMessage({ note: '2XAB9NJRE', paragraph: '20261121-070135_35893072' });
