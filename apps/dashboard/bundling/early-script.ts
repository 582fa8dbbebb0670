import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minifySync, type Plugin, type Rolldown } from 'vite'
import { paths } from '../src/entities/paths.ts'

const source = (path: string) => fileURLToPath(new URL(`../src/app/${path}`, import.meta.url))
const placeholder = /\/\* files of screens \*\/ \{[^}]*\}/

/**
 * Fills in `public/early.js` which files each screen needs, so that a page asks for all of them at once
 * instead of finding one after the other, and gives it a name that changes with its content.
 */
export function earlyScript(): Plugin {
  return {
    name: 'early-script',
    apply: 'build',
    generateBundle: {
      // The page is written by then.
      order: 'post',
      handler(_, bundle) {
        const script = readFileSync(source('../../public/early.js'), 'utf8')
        const filled = script.replace(
          placeholder,
          JSON.stringify({ ...filesOfScreens(bundle), texts: filesOfTexts(bundle) }),
        )
        const { code } = minifySync('early.js', filled, { module: false })
        const file = this.emitFile({ type: 'asset', name: 'early.js', source: code })
        const page = bundle['index.html']
        if (page?.type !== 'asset' || !placeholder.test(script))
          throw new Error('The page is not as expected.')
        page.source = String(page.source).replace('/early.js', `/${this.getFileName(file)}`)
      },
    },
  }
}

/** The Arabic texts of the login page, then those of all other screens. */
function filesOfTexts(bundle: Rolldown.OutputBundle) {
  const files = Object.keys(bundle)
  return [/\btexts-ar-[^/]*$/, /\bmore-texts-ar-[^/]*$/].map((name, at) => {
    const file = files.find((each) => name.test(each) && (at === 1 || !each.includes('more-texts')))
    if (file === undefined) throw new Error('The texts are not there.')
    return `/${file}`
  })
}

/**
 * By the screens' paths as regular expressions: the files beyond those that every page loads, and the calls
 * that the screen begins with.
 */
function filesOfScreens(bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(closureOf))
  const files: string[] = []
  const screens = rowsOfScreens().map(({ patterns, modules, asks }) => {
    const needed = modules.flatMap((module) =>
      chunks.filter(({ moduleIds }) => moduleIds.includes(module)).flatMap(closureOf),
    )
    const more = [...new Set(needed)]
      .filter((file) => !loaded.has(file) && isLarge(bundle[file]))
      .map((file) => `/${file}`)
    files.push(...more.filter((file) => !files.includes(file)))
    // In one order, which compresses better.
    const at = more.map((file) => files.indexOf(file)).toSorted((one, other) => one - other)
    return [`^(?:${patterns.join('|')})/?$`, at, asks] as const
  })
  return { files, screens }

  function closureOf(chunk: Rolldown.OutputChunk): string[] {
    const found = new Set<string>()
    const visit = ({ fileName, imports, viteMetadata }: Rolldown.OutputChunk) => {
      if (found.has(fileName)) return
      found.add(fileName)
      for (const css of viteMetadata?.importedCss ?? []) found.add(css)
      chunks.filter((each) => imports.includes(each.fileName)).forEach(visit)
    }
    visit(chunk)
    return [...found]
  }
}

/** Every page loads the names: those of small files cost more than it gains to ask for them early. */
function isLarge(file: Rolldown.OutputBundle[string] | undefined): boolean {
  const content = file?.type === 'chunk' ? file.code : file?.source
  return content !== undefined && content.length > 4_000
}

/**
 * The rows of `screens.tsx` that have an entry in the menu: which paths they have, which module they load
 * beside the shell, and what they ask for. The others are mostly reached from these, which have loaded more already.
 */
function rowsOfScreens() {
  const rows = readFileSync(source('screens.tsx'), 'utf8').split(/^  \{$/m)
  const shell = source('shell-route.tsx')
  return rows
    .filter((row) => row.includes('    menu: '))
    .map((row) => {
      const [, addresses = ''] = /paths: \[([^\]]+)\]/.exec(row) ?? []
      const [, module = ''] = /import\('([^']+)'\)/.exec(row) ?? []
      const [, asks = ''] = /asks: \[([^\]]+)\]/.exec(row) ?? []
      return {
        patterns: addresses.split(',').map((address) => patternOf(address.trim())),
        modules: [shell, source(module)],
        asks: [...asks.matchAll(/'([^']+)'/g)].map(([, url]) => url),
      }
    })
}

function patternOf(address: string): string {
  const known: Record<string, unknown> = paths
  const path = address.startsWith("'")
    ? address.slice(1, -1)
    : known[address.slice('paths.'.length)]
  if (typeof path !== 'string')
    throw new Error(`screens.tsx has a path that is no text: ${address}`)
  return path === '/' ? '' : path
}
