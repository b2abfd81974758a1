import commonjs from '@rollup/plugin-commonjs';
import resolve from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';
import typescript from '@rollup/plugin-typescript';
import workers from '@surma/rollup-plugin-off-main-thread';

export default {
  input: 'src/main.ts',
  plugins: [
    replace({ preventAssignment: true, 'process.env.NODE_ENV': '"production"' }),
    resolve({ browser: true }),
    commonjs(),
    typescript(),
    workers(),
  ],
  // React's directives mean nothing to a page.
  onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
  output: { dir: 'public', format: 'es' },
};
