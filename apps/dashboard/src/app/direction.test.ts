import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const sources = join(import.meta.dirname, '..')

const physical =
  /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)|left|right|float)\s*:|text-align:\s*(?:left|right)/

it('styles know beginning and end, not left and right', () => {
  const found = globSync('**/*.css', { cwd: sources }).flatMap((file) =>
    readFileSync(join(sources, file), 'utf8')
      .split('\n')
      // The one rule that says what right to left is.
      .filter((line) => physical.test(line) && !line.includes('text-align: right'))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
