import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { findTexts, lookUp, lookUpNodes } from './find-texts.ts'
import { readCatalogue, type Catalogue } from './read-catalogue.ts'

export const sources = join(import.meta.dirname, '../../src/')
const runtime = `${sources}lib/format/language.ts`
const withoutTexts = /\.test\.tsx?$|\/src\/(testing\/|lib\/format\/(language|fill-in)\.ts)/
/** What the login page loads by itself. */
const loginPart = /\/features\/session\/(sign-on|passkey-sign-in)\.tsx$/
/** While developing: all texts at once. */
const developing = '/texts-ar.js'

/** Whether a module of the dashboard may have texts that people read. */
export const mayHaveTexts = (id: string) =>
  id.startsWith(sources) && /\.tsx?$/.test(id) && !withoutTexts.test(id)

/**
 * Has every text of the screens looked up in the language of the page, and leaves the Arabic ones in three
 * files: those of the login page, those of everything behind it, and what the server says behind it, which
 * is loaded when a sentence of the server is shown.
 */
export function translateTexts(): Plugin {
  const textsOf = new Map<string, string[]>()
  return {
    name: 'translate-texts',
    // Before the syntax of elements is gone.
    enforce: 'pre',
    transform: {
      filter: { id: /\/dashboard\/src\/.*\.tsx?$/ },
      handler(source, address) {
        const [id = ''] = address.split('?')
        if (!mayHaveTexts(id)) return null
        const { code, texts } = findTexts(id, source)
        if (texts.length === 0) return null
        textsOf.set(id, texts)
        const names = `${lookUp}, ${lookUpNodes}`
        return { code: `import { ${names} } from ${JSON.stringify(runtime)}; ${code}`, map: null }
      },
    },
    configureServer(server) {
      server.middlewares.use(developing, (_, response) => {
        response.setHeader('Content-Type', 'text/javascript')
        const { server: first, serverMore } = readCatalogue()
        response.end(scriptOf(allTexts()) + scriptOfServer(first) + scriptOfServer(serverMore))
      })
    },
    generateBundle(_, bundle) {
      const first = new Set(modulesOfLogin(bundle).flatMap((id) => textsOf.get(id) ?? []))
      const more = [...textsOf.values()].flat().filter((text) => !first.has(text))
      const emit = (name: string, source: string) => this.emitFile({ type: 'asset', name, source })
      const { server, serverMore } = readCatalogue()
      emit('texts-ar.js', scriptOf(first) + scriptOfServer(server))
      const sentences = this.getFileName(emit('sentences-ar.js', scriptOfServer(serverMore)))
      const later = `;globalThis.gatehouseSentences=${JSON.stringify(`/${sentences}`)};`
      emit('more-texts-ar.js', scriptOf(more) + later)
    },
  }
}

/** Every text of the dashboard's source. */
export function allTexts(): Set<string> {
  const files = globSync('**/*.{ts,tsx}', { cwd: sources }).map((file) => sources + file)
  const found = files
    .filter(mayHaveTexts)
    .flatMap((file) => findTexts(file, readFileSync(file, 'utf8')).texts)
  return new Set(found)
}

/** A script that adds translations to those that the page has. */
function scriptOf(texts: Iterable<string>): string {
  const { all } = readCatalogue()
  const entries = [...new Set(texts)].flatMap((text) => {
    const translation = all.get(text)
    return translation === undefined || translation === null ? [] : [[text, translation] as const]
  })
  return `Object.assign(globalThis.gatehouseTexts??={},${JSON.stringify(Object.fromEntries(entries))});`
}

/** A script with the translations of what the server says. */
const scriptOfServer = (texts: Catalogue['server']) =>
  `;Object.assign(globalThis.gatehouseServerTexts??={},${JSON.stringify(Object.fromEntries(texts))});`

function modulesOfLogin(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const first = chunks.filter(
    ({ isEntry, moduleIds }) => isEntry || moduleIds.some((id) => loginPart.test(id)),
  )
  const files = new Set(first.map(({ fileName }) => fileName))
  // A set goes on to what is added while it is walked.
  for (const file of files)
    for (const each of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
      files.add(each)
  return chunks.filter(({ fileName }) => files.has(fileName)).flatMap(({ moduleIds }) => moduleIds)
}
