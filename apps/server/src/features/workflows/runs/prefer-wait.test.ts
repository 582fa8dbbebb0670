import { expect, it } from 'vitest'
import { readWait } from './prefer-wait.ts'

it.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['wait=5', 5],
  ['WAIT = 5', 5],
  ['wait="5"', 5],
  ['respond-async, wait=10', 10],
  ['respond-async;x=1, wait=10; foo="bar", handling=lenient', 10],
  ['wait=1, wait=9', 1],
  ['wait=600', 60],
  ['wait=99999999999999999999', undefined],
  ['wait=0', undefined],
  ['wait=-1', undefined],
  ['wait=1.5', undefined],
  ['wait', undefined],
  ['await=5', undefined],
  ['x="wait=5"', undefined],
  ['wait="', undefined],
  [`wait=${' '.repeat(90_000)}x`, undefined],
])('%j waits %j seconds', (header, seconds) => {
  expect(readWait(header)).toBe(seconds)
})
