// How long files and functions are: in each package and app, e2e and scripts, 95 of 100 keep to a bound.
// docs/contributing.md says what is counted.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { root } from '../lib/places.mjs'

/** Lines that 95 of 100 keep to. */
const bounds = { files: 200, functions: 26 }

const sources = ['{packages,apps}/*/{src,test}/**/*.{ts,tsx}', '{e2e,scripts}/**/*.{ts,mjs}']
const notCounted =
  /\.(test|nightly|mariadb|tds|zbar|redis)\.tsx?$|\.d\.ts$|(^|\/)(node_modules|dist|fixtures)\//

/** @typedef {{ name: string, line: number, lines: number }} Measured */

/**
 * The functions of a file that have a name: declarations, methods, and those that a variable or a
 * property gets. Lines of a named function inside another count for the inner one alone. Components are
 * left out: a function of a TSX file whose name begins with a capital.
 *
 * @param {string} file its extension decides the language
 * @param {string} source
 * @returns {Measured[]}
 */
export function functionsOf(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`)
  const lineAt = lineCounter(source)
  /** @type {Measured[]} */
  const found = []
  /**
   * @param {any} node
   * @param {any} parent
   * @param {Measured | undefined} around the named function that the node is in
   */
  const visit = (node, parent, around) => {
    const name = isFunction(node) ? nameOf(node, parent) : undefined
    if (name === undefined) return visitChildren(node, around)
    const line = lineAt(node.start)
    const own = { name, line, lines: lineAt(node.end) - line + 1 }
    if (around) around.lines -= own.lines
    found.push(own)
    visitChildren(node, own)
  }
  /** @param {any} node @param {Measured | undefined} around */
  const visitChildren = (node, around) => {
    for (const child of Object.values(node).flat())
      if (typeof child?.type === 'string') visit(child, node, around)
  }
  visit(program, undefined, undefined)
  return found.filter(({ name }) => !(file.endsWith('.tsx') && /^[A-Z]/.test(name)))
}

/** @param {any} node */
const isFunction = ({ type, body }) =>
  body && /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)

/**
 * @param {any} node
 * @param {any} parent
 * @returns {string | undefined}
 */
function nameOf(node, parent) {
  if (node.id) return node.id.name
  const key = parent?.type === 'VariableDeclarator' ? parent.id : parent?.key
  return key && key !== node ? (key.name ?? String(key.value)) : undefined
}

/** The line of a place in the text, from 1. @param {string} source */
function lineCounter(source) {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (/** @type {number} */ place) => {
    const below = ends.findIndex((end) => end >= place)
    return (below < 0 ? ends.length : below) + 1
  }
}

/**
 * The smallest length that 95 of 100 do not pass (nearest rank).
 *
 * @param {number[]} lengths
 */
export function p95(lengths) {
  return lengths.toSorted((one, other) => one - other)[Math.ceil(lengths.length * 0.95) - 1] ?? 0
}

/**
 * The p95 of each package, app and folder.
 *
 * @param {string} folder the top of a repository
 */
function measureSizes(folder) {
  const files = globSync(sources, { cwd: folder })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !notCounted.test(file))
    .map((file) => ({ file, source: readFileSync(path.join(folder, file), 'utf8') }))
  return [...Map.groupBy(files, ({ file }) => partOf(file))].map(([part, its]) => {
    const functions = its.flatMap(({ file, source }) => functionsOf(file, source))
    return {
      part,
      files: p95(its.map(({ source }) => source.split('\n').length - 1)),
      functions: p95(functions.map(({ lines }) => lines)),
    }
  })
}

/** @param {string} file */
const partOf = (file) => /^(?:packages|apps)\/[^/]+|^[^/]+/.exec(file)?.[0] ?? ''

/** What passes its bound, one sentence each. @param {ReturnType<typeof measureSizes>} sizes */
export function sizeProblems(sizes) {
  return sizes.flatMap(({ part, ...measured }) =>
    /** @type {const} */ (['files', 'functions'])
      .filter((kind) => measured[kind] > bounds[kind])
      .map(
        (kind) => `${part}: p95 of its ${kind} is ${measured[kind]} lines, over ${bounds[kind]}.`,
      ),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sizes = measureSizes(root)
  for (const { part, files, functions } of sizes)
    console.log(`${part.padEnd(26)} files ${files}, functions ${functions}`)
  const problems = sizeProblems(sizes)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
