import { expect, it } from 'vitest'
import { isNotModified } from './conditional.ts'

const modified = 'Mon, 01 Jun 2026 08:00:00 GMT'
const later = 'Mon, 01 Jun 2026 09:00:00 GMT'
const earlier = 'Mon, 01 Jun 2026 07:00:00 GMT'
const answer = { etag: 'W/"v1"', 'last-modified': modified }

it.each([
  [{ 'if-none-match': '"v1"' }, true],
  [{ 'if-none-match': 'W/"v1"' }, true],
  [{ 'if-none-match': '"v0", "v1"' }, true],
  [{ 'if-none-match': '*' }, true],
  [{ 'if-none-match': '"v2"' }, false],
  [{ 'if-none-match': 'v1' }, false],
  [{ 'if-none-match': '"v2"', 'if-modified-since': later }, false],
  [{ 'if-modified-since': modified }, true],
  [{ 'if-modified-since': later }, true],
  [{ 'if-modified-since': earlier }, false],
  [{ 'if-modified-since': 'never' }, false],
  [{}, false],
])('%j: not modified is %s', (request, expected) => {
  expect(isNotModified(request as Record<string, string>, answer, 200)).toBe(expected)
  expect(isNotModified(request as Record<string, string>, answer, 404)).toBe(false)
})
