import { expect, test } from 'vitest'
import { buildStep } from '../../testing/run-builders.ts'
import { stepCurl } from './run-steps.tsx'

test('the command sends the same bytes, and names no secret', () => {
  const step = buildStep({
    has_credential: true,
    body: { text: '{"name":"O\'Neill"}', bytes: 18, is_whole: true },
  })
  expect(stepCurl(step)).toBe(
    [
      "curl -X POST 'https://authority.example.com/invoices'",
      "-H 'content-type: application/json'",
      '-H "Authorization: Bearer $TOKEN"',
      `--data-binary '{"name":"O'\\''Neill"}'`,
    ].join(' \\\n  '),
  )
})

test('there is none for what was not frozen, or is not kept whole', () => {
  expect(stepCurl(buildStep({ url: null }))).toBeUndefined()
  const body = { text: '{"a', bytes: 5_000_000, is_whole: false }
  expect(stepCurl(buildStep({ body }))).toBeUndefined()
})
