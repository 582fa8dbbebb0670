// Our own TypeScript and the packages it uses as modules of one folder, by Rolldown, the bundler of Vite.
// Node loads a few large files in half the time that a thousand small ones take.

import path from 'node:path'
import { rolldown } from 'rolldown'
import { inRoot, root } from '../lib/places.mjs'
import { StepFailed } from '../lib/steps.mjs'

/** What is started, by the name it has in the built folder. */
const programs = {
  server: 'apps/standalone/src/main.ts',
  admin: 'apps/server/src/admin/admin.ts',
}

/** Places that the code finds beside itself: in the repository, and in the built folder. */
const places = new Map([
  ['package.json', 'package.json'],
  ['apps/dashboard/dist/', 'dashboard/'],
  ['apps/server/migrations/', 'migrations/'],
])

/**
 * Packages that stay as they are: sharp has binaries, tedious's own modules are replaced at run time, and
 * Scalar reads a file that lies beside its code.
 */
const keptPackages = /^(?:sharp|tedious|@scalar\/fastify-api-reference)(?:$|\/)/

/**
 * Writes `lib/` and `migrations/` of the built folder. Returns the packages that went into it, by their
 * folders in node_modules, and the names of those that it imports.
 *
 * @param {string} folder
 * @param {string[]} migrations their names, without the ending
 */
export async function bundleOwnCode(folder, migrations) {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: {
      ...Object.fromEntries(
        Object.entries(programs).map(([name, file]) => [`lib/${name}`, inRoot(file)]),
      ),
      ...Object.fromEntries(
        migrations.map((name) => [
          `migrations/${name}`,
          inRoot('apps/server/migrations', `${name}.ts`),
        ]),
      ),
    },
    external: keptPackages,
    plugins: [findsItsFiles],
    onLog(_, log) {
      throw new StepFailed(`The bundle is not sound: ${log.message}`)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    // All in one folder, so that the way from any of them to `places` is the same.
    chunkFileNames: 'lib/[name]-[hash].mjs',
  })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  return {
    bundled: packageFolders(chunks.flatMap(({ moduleIds }) => moduleIds)),
    imported: importedPackages(chunks),
  }
}

/** The names of what is started: `lib/{name}.mjs` of the built folder. */
export const programNames = Object.keys(programs)

/**
 * Our code names files beside itself as `new URL('…', import.meta.url)`. A module becomes a file of the
 * built folder (a worker process or a thread), a place of `places` is looked for where it is there. Any other use
 * of `import.meta` would fail in the built folder alone, and therefore fails here.
 *
 * @type {import('rolldown').Plugin}
 */
const findsItsFiles = {
  name: 'finds-its-files',
  transform: {
    filter: { id: /[\\/](?:apps|packages)[\\/][^?]*\.ts$/ },
    handler(code, id) {
      if (id.includes('node_modules')) return null
      const found = code.replaceAll(
        /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g,
        (_, named) => {
          const file = path.resolve(path.dirname(id), named)
          if (named.endsWith('.ts')) {
            const name = path.parse(file).name
            const reference = this.emitFile({ type: 'chunk', id: file, name })
            return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
          }
          const place = path.relative(root, file).replaceAll('\\', '/')
          const built = places.get(named.endsWith('/') ? `${place}/` : place)
          if (built === undefined) throw new Error(`${id} needs ${place}: add it to the build.`)
          return `new URL('../${built}', import.meta['url'])`
        },
      )
      const left = found
        .replaceAll(/\/\/.*|import\.meta\.ROLLUP_FILE_URL_\w+|import\.meta\['url'\]/g, '')
        .replaceAll('createRequire(import.meta.url)', '')
      if (left.includes('import.meta')) throw new Error(`${id} uses import.meta in another way.`)
      return found === code ? null : found
    },
  },
}

/** @param {string[]} modules */
function packageFolders(modules) {
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/
  const found = modules.map((id) => folder.exec(id.replace(/^\0/, ''))?.[0])
  return [...new Set(found.filter((each) => each !== undefined))].sort()
}

/** @param {import('rolldown').OutputChunk[]} chunks */
function importedPackages(chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const names = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !own.has(name) && keptPackages.test(name))
  return [...new Set(names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))].sort()
}
