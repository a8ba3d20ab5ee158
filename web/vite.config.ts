// Build of the pages: hashed files, no inline script, each page a separate chunk that is loaded when it is visited. Code that
// many pages share comes in few files: a request costs a browser more than the bytes that a page does not need.
import { defineConfig } from 'vite'

/** Documents are read by the pages of one agreement alone, and with them comes the reader of YAML. */
const documents = /[\\/](?:node_modules[\\/]yaml|src[\\/]core[\\/]formula)[\\/]/

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined assets would need a looser content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    // The pages' own styles are a fifth of all.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'shared', test: (id: string) => !documents.test(id), minShareCount: 8 },
            { name: 'documents', test: documents, minShareCount: 8 },
          ],
        },
      },
    },
  },
  server: {
    // `npm run web` next to a running `serve`.
    proxy: { '/console': 'http://127.0.0.1:8080', '/v1': 'http://127.0.0.1:8080', '/docs': 'http://127.0.0.1:8080' },
  },
})
