import { expect, test } from 'vitest'
import { buildContext } from '../../testing/builders.ts'
import { curlCommand } from './context-card.tsx'

const url = 'http://localhost:8080/orders/all'

test.each([
  ['a plain read', {}, false, `curl '${url}'`],
  ['a guarded read', {}, true, `curl '${url}' -H "Authorization: Bearer $TOKEN"`],
  [
    'a write',
    { method_type: 'post' as const },
    false,
    `curl -X POST '${url}' -H 'Content-Type: application/json' -d '{}'`,
  ],
  [
    'a path with a parameter, whose braces curl would expand',
    { url: 'http://localhost:8080/orders/{id}' },
    false,
    `curl --globoff 'http://localhost:8080/orders/{id}'`,
  ],
  [
    'a path with a quote, which must not end the shell’s own',
    { url: "http://localhost:8080/o'clock" },
    false,
    String.raw`curl 'http://localhost:8080/o'\''clock'`,
  ],
])('the command for %s', (_, changes, isGuarded, expected) => {
  const [endpoint] = buildContext().endpoints
  if (!endpoint) throw new Error('The builder makes one endpoint')
  expect(curlCommand({ ...endpoint, url, ...changes }, isGuarded)).toBe(expected)
})
