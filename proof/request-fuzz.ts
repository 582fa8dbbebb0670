import { compareParsers } from '@gatehouse/http1/testing/compare-parsers'

// The long form of packages/http1/src/server/differential.test.ts: a million random connections.
const { differences, taken, stricter } = compareParsers(1_000_000, 2026)
console.log({ inputs: 1_000_000, taken, stricter, differences: differences.length })
if (differences.length > 0) {
  console.error(differences.slice(0, 20).join('\n'))
  process.exitCode = 1
}
