import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { Rounds } from './rounds.ts'

it('the first round may come long before the others', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const rounds = new Rounds({
    everyMs: 3_600_000,
    firstAfterMs: 1,
    work: async () => resolve('a round'),
    log: pino({ level: 'silent' }),
    failure: 'no',
  })
  onTestFinished(() => rounds.stop())
  rounds.start()
  expect(await promise).toBe('a round')
})
