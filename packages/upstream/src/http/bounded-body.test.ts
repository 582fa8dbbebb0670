import { expect, it } from 'vitest'
import { BoundedBody } from './bounded-body.ts'

it('a body sent in single bytes is kept in one buffer no larger than the bound', () => {
  const body = new BoundedBody(3_000_000)
  const byte = Buffer.from('x')
  for (let count = 0; count < 3_000_000; count += 1) body.append(byte)
  expect(body.append(byte)).toBe(false)
  const whole = body.take()
  expect(whole.byteLength).toBe(3_000_000)
  expect(whole.buffer.byteLength).toBe(3_000_000)
  expect(whole.every((each) => each === 0x78)).toBe(true)
})

it('a chunk that passes the bound is left out whole', () => {
  const body = new BoundedBody(5)
  expect(body.append(Buffer.from('abc'))).toBe(true)
  expect(body.append(Buffer.from('def'))).toBe(false)
  expect(body.append(Buffer.from('de'))).toBe(true)
  expect(body.take().toString()).toBe('abcde')
})

it('a chunk is copied: its memory may be used again', () => {
  const body = new BoundedBody(5)
  const chunk = Buffer.from('abc')
  body.append(chunk)
  chunk.fill(0)
  expect(body.take().toString()).toBe('abc')
})
