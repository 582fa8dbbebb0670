import { basename } from 'node:path'
import { BaseSequencer } from 'vitest/node'

/** Journeys that wait for clocks and for processes more than they compute: half a core each, or less. */
const waiting = new Set([
  'alarms.test.ts',
  'circuit-breaker.test.ts',
  'gateway-fleet.test.ts',
  'roles-of-nodes.test.ts',
  'standalone.test.ts',
])

/**
 * Vitest's order, but journeys that wait are spread over the others of `e2e`. They are short files, which
 * Vitest runs last: the cores would idle while the last of them wait side by side.
 */
export default class SpreadWaiting extends BaseSequencer {
  /**
   * @param {import('vitest/node').TestSpecification[]} files
   * @override
   */
  async sort(files) {
    const sorted = await super.sort(files)
    const journeys = sorted.filter(({ project }) => project.name === 'e2e')
    const spread = spreadOver(journeys, ({ moduleId }) => waiting.has(basename(moduleId)))
    return sorted.map((each) => (each.project.name === 'e2e' ? (spread.shift() ?? each) : each))
  }
}

/**
 * Those that are chosen at equal distances, the first of all in front; the order within either is kept.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => boolean} isChosen
 * @returns {Item[]}
 */
export function spreadOver(items, isChosen) {
  const chosen = items.filter(isChosen)
  const others = items.filter((item) => !isChosen(item))
  const distance = others.length / chosen.length
  /** @type {Item[]} */
  const result = []
  for (const [at, item] of chosen.entries())
    result.push(item, ...others.slice(Math.round(at * distance), Math.round((at + 1) * distance)))
  return chosen.length === 0 ? others : result
}
