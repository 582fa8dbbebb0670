import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clockWaitsIn } from './clock-waits.mjs'

const root = new URL('../../', import.meta.url)

/** Waits by the clock that are what their test is about, by their file, with the reason. */
const allowed: Record<string, string> = {
  'apps/gateway/src/calls/streaming.test.ts': 'looks for a stream that has come to rest',
  'apps/gateway/src/policy/limits/shared-limits.redis.ts': 'a Redis that answers late',
  'apps/gateway/src/websockets/hostile-web-sockets.test.ts': 'looks for a stream at rest',
  'apps/server/src/features/lanes/rates/lane-limits.test.ts': 'an authority that takes its time',
  'apps/server/src/features/runs/pending/pending-kill.test.ts': 'kills at moments of a second',
  'apps/server/src/kernel/threads/worker-link.test.ts':
    'questions that wait longer than they may take',
  'apps/server/src/http/refused-bodies.test.ts': 'outlives two looks of the server, one a second',
  'apps/standalone/src/keeper/watchdog.test.ts': 'the clock of the test alone',
  'e2e/runs/batches.test.ts': 'outlives two looks of the server, one a second',
  'e2e/operations/control-plane-kills.test.ts':
    'a server that is frozen for longer than its watchdog waits',
  'e2e/screens/lists.test.ts': 'files of the next screen that come late',
  'e2e/operations/roles-of-nodes.test.ts':
    'a gateway that starts before its silence would have let it',
}

const files = globSync(
  '{apps,packages,e2e,scripts}/**/*.{test,redis,mariadb,tds,zbar,curl}.{ts,tsx}',
  { cwd: root, exclude: (name) => /(?:^|[/\\])(?:node_modules|dist)$/.test(name) },
)
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

it('no test waits by the clock: what takes longer on a busy machine must not fail', () => {
  expect(files.length).toBeGreaterThan(600)
  const found = files.flatMap((file) =>
    clockWaitsIn(file, readFileSync(new URL(file, root), 'utf8'))
      .filter(() => !Object.hasOwn(allowed, file))
      .map((wait) => `${file}: ${wait}`),
  )
  expect(found).toEqual([])
})

it('what is allowed is still there', () => {
  const idle = Object.keys(allowed).filter(
    (file) => clockWaitsIn(file, readFileSync(new URL(file, root), 'utf8')).length === 0,
  )
  expect(idle).toEqual([])
})

it.each([
  ['await new Promise((resolve) => setTimeout(resolve, 300))', 1],
  ['await delay(ms)', 1],
  ['await page.waitForTimeout(300)', 1],
  ['fetch(url, { signal: AbortSignal.timeout(5_000) })', 1],
  ['await vi.waitFor(check, { timeout: 4_000 })', 1],
  ['await screen.findByText("x", {}, { timeout: 4_000 })', 1],
  ['it("does", () => {}, 20_000)', 1],
  ['it("does", () => {}, 600_000)', 0],
  ['await vi.waitFor(check, 20_000)', 1],
  ['await vi.waitFor(check)', 0],
  ['await expect.poll(check, { timeout: 120_000 })', 0],
  ['while (!done) await delay(10)', 0],
  ['for (let n = 0; n === 0; await delay(10)) n = count()', 0],
  ['for (let n = 0; n < 10; n++) await delay(10)', 1],
  ['while (!done) run(() => delay(10))', 1],
  ['stream.pause()', 0],
  ['vi.advanceTimersByTime(300)', 0],
])('%s: %i', (source, count) => {
  expect(clockWaitsIn('a.ts', source)).toHaveLength(count)
})
