import { expect, it } from 'vitest'
import { readTransformBody } from './use-transform-body.ts'

it.each([
  ['nothing', ' ', 'same'],
  ['mapping rows', '[{"from":"total","to":"amount"}]', 'rows'],
  ['rows that say what stands in', '[{"to":"kind","custom_input":"sale"}]', 'rows'],
  ['a template', '{"total":"{{body.total}}"}', 'template'],
  ['text that is no JSON', '<total>{{body.total}}</total>', 'template'],
  ['a list that is a body', '[]', 'template'],
  ['a list with something else than rows', '[{"from":"a"},1]', 'template'],
  ['a row with something else than text', '[{"from":1,"to":"a","type":2}]', 'template'],
])('%s is shown as what it is, and nothing of it is lost', (_name, text, kind) => {
  const shown = readTransformBody(text)
  expect([shown.kind, shown.text]).toEqual([kind, text])
  if (kind === 'template') expect(shown.template).toBe(text)
  expect(shown.rows).toHaveLength(kind === 'rows' ? 1 : 0)
})
