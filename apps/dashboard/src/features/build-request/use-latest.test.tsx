import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useLatest } from './use-engine.ts'

/** A computation that the test finishes by hand. */
function slowComputation() {
  const begun: { input: number; finish: (output: string | Error) => Promise<void> }[] = []
  const compute = (input: number) =>
    new Promise<string>((resolve, reject) => {
      begun.push({
        input,
        finish: (output) =>
          act(async () => (output instanceof Error ? reject(output) : resolve(output))),
      })
    })
  return { begun, compute }
}

test('while one input is at work, of those that follow only the last is computed', async () => {
  const { begun, compute } = slowComputation()
  const { result, rerender } = renderHook(({ input }) => useLatest(compute, input), {
    initialProps: { input: 1 },
  })
  for (const input of [2, 3, 4]) rerender({ input })
  expect(begun.map(({ input }) => input)).toEqual([1])
  await begun[0]?.finish('one')
  expect(result.current).toBe('one')
  expect(begun.map(({ input }) => input)).toEqual([1, 4])
  await begun[1]?.finish('four')
  expect(result.current).toBe('four')
})

test('a failed computation leaves the result before it, and does not stop those after it', async () => {
  const { begun, compute } = slowComputation()
  const { result, rerender } = renderHook(({ input }) => useLatest(compute, input), {
    initialProps: { input: 1 },
  })
  await begun[0]?.finish('one')
  rerender({ input: 2 })
  await begun[1]?.finish(new Error('no'))
  expect(result.current).toBe('one')
  rerender({ input: 3 })
  await begun[2]?.finish('three')
  expect(result.current).toBe('three')
})
