/** Build configuration of the window's page for Vite: chunks, content security policy, fonts. */

import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The page's own policy; the server sends the same as a header. Vite's dev preamble is inline, so only in builds. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
].join('; ');

const pagePolicy: Plugin = {
  name: 'page-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_POLICY },
      injectTo: 'head-prepend',
    },
  ],
};

/** Every supported browser reads WOFF2; KaTeX's older formats would be dead files. */
const newFontsOnly: Plugin = {
  name: 'new-fonts-only',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('katex.min.css')
      ? code.replaceAll(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
      : null,
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: {
    alias: [
      // The package's file for browsers brings a second editor; its module imports the editor's files by their old paths.
      {
        find: /^monaco-vim$/,
        replacement: `${import.meta.dirname}/../node_modules/monaco-vim/dist/index.mjs`,
      },
      { find: /^monaco-editor\/esm\/vs\//, replacement: 'monaco-editor/' },
    ],
  },
  plugins: [react(), pagePolicy, newFontsOnly],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome108',
    cssTarget: 'chrome108',
    // Fonts and icons stay files: the policy allows them and nothing is decoded at start.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every chunk shares must not live in the editor's chunk, or the page would wait for the editor.
            {
              name: 'runtime',
              test: /vite[\\/](preload-helper|modulepreload)|commonjsHelpers|rolldown[\\/]runtime/,
              priority: 10,
            },
            // React apart, or it would follow the first group that needs it.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 5 },
            { name: 'radix', test: /node_modules[\\/](@radix-ui|radix-ui|@floating-ui)[\\/]/ },
            { name: 'monaco', test: /node_modules[\\/]monaco-editor/ },
            {
              name: 'markdown',
              test: /node_modules[\\/](markdown-it|dompurify|linkify-it|mdurl|uc\.micro|entities|punycode)/,
            },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/v1': { target: 'http://127.0.0.1:8765', ws: true }, '/health': 'http://127.0.0.1:8765' },
  },
});
