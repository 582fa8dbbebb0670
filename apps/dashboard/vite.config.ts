import { routes } from '@gatehouse/contract'
import react from '@vitejs/plugin-react'
import { defineConfig, type ProxyOptions } from 'vite'
import { chunkGroups } from './bundling/chunk-groups.ts'
import { componentStyles } from './bundling/component-styles.ts'
import { earlyScript } from './bundling/early-script.ts'
import { plainParts } from './bundling/plain-parts.ts'
import { precompress } from './bundling/precompress.ts'
import { translateTexts } from './bundling/texts/translate-texts.ts'

/** The server that `npm run dev` starts beside Vite; both read the same PORT. */
const server = `http://localhost:${process.env['PORT'] || '3000'}`

/** Every call of the contract, and the server's own pages. Everything else is a page of ours. */
function proxied(): Record<string, string | ProxyOptions> {
  const outside = routes.map(({ path }) => path).filter((path) => !path.startsWith('/api/'))
  return {
    '/api/': {
      target: server,
      // The login page lies under /api, but is a page of ours.
      bypass: (request) => (request.url?.startsWith('/api/login/react') ? '/index.html' : null),
    },
    ...Object.fromEntries(
      [...outside, '/healthz', '/readyz'].map((path) => [pattern(path), server]),
    ),
  }
}

/** Vite takes a key that begins with `^` for a regular expression. */
const pattern = (path: string) => `^${path.replaceAll(/:\w+/g, '[^/?]+')}(?:\\?|$)`

/** What the page itself asks for is not named again by the code that loads more. */
const notOfPage = (_file: string, needed: string[], { hostType }: { hostType: 'html' | 'js' }) =>
  hostType === 'html'
    ? needed
    : needed.filter((file) => !/\/(vendor|index|rolldown-runtime)-/.test(file))

/** A part of a group is named after all screens that load it: too long for the lists of files to load. */
const groupOf = (name: string) => name.replace(/~.*$/, '')

export default defineConfig({
  plugins: [
    translateTexts(),
    react(),
    componentStyles(),
    plainParts(),
    earlyScript(),
    precompress(),
  ],
  build: {
    target: 'es2022',
    // An asset inlined as a data: URL would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
    // A browser that does not know such hints loads the same files, a little later.
    modulePreload: { polyfill: false, resolveDependencies: notOfPage },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups },
        // Hashes can't be compressed, and every page names many files.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ name }) => `assets/${groupOf(name)}-[hash:7].js`,
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/${groupOf(name.replace(/\.\w+$/, ''))}-[hash:7][extname]`,
      },
    },
  },
  server: { proxy: proxied() },
})
