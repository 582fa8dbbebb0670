import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Smaller files gain nothing that is worth a second file. */
const leastBytes = 512

/**
 * Leaves a `.br` and a `.gz` beside every text that the build has written, as small as they get: the server
 * sends these, and compresses nothing itself.
 */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      await Promise.all(
        files
          .filter((file) => /\.(js|css|html|svg)$/.test(file))
          .map((file) => pack(join(folder, file))),
      )
    },
  }
}

/** Ways to write distances, of which now one and now another is the shortest. */
const distances = [
  [0, 4],
  [1, 0],
  [1, 8],
] as const

async function pack(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < leastBytes) return
  const ways = distances.map(([postfix, direct]) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_LGBLOCK]: 20,
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
        [constants.BROTLI_PARAM_NDIRECT]: direct,
      },
    }),
  )
  const shortest = (await Promise.all(ways)).reduce((a, b) => (b.length < a.length ? b : a))
  await Promise.all([
    writeFile(`${file}.br`, shortest),
    promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ])
}
