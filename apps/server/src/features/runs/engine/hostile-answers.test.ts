// Databases: SQLite.

import { expect, it } from 'vitest'
import { hostileAnswers, unfitAnswers } from '../../../../test/hostile/hostile-answers.ts'

// An API may answer with 16 MiB that take many seconds to read. That holds up nobody, and nothing of it is believed.
// hostile-answers.nightly.ts sends every body.

/** What takes longest to read, each in its way; the first megabyte of it shows that. */
const worst = [
  'many keys',
  'many small elements',
  'bytes that are not UTF-8',
  'XML with many elements',
]

it('no answer of an API holds up the server, whether sent to, asked or fetched from', async () => {
  const answers = worst.map((name): [string, Buffer] => [name, hostileAnswers[name]!(1_048_576)])
  expect(await unfitAnswers(answers)).toEqual([])
})
