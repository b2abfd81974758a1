import { check, same } from '../../result/test-support.tsx';
import { canEmbed, EMBED_CODES, embedCode } from './embed-code.ts';

const paragraph = { server: 'https://notes.example.org', noteId: 'N1', paragraphId: 'P1' };
const note = { server: 'https://notes.example.org', noteId: 'N1' };

it('names the server and the ids in the code of every kind', () => {
  for (const code of EMBED_CODES)
    for (const part of ['https://notes.example.org', 'N1', 'P1', '/tiding-token'])
      check(embedCode(code, paragraph).includes(part), `${part} in ${code}`);
});

it('embeds a whole note in report layout, and not in a frame', () => {
  for (const [code, part] of [
    ['tag', '<tiding-notebook server="https://notes.example.org" note="N1" look="report">'],
    ['react', '<Notebook note="N1" look="report" />'],
    ['token', '{"noteId":"N1","scope":"run"}'],
  ] as const)
    check(embedCode(code, note).includes(part), `${part} in ${code}`);
  same(
    EMBED_CODES.filter((code) => !canEmbed(code, note)),
    ['frame'],
  );
});

it('escapes ids of imported files', () => {
  for (const code of ['tag', 'frame', 'react'] as const)
    check(
      !embedCode(code, { ...paragraph, paragraphId: '"><script>alert(1)</script>' }).includes(
        '<script>alert',
      ),
      code,
    );
});
