import { compileOutput } from '@gatehouse/contract/custom-output'
import { parseExact } from '@gatehouse/contract/mapping'
import type { ExactObject } from '@gatehouse/contract/mapping'
import { expect, it } from 'vitest'
import { renderOutput, visitedMax } from './render-output.ts'

const elements = 10_000
const scope = parseExact(`{"body":[${Array(elements).fill('{"a":1}').join()}]}`) as ExactObject

function render(text: string) {
  const output = compileOutput(text)
  if (output.kind !== 'template') throw new Error(output.kind)
  return renderOutput(output, scope)
}

it('a template reads a bounded number of elements, whether it finds something there or not', () => {
  const paths = (count: number) =>
    Array.from({ length: count }, (_, at) => `{{body[*].missing${at}}}`).join('')
  const most = visitedMax / elements
  expect(render(paths(most))).toEqual({ ok: true, text: '[]'.repeat(most) })
  expect(render(paths(most + 1))).toEqual({
    ok: false,
    detail: 'the template looks at more than 1000000 elements of it',
  })
})

it('a path that occurs many times is read once', () => {
  expect(render('{{body[*].b}}'.repeat(1_000))).toEqual({ ok: true, text: '[]'.repeat(1_000) })
})
