// Exports that no other file imports. A name that one file uses alone is not exported: a reader then knows that
// nobody else depends on it, and lint reports it once it is not used at all.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { workspaceEntries, resolve } from './import-graph.mjs'
import { root } from '../lib/places.mjs'

/**
 * What a file exports and imports.
 *
 * @typedef {object} Module
 * @property {Set<string>} exports names that it states itself
 * @property {string[]} stars files of which it exports everything
 * @property {{ to: string, name: string }[]} uses what it takes of others; `*`: everything
 */

const everything = '*'

/** Files that are loaded by their place: migrations, what tests begin with, and what the bundle has in place of parts. */
const loaded =
  /^(apps\/server\/migrations|e2e\/harness\/prepare-product\.ts$|apps\/dashboard\/bundling\/plain-)/

/** The build of the dashboard writes the calls of these. */
const written = /^__(text|nodes)$/

const isLoaded = (/** @type {string} */ file, /** @type {string} */ name) =>
  name === 'default' || written.test(name) || loaded.test(file)

/**
 * @param {string} file
 * @param {string} source
 * @param {Map<string, string>} entries
 * @returns {Module}
 */
export function readModule(file, source, entries) {
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`)
  /** @param {string} specifier */
  const to = (specifier) => resolve(file, specifier, entries)
  /** @type {Module} */
  const read = { exports: new Set(), stars: [], uses: [] }
  for (const { moduleRequest, entries: names } of module.staticImports)
    for (const { importName } of names)
      read.uses.push({ to: to(moduleRequest.value), name: importName.name ?? everything })
  for (const { moduleRequest, importName, exportName } of module.staticExports.flatMap(
    (each) => each.entries,
  )) {
    if (!moduleRequest) {
      read.exports.add(exportName.name ?? 'default')
    } else if (importName.kind === 'AllButDefault') read.stars.push(to(moduleRequest.value))
    else read.uses.push({ to: to(moduleRequest.value), name: importName.name ?? everything })
  }
  // An import as an expression, or as a type in a comment: of which names is not asked.
  for (const { 2: specifier = '' } of source.matchAll(/\bimport\(\s*(['"`])(.+?)\1/g))
    read.uses.push({ to: to(specifier), name: everything })
  return read
}

/**
 * The exports that no other file imports, as `file: name`.
 *
 * @param {Map<string, Module>} modules
 * @returns {string[]}
 */
export function unusedExports(modules) {
  /** @type {Set<string>} */
  const used = new Set()
  /** @param {string} file @param {string} name */
  const use = (file, name) => {
    const key = `${file}: ${name}`
    const module = modules.get(file)
    if (!module || used.has(key)) return
    used.add(key)
    if (!module.exports.has(name)) for (const star of module.stars) use(star, name)
  }
  for (const { uses } of modules.values()) for (const { to, name } of uses) use(to, name)
  return [...modules]
    .filter(([file]) => !used.has(`${file}: ${everything}`))
    .flatMap(([file, { exports }]) =>
      [...exports].filter((name) => !isLoaded(file, name)).map((name) => `${file}: ${name}`),
    )
    .filter((key) => !used.has(key))
}

/** Every module of the repository. @param {string} folder its top */
export function readModules(folder) {
  const files = globSync('{apps,bench,e2e,packages,proof,scripts,tools}/**/*.{ts,tsx,mts,mjs}', {
    cwd: folder,
    exclude: (file) => /(^|\/)(node_modules|dist|data|coverage)$/.test(file),
  }).map((file) => file.replaceAll(path.sep, '/'))
  const entries = workspaceEntries(folder, files)
  return new Map(
    files.map((file) => [
      file,
      readModule(file, readFileSync(path.join(folder, file), 'utf8'), entries),
    ]),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const unused = unusedExports(readModules(root))
  for (const each of unused) console.error(`${each} is exported, and no other file imports it.`)
  process.exitCode = unused.length > 0 ? 1 : 0
}
