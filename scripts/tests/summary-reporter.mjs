/**
 * Counts the results of a run of Vitest: every test, and what failed outside of a test (a file that
 * does not load, a hook, an uncaught error). Under `npm test` the launcher adds its own checks and
 * prints the closing line; when Vitest is run by hand, this prints it.
 *
 * @type {new () => import('vitest/node').Reporter}
 */
export default class SummaryReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        // Pending: the run was cut short, so the test has no result.
        counts[state === 'pending' ? 'failed' : state]++
      }
      const suites = [module, ...module.children.allSuites()]
      counts.failed += suites.filter((suite) => suite.errors().length > 0).length
    }
    if (process.send && process.env['GATEHOUSE_COUNTS_TO_LAUNCHER'])
      process.send({ gatehouseCounts: counts })
    else console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
