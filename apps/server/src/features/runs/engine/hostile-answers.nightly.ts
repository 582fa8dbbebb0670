import { expect, it } from 'vitest'
import { hostileAnswers, unfitAnswers } from '../../../../test/hostile/hostile-answers.ts'

// The long form of hostile-answers.test.ts.

it('no answer of 8 MiB holds up the server, and memory stays bounded', async () => {
  const answers = Object.entries(hostileAnswers).map(([name, make]): [string, Buffer] => [
    name,
    make(8 * 1_048_576),
  ])
  expect(await unfitAnswers(answers)).toEqual([])
}, 900_000)
