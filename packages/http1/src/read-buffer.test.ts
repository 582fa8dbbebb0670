import { expect, it } from 'vitest'
import { ReadBuffer } from './read-buffer.ts'

function read(reading: ReadBuffer, length: number): { bytes: Buffer; isLent: boolean } {
  let got: { bytes: Buffer; isLent: boolean } | undefined
  reading.handleBytes = (bytes) => (got = { bytes, isLent: reading.isLent(bytes) })
  reading.onread.callback(length)
  reading.onread.buffer()
  return got ?? expect.fail()
}

it('small answers are read into the same memory, and lent', () => {
  const reading = new ReadBuffer()
  const [first, second] = [read(reading, 100), read(reading, 16 * 1024)]
  expect([first.isLent, second.isLent]).toEqual([true, true])
  expect(second.bytes).toBe(first.bytes)
})

it('full reads of a large answer are given away: none is read into again', () => {
  const reading = new ReadBuffer()
  reading.isPassedOn = true
  expect(read(reading, 16 * 1024).isLent).toBe(true)
  const reads = [read(reading, 64 * 1024), read(reading, 40 * 1024), read(reading, 64 * 1024)]
  expect(reads.map(({ isLent }) => isLent)).toEqual([false, false, false])
  expect(new Set(reads.map(({ bytes }) => bytes)).size).toBe(3)
})

it('a large answer that drips does not hold 64 KiB for each byte', () => {
  const reading = new ReadBuffer()
  reading.isPassedOn = true
  read(reading, 1)
  const [first, second] = [read(reading, 1), read(reading, 1)]
  expect([first.isLent, second.isLent]).toEqual([true, true])
  expect(second.bytes).toBe(first.bytes)
})

it('what did not come through this memory is not lent', () => {
  expect(new ReadBuffer().isLent(Buffer.alloc(1))).toBe(false)
})
