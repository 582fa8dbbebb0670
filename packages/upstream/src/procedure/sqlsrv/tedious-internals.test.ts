import { describe, expect, it } from 'vitest'
import { readExactly } from './values/exact-reading.ts'
import { patchTedious, readValueOfTedious, tediousParts } from './tedious-internals.ts'
import type { TediousParts } from './tedious-internals.ts'

// Fails when a new version of tedious has changed what we replace in it.

describe('the installed tedious', () => {
  it('has all parts that are used and replaced, and can be patched again', () => {
    patchTedious(readExactly)
    expect(tediousParts.valueParser.readValue).toBe(readExactly)
    expect(readValueOfTedious).not.toBe(readExactly)
    const { packetSize } = Object.getOwnPropertyDescriptors(tediousParts.MessageIO.prototype)
    patchTedious(readExactly)
    expect(Object.getOwnPropertyDescriptors(tediousParts.MessageIO.prototype).packetSize).toEqual(
      packetSize,
    )
  })
})

describe('another tedious', () => {
  class OtherMessageIO extends tediousParts.MessageIO {}
  /** Copies of the installed parts, with some of them exchanged. */
  const withParts = (parts: object): TediousParts => ({
    ...tediousParts,
    valueParser: { ...tediousParts.valueParser },
    MessageIO: OtherMessageIO,
    ...parts,
  })

  it.each([
    ['without readValue', { valueParser: {} }, 'exports no readValue()'],
    ['that reads rows by another function', {}, 'readValue() of value-parser can not be replaced'],
    [
      'whose exports are fixed',
      { valueParser: Object.freeze({ ...tediousParts.valueParser }) },
      'readValue() of value-parser can not be replaced',
    ],
    [
      'without a transaction descriptor',
      { Connection: { prototype: {} } },
      'currentTransactionDescriptor()',
    ],
    ['with other types', { dataTypes: { ...tediousParts.dataTypes, Int: {} } }, 'the type Int'],
  ])('%s is refused by name of what has changed', (_, parts, message) => {
    expect(() => patchTedious(readExactly, withParts(parts))).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^This version of tedious is not supported: /),
      }),
    )
    expect(() => patchTedious(readExactly, withParts(parts))).toThrow(message)
  })

  it('that does not set packet sizes is refused', () => {
    class FixedMessageIO extends tediousParts.MessageIO {
      override packetSize = () => 4_096
    }
    const parts = { ...tediousParts, MessageIO: FixedMessageIO }
    expect(() => patchTedious(readExactly, parts)).toThrow('packetSize() of MessageIO')
  })
})
