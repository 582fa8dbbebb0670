/**
 * @typedef {{ suite: string, file: string, tests: number, cpuMs: number, wallMs: number }} FileTimes
 */

/**
 * `npm test -- --times`: prints CPU and wall time of each test file, then of each suite. What `cpu-of-file.mjs`
 * notes is of the workers; Vitest itself, which transforms each file, has a line of its own, and database servers
 * that a suite shares are in none.
 *
 * @type {new () => import('vitest/node').Reporter}
 */
export default class TimesReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const files = modules.map(timesOf).toSorted((one, other) => other.cpuMs - one.cpuMs)
    console.log(tableOf('file', files, ({ suite, file }) => `${suite} ${file}`))
    console.log(tableOf('suite', sumBySuite(files), ({ suite, file }) => `${suite} (${file})`))
    const { user, system } = process.threadCpuUsage()
    console.log(`${seconds((user + system) / 1000)} s of CPU time were Vitest's own.`)
  }
}

/**
 * @param {import('vitest/node').TestModule} module
 * @returns {FileTimes}
 */
function timesOf(module) {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  return {
    suite: module.project.name,
    file: module.relativeModuleId,
    tests: [...module.children.allTests()].length,
    cpuMs: /** @type {{ cpuMs?: number }} */ (module.meta()).cpuMs ?? 0,
    wallMs: environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration,
  }
}

/**
 * One row for each suite, the costliest first; `file` says how many files it has.
 *
 * @param {readonly FileTimes[]} files
 * @returns {FileTimes[]}
 */
export function sumBySuite(files) {
  /** @param {readonly FileTimes[]} rows @param {'tests' | 'cpuMs' | 'wallMs'} key */
  const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0)
  return [...Map.groupBy(files, ({ suite }) => suite)]
    .map(([suite, rows]) => ({
      suite,
      file: `${rows.length} files`,
      tests: sum(rows, 'tests'),
      cpuMs: sum(rows, 'cpuMs'),
      wallMs: sum(rows, 'wallMs'),
    }))
    .toSorted((one, other) => other.cpuMs - one.cpuMs)
}

/** @param {string} head @param {readonly FileTimes[]} rows @param {(row: FileTimes) => string} nameOf */
function tableOf(head, rows, nameOf) {
  const lines = rows.map((row) => [
    seconds(row.cpuMs),
    seconds(row.wallMs),
    String(row.tests),
    nameOf(row),
  ])
  return ['', ...[['cpu s', 'wall s', 'tests', head], ...lines].map(toLine)].join('\n')
}

/** @param {readonly string[]} cells */
const toLine = ([cpu = '', wall = '', tests = '', name = '']) =>
  `${cpu.padStart(8)} ${wall.padStart(8)} ${tests.padStart(7)}  ${name}`

/** @param {number} ms */
const seconds = (ms) => (ms / 1000).toFixed(1)
