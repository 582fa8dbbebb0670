// Who imports whom, read from the source with the parser that builds the dashboard.
// (dependency-cruiser reads TypeScript through an interface that TypeScript 7 no longer has, and
// passes every file that it can't read.)

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { readJson } from '../lib/json-file.mjs'

/**
 * @typedef {object} Import
 * @property {string} from a file, relative to the repository
 * @property {string} to a file likewise, or `npm:name/part`, or `node:name`
 * @property {string} specifier as it is written
 * @property {boolean} isType nothing of it is left at run time
 */

/**
 * @param {string} root the repository
 * @param {string[]} files relative to it
 * @returns {Import[]}
 */
export function readImports(root, files) {
  const entries = workspaceEntries(root, files)
  return files.flatMap((from) =>
    importsOf(from, readFileSync(path.join(root, from), 'utf8')).map(({ specifier, isType }) => ({
      from,
      to: resolve(from, specifier, entries),
      specifier,
      isType,
    })),
  )
}

/**
 * @param {string} file its extension decides the language
 * @param {string} source
 * @returns {{ specifier: string, isType: boolean }[]}
 */
export function importsOf(file, source) {
  const { module, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`)
  const imports = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isType: entries.length > 0 && entries.every((entry) => entry.isType),
  }))
  const reExports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, isType }] : [],
    ),
  )
  // `import('./x.ts')`: an expression that the parser lists, or else a type, which it does not.
  const calls = [...source.matchAll(/\bimport\(\s*(['"])(.+?)\1/g)]
    .filter(({ index }) => !comments.some(({ start, end }) => start <= index && index < end))
    .map(({ index, 2: specifier = '' }) => ({
      specifier,
      isType: !module.dynamicImports.some(({ start }) => start === index),
    }))
  return [...imports, ...reExports, ...calls]
}

/**
 * @param {string} from
 * @param {string} specifier
 * @param {Map<string, string>} entries
 */
export function resolve(from, specifier, entries) {
  if (specifier.startsWith('.'))
    return path.posix.join(path.posix.dirname(from), specifier.replace(/\?.*$/, ''))
  if (specifier.startsWith('node:')) return specifier
  return entries.get(specifier) ?? `npm:${specifier}`
}

/**
 * What the names of our own packages lead to: `@gatehouse/contract/errors` → its file.
 *
 * @param {string} root
 * @param {string[]} files
 * @returns {Map<string, string>}
 */
export function workspaceEntries(root, files) {
  const folders = new Set(files.map((file) => file.split('/').slice(0, 2).join('/')))
  const entries = [...folders].flatMap((folder) => {
    const manifest = path.join(root, folder, 'package.json')
    const { name, exports = {} } = existsSync(manifest) ? readJson(manifest) : {}
    return Object.entries(exports).map(
      ([part, file]) =>
        /** @type {const} */ ([path.posix.join(name, part), path.posix.join(folder, String(file))]),
    )
  })
  return new Map(entries)
}

/**
 * The import cycles, each once, as the files passed on the way round.
 *
 * @param {Import[]} imports
 * @returns {string[][]}
 */
export function findCycles(imports) {
  /** @type {Map<string, string[]>} */
  const targets = new Map()
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to])
  /** @type {string[][]} */
  const cycles = []
  /** @type {Set<string>} */
  const done = new Set()
  /** @type {string[]} */
  const trail = []
  /** @param {string} file */
  const visit = (file) => {
    if (done.has(file)) return
    const seenAt = trail.indexOf(file)
    if (seenAt >= 0) {
      cycles.push([...trail.slice(seenAt), file])
      return
    }
    trail.push(file)
    for (const target of targets.get(file) ?? []) visit(target)
    trail.pop()
    done.add(file)
  }
  for (const file of targets.keys()) visit(file)
  return cycles
}
