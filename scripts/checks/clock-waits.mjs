// Waits by the clock in tests: fixed sleeps, and time-outs that a busy machine may reach.

import { parseSync } from 'vite'
import { waitMaxMs } from '../tests/wait-max.mjs'

/** What suites give each test: none says less itself. */
const shortestTestMs = 600_000

/** What lets time pass, by the names that tests give it. */
const sleeps = new Set(['setTimeout', 'sleep', 'delay', 'pause', 'waitForTimeout'])
const waits = new Set([
  'waitFor',
  'waitForElementToBeRemoved',
  'waitForFunction',
  'waitForURL',
  'poll',
  'waitUntil',
])

/**
 * Each wait by the clock in a file, as it is written there.
 *
 * @param {string} file its extension decides the language
 * @param {string} source
 * @returns {string[]}
 */
export function clockWaitsIn(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`)
  /** @type {string[]} */
  const found = []
  /** @param {any} node @param {boolean} isPolled */
  const visit = (node, isPolled) => {
    if (node.type === 'CallExpression' && isClockWait(node, isPolled))
      found.push(source.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, 80))
    for (const [key, value] of Object.entries(node))
      for (const child of [value].flat())
        if (typeof child?.type === 'string') visit(child, isInPoll(node, key, isPolled))
  }
  visit(program, false)
  return found
}

/**
 * Whether a part of a node looks for an event again and again: in a `while`, or what a `for` does after each round.
 *
 * @param {any} node
 * @param {string} key
 * @param {boolean} isPolled
 */
function isInPoll({ type }, key, isPolled) {
  if (type === 'WhileStatement' || type === 'DoWhileStatement') return true
  if (type === 'ForStatement' && key === 'update') return true
  return isPolled && !type.includes('Function')
}

/** @param {any} call @param {boolean} isPolled */
function isClockWait({ callee, arguments: args }, isPolled) {
  const name = callee.property?.name ?? callee.name
  const owner = callee.object?.name
  if (sleeps.has(name)) return !isPolled && isSleep(owner, args)
  if (name === 'timeout' && owner === 'AbortSignal') return isShortMs(args[0])
  if (['it', 'test', 'beforeAll', 'afterAll', 'beforeEach', 'afterEach'].includes(name))
    return numberOf(args.at(-1)) < shortestTestMs
  return (
    (waits.has(name) || name?.startsWith('find')) &&
    args.some((/** @type {any} */ arg) => isShort(arg) || (owner === 'vi' && isShortMs(arg)))
  )
}

/**
 * `setTimeout(resolve, 300)` and `await delay(300)`; not `stream.pause()`.
 *
 * @param {string | undefined} owner
 * @param {any[]} args
 */
const isSleep = (owner, args) =>
  args.length > 0 && (owner === undefined || owner === 'page' || owner === 'globalThis')

/** Options with a `timeout` that is short. @param {any} arg */
const isShort = (arg) =>
  arg.type === 'ObjectExpression' &&
  arg.properties.some(
    (/** @type {any} */ { key, value }) => key?.name === 'timeout' && isShortMs(value),
  )

/** Less than every wait has without saying so. @param {any} node */
const isShortMs = (node) => numberOf(node) < waitMaxMs

/** Infinity for what is no number that is written out. @param {any} node */
const numberOf = (node) =>
  node?.type === 'Literal' && typeof node.value === 'number' ? node.value : Infinity
