import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runHostileExchanges } from '../apps/gateway/src/testing/hostile-exchanges.ts'

// The long form of apps/gateway/src/calls/hostile.test.ts: nothing wrong, nothing left behind.
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void
const { wrong, inFlight, heapBytes, exchanges } = await runHostileExchanges(10_000, {
  atOnce: 64,
  gc,
})
const grownMiB = (heapBytes[1] - heapBytes[0]) / 1024 / 1024
console.log({ exchanges, wrong: wrong.length, inFlight, grownMiB: Number(grownMiB.toFixed(1)) })
if (wrong.length > 0 || inFlight > 0 || grownMiB > 10) {
  console.error(wrong.slice(0, 20).join('\n'))
  process.exitCode = 1
}
